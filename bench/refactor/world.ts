/**
 * Checks that a change of structure did not change a world: compares hashes of tasks and documentation with a baseline.
 *
 *   npx tsx bench/refactor/world.ts                  compares every group, in some minutes
 *   npx tsx bench/refactor/world.ts everyday/shop    compares groups whose name begins with this
 *   npx tsx bench/refactor/world.ts --quick          compares a tenth of the tasks
 *   npx tsx bench/refactor/world.ts --write          writes baseline-world.json, at the commit before the change
 *
 * A group is the documentation of an app, or all tasks of a seed and a split whose signature names the same app first.
 * The hash of a task covers its instruction, signature and difficulty, the code and output of its solutions in both
 * styles, the checks with their results, the intended changes, and the changes of the solutions. The script covers
 * 2,001 tasks of the composed splits of `everyday`, its 180 handmade tasks, and 180 tasks of each split of
 * `everyday/starter`, at seeds 1 and 2.
 */

import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { THIS_CALL } from "../../src/core/index.ts";
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
/**
 * How many scenarios of three tasks each split of a world has. The composed splits of `everyday` have 667 scenarios
 * together, which are 2,001 tasks.
 */
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
const [groupPrefix = ""] = positionals;

/** Computes a hash for each group of values. Values are added to the groups one by one. */
class GroupHashes {
  readonly #digests = new Map<string, ReturnType<typeof createHash>>();

  addValue(group: string, value: unknown): void {
    const digest = this.#digests.get(group) ?? createHash("sha256");
    this.#digests.set(group, digest.update(JSON.stringify(value)));
  }

  toHashes(): Hashes {
    const sorted = [...this.#digests].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      sorted.map(([group, digest]) => [group, digest.digest("hex").slice(0, 16)]),
    );
  }
}

/** Adds the documentation that an agent reads: the list of an app's APIs and the page of each API. */
function addDocumentation(world: WorldInstance, groups: GroupHashes): void {
  const session = { state: world.copyPopulation(), calls: 0 };
  const callDocs = (api: string, args: object) =>
    world.dispatcher.call({ ...session }, world.owner, "docs", api, args);
  for (const { name: app, apis } of world.definition.apps) {
    const group = `${world.definition.name}/${app}: documentation`;
    if (!group.startsWith(groupPrefix)) continue;
    groups.addValue(group, callDocs("listApis", { app }));
    for (const api of Object.keys(apis)) groups.addValue(group, callDocs("showApi", { app, api }));
  }
}

async function runSolution(
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

/** Returns the app that a task's signature names first. */
function findFirstApp(world: WorldInstance, { signature }: TaskInfo): string {
  const names = world.definition.apps.map(({ name }) => name);
  const places = names.map(
    (name) => [signature.search(new RegExp(`\\b${name}\\b`)), name] as const,
  );
  const found = places.filter(([at]) => at >= 0).sort(([a], [b]) => a - b)[0];
  return found?.[1] ?? "other";
}

/** Adds every task of a split to the group of its first app. */
async function addTasks(
  world: WorldInstance,
  sandbox: Sandbox,
  split: Split,
  scenarios: number,
  groups: GroupHashes,
) {
  for (const info of world.tasks(split, scenarios)) {
    const group = `${world.definition.name}/${findFirstApp(world, info)}: ${split}, seed ${world.seed}`;
    if (!group.startsWith(groupPrefix)) continue;
    const { checks } = world.prepareTask(info.id);
    const task = { ...info, outcome: checks.outcome, intended: checks.intended };
    const { careful, hasty } = {
      careful: await runSolution(world, sandbox, info.id, "careful"),
      hasty: await runSolution(world, sandbox, info.id, "hasty"),
    };
    groups.addValue(group, [task, careful, hasty]);
  }
}

async function hashAllGroups(): Promise<Hashes> {
  const groups = new GroupHashes();
  const sandbox = await createSandbox();
  for (const [name, splits] of Object.entries(SETS)) {
    const definition = await loadDefinition(builtInWorlds[name]!.url.href, THIS_CALL);
    for (const seed of SEEDS) {
      const world = new WorldInstance(definition, seed);
      if (seed === SEEDS[0]) addDocumentation(world, groups);
      for (const [split, count] of Object.entries(splits)) {
        const scenarios = values.quick ? Math.ceil(count / 10) : count;
        await addTasks(world, sandbox, split as Split, scenarios, groups);
        process.stderr.write(`${name} ${split}, seed ${seed}: ${3 * scenarios} tasks\n`);
      }
    }
  }
  return groups.toHashes();
}

const hashes = await hashAllGroups();
const key = values.quick ? "quick" : "whole";
const baseline = readBaseline<{ readonly [key: string]: Hashes }>(BASELINE, {});
if (values.write) writeBaseline(BASELINE, { ...baseline, [key]: hashes });
else compareHashes(baseline[key] ?? {}, hashes, groupPrefix, "groups");
