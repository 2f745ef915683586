/** What a remote world of Bowline asks a host besides its episodes: what it serves, and solutions of tasks. */
import type { Demonstration, World } from "../../spec/index.ts";
import { type ApiDescription, digestTaskList, type WorldFacts } from "../../world/index.ts";
import { demonstrationFormat } from "./formats.ts";
import { OpenEnvError } from "./openenv-error.ts";
import { readFields } from "./read-fields.ts";
import type { TaskList } from "./task-list.ts";

/** What the routes for remote worlds answer from. */
export interface RemoteWorldContext {
  readonly world: World;
  readonly facts: WorldFacts;
}

/** Describes the world that a server serves, so that two hosts of the same world can be compared. */
export function describeWorldFacts(
  { name, version, seed, dials }: World,
  tasks: TaskList,
  apis: readonly ApiDescription[],
  server: Pick<WorldFacts, "bowline" | "server" | "hasSolutions" | "episodes">,
): WorldFacts {
  const splits = tasks.splits.map((name) => {
    const all = tasks.tasksOf(name);
    return { name, tasks: all.length, digest: digestTaskList(all) };
  });
  const facts = { ...server, name, version: version ?? null, seed, dials, splits, apis };
  return facts as WorldFacts;
}

/** Runs the solution of a task that is served. Throws a `SESSION_ERROR` when the server hands out none. */
export async function answerDemonstration(
  body: unknown,
  { world, facts }: RemoteWorldContext,
  tasks: TaskList,
): Promise<Demonstration> {
  const { task_id, style, seed } = readFields(demonstrationFormat, body);
  if (!facts.hasSolutions) {
    const message = "this server hands out no solutions; start it with --solutions if it should";
    throw new OpenEnvError("SESSION_ERROR", message, { status: 403 });
  }
  const { task } = tasks.choose({ task_id });
  return world.demonstrate(task.id, style, seed);
}
