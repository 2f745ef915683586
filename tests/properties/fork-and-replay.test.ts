/**
 * A fork goes on bit by bit as its original does, a replay goes the same way, and episodes do not see each other: on
 * random tasks of every built-in world, with solutions and with cells that write, draw, tell the time and fail.
 */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { Rng } from "../../src/core/index.ts";
import type { StepResult } from "../../src/spec/index.ts";
import {
  demonstrate,
  LiveEpisode,
  loadDefinition,
  WorldInstance,
} from "../../src/world/episode/index.ts";
import { createSandbox, type Sandbox } from "../../src/world/sandbox/index.ts";
import { ArgumentGenerator, CallMemory } from "../support/arbitrary-arguments.ts";
import { distinctWorlds } from "../support/distinct-worlds.ts";
import { sweepSize } from "../support/sweep.ts";

const SEED = 20260312;
/** Tasks of the full world, and of the small ones. */
const [MANY, FEW] = [sweepSize(32, 500), sweepSize(8, 120)];

const worlds = await Promise.all(
  distinctWorlds.map(async ([name, url]) => {
    const definition = await loadDefinition(url.href);
    const world = new WorldInstance(definition, 1);
    const open = new WorldInstance(definition, 1, { logins: false });
    return { name, world, open, tasks: name === "everyday" ? MANY : FEW };
  }),
);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});

/** What shows whatever could be shared by mistake: random state, clock, globals. */
const PROBES = [
  "var seen = (globalThis.seen ?? 0) + 1; print(seen, Math.random(), Date.now(), Object.keys(globalThis))",
  "let text = 'x'.repeat(5000); throw new Error(text.length + ' ' + seen)",
  "print(apis.docs.listApps().items.map(({ name }) => name), apis.me.profile(), text.length + seen)",
];

async function program(world: WorldInstance, taskId: string, rng: Rng): Promise<string[]> {
  const episode = LiveEpisode.open(world, sandbox, taskId);
  const { turns } = await demonstrate(episode, rng.chance(0.5) ? "careful" : "hasty", 1);
  episode.close();
  const cells = turns.map(({ code }) => code);
  for (const probe of PROBES) cells.splice(rng.integer(0, cells.length - 1), 0, probe);
  return cells;
}

async function steps(episode: LiveEpisode, cells: readonly string[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const cell of cells) results.push(await episode.step(cell));
  return results;
}

function end(episode: LiveEpisode): unknown {
  const { state, calls } = episode.session;
  const evaluation = episode.evaluate();
  episode.close();
  return { evaluation, calls, changes: state.changesSince(episode.start.state) };
}

/** Tasks spread evenly over the scenarios of the split. */
function someTasks(world: WorldInstance, count: number): string[] {
  const tasks = world.tasks("train", Math.ceil(count / 3));
  return tasks.slice(0, count).map(({ id }) => id);
}

describe.each(worlds)("$name", ({ world, open, tasks }) => {
  test(`forks and replays of ${tasks} tasks go on as the original does`, async () => {
    for (const taskId of someTasks(world, tasks)) {
      const rng = new Rng(SEED).child(taskId);
      const cells = await program(world, taskId, rng);
      const at = rng.integer(0, cells.length);
      const original = LiveEpisode.open(world, sandbox, taskId);
      const before = await steps(original, cells.slice(0, at));
      const fork = original.fork();
      const after: [StepResult[], StepResult[]] = [[], []];
      for (const cell of cells.slice(at)) {
        after[0].push(await original.step(cell));
        after[1].push(await fork.step(cell));
      }
      expect({ taskId, results: after[1] }).toEqual({ taskId, results: after[0] });
      const replay = LiveEpisode.open(world, sandbox, taskId);
      expect(await steps(replay, cells)).toEqual([...before, ...after[0]]);
      const ending = end(original);
      expect([end(fork), end(replay)]).toEqual([ending, ending]);
    }
  });

  test("a fork that does something else leaves no trace in its original", async () => {
    for (const taskId of someTasks(world, tasks / 4)) {
      const rng = new Rng(SEED).child("other").child(taskId);
      const cells = await program(world, taskId, rng);
      const at = rng.integer(0, cells.length);
      const original = LiveEpisode.open(world, sandbox, taskId);
      const expected = LiveEpisode.open(world, sandbox, taskId);
      const first = await steps(original, cells.slice(0, at));
      const fork = original.fork();
      await steps(fork, rng.shuffle(cells));
      end(fork);
      expect([...first, ...(await steps(original, cells.slice(at)))]).toEqual(
        await steps(expected, cells),
      );
      expect(end(original)).toEqual(end(expected));
    }
  });

  test("episodes that write by turns never see each other's writes", () => {
    const columns = new ArgumentGenerator(open.definition.apps, open.copyPopulation());
    const calls = open.definition.apps.flatMap((app) =>
      Object.entries(app.apis).map(([name, api]) =>
        columns.argumentsOf(app.name, api).map((args) => ({ app: app.name, name, args })),
      ),
    );
    const turns = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.oneof(...calls)), {
      size: "max",
      maxLength: 40,
    });
    const start = open.prepareTask(someTasks(open, 1)[0]!);
    const property = fc.property(turns, (drawn) => {
      const begin = () => ({
        session: open.startSession(start),
        memory: new CallMemory(),
        answers: [] as unknown[],
      });
      const together = [begin(), begin(), begin()];
      const alone = [begin(), begin(), begin()];
      const act = (live: ReturnType<typeof begin>, [, call]: (typeof drawn)[number]) => {
        const args = live.memory.replaceRecentValues(call.args);
        const result = open.dispatcher.call(live.session, open.owner, call.app, call.name, args);
        if ("value" in result) live.memory.remember(result.value);
        live.answers.push(result);
      };
      for (const turn of drawn) act(together[turn[0]]!, turn);
      alone.forEach((live, who) => {
        for (const turn of drawn) if (turn[0] === who) act(live, turn);
      });
      expect(together.map(({ answers }) => answers)).toEqual(alone.map(({ answers }) => answers));
    });
    fc.assert(property, { seed: SEED, numRuns: 60 });
  });
});
