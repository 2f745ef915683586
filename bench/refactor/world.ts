/**
 * Whether a change of structure changed the world: hashes of what an agent and a check can see of its tasks, and of the
 * documentation of its apps, beside those of a baseline.
 *
 *   npx tsx bench/refactor/world.ts                   every group; some minutes
 *   npx tsx bench/refactor/world.ts everyday/shop     groups whose name begins so
 *   npx tsx bench/refactor/world.ts --quick           a tenth of the tasks
 *   npx tsx bench/refactor/world.ts --write           makes baseline-world.json (of the commit that a change begins from)
 *
 * A group is an app's documentation, or the tasks of one seed and set that touch one app first. Of a task these count: its
 * instruction, signature and difficulty; the cells of its solution in both styles with what they print; the checks with their
 * verdicts; the intended changes; the changes that the solution leaves behind. 2,001 tasks of the composed splits of `everyday`,
 * its 180 handmade ones, and 180 of each split of `everyday/starter`, at seeds 1 and 2.
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import type { DemonstrationStyle, Split, TaskInfo } from "../../src/spec/index.ts";
import {
  demonstrate,
  LiveEpisode,
  loadDefinition,
  WorldInstance,
} from "../../src/world/episode/index.ts";
import { createSandbox, type Sandbox } from "../../src/world/sandbox/index.ts";
import { builtInWorlds } from "../../src/worlds/index.ts";
import { compareHashes, type Hashes, readBaseline, writeBaseline } from "./baseline.ts";

const BASELINE = "baseline-world.json";
const SEEDS = [1, 2];
/** Scenarios of three tasks; of the first three 667, so 2,001 tasks. */
const SETS: { readonly [world: string]: { readonly [S in Split]?: number } } = {
  everyday: { train: 167, dev: 167, "test-normal": 167, "test-challenge": 166, handmade: 60 },
  "everyday/starter": { train: 60, dev: 60, "test-normal": 60 },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const [wanted = ""] = positionals;

/** Groups of texts, hashed as they grow. */
class Groups {
  readonly #digests = new Map<string, ReturnType<typeof createHash>>();

  add(group: string, value: unknown): void {
    const digest = this.#digests.get(group) ?? createHash("sha256");
    this.#digests.set(group, digest.update(JSON.stringify(value)));
  }

  hashes(): Hashes {
    const sorted = [...this.#digests].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      sorted.map(([group, digest]) => [group, digest.digest("hex").slice(0, 16)]),
    );
  }
}

/** As an agent reads it: the list of apps, of APIs, and every API's page. */
function documentation(world: WorldInstance, groups: Groups): void {
  const session = { state: world.copyPopulation(), calls: 0 };
  const ask = (api: string, args: object) =>
    world.dispatcher.call({ ...session }, world.owner, "docs", api, args);
  for (const { name: app, apis } of world.definition.apps) {
    const group = `${world.definition.name}/${app}: documentation`;
    if (!group.startsWith(wanted)) continue;
    groups.add(group, ask("listApis", { app }));
    for (const api of Object.keys(apis)) groups.add(group, ask("showApi", { app, api }));
  }
}

async function solved(
  world: WorldInstance,
  sandbox: Sandbox,
  id: string,
  style: DemonstrationStyle,
) {
  const episode = LiveEpisode.open(world, sandbox, id);
  try {
    const { turns, evaluation } = await demonstrate(episode, style, 1);
    const changes = episode.session.state.changesSince(episode.start.state);
    return [turns.map(({ code, result }) => [code, result.text]), evaluation, changes];
  } finally {
    episode.close();
  }
}

/** The app that its signature names first. */
function firstApp(world: WorldInstance, { signature }: TaskInfo): string {
  const names = world.definition.apps.map(({ name }) => name);
  const places = names.map(
    (name) => [signature.search(new RegExp(`\\b${name}\\b`)), name] as const,
  );
  const found = places.filter(([at]) => at >= 0).sort(([a], [b]) => a - b)[0];
  return found?.[1] ?? "other";
}

async function tasks(
  world: WorldInstance,
  sandbox: Sandbox,
  split: Split,
  scenarios: number,
  groups: Groups,
) {
  for (const info of world.tasks(split, scenarios)) {
    const group = `${world.definition.name}/${firstApp(world, info)}: ${split}, seed ${world.seed}`;
    if (!group.startsWith(wanted)) continue;
    const { checks } = world.prepareTask(info.id);
    const told = { ...info, outcome: checks.outcome, intended: checks.intended };
    const { careful, hasty } = {
      careful: await solved(world, sandbox, info.id, "careful"),
      hasty: await solved(world, sandbox, info.id, "hasty"),
    };
    groups.add(group, [told, careful, hasty]);
  }
}

async function everything(): Promise<Hashes> {
  const groups = new Groups();
  const sandbox = await createSandbox();
  for (const [name, splits] of Object.entries(SETS)) {
    const definition = await loadDefinition(builtInWorlds[name]!.url.href);
    for (const seed of SEEDS) {
      const world = new WorldInstance(definition, seed);
      if (seed === SEEDS[0]) documentation(world, groups);
      for (const [split, count] of Object.entries(splits)) {
        const scenarios = values.quick ? Math.ceil(count / 10) : count;
        await tasks(world, sandbox, split as Split, scenarios, groups);
        process.stderr.write(`${name} ${split}, seed ${seed}: ${3 * scenarios} tasks\n`);
      }
    }
  }
  return groups.hashes();
}

const found = await everything();
const key = values.quick ? "quick" : "whole";
const baseline = readBaseline<{ readonly [key: string]: Hashes }>(BASELINE, {});
if (values.write) writeBaseline(BASELINE, { ...baseline, [key]: found });
else compareHashes(baseline[key] ?? {}, found, wanted, "groups");
