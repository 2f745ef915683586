/**
 * Scores kept rollouts again with two builds of Bowline, and counts the verdicts that differ.
 *
 *   npx tsx bench/world/score-again.ts ../before . runs/starter runs/smoke
 *
 * The first two arguments are checkouts with a built `dist/`, the others run directories. Every recorded cell is run
 * again in the run's world, once with each build, and both evaluate the final state. A world is deterministic, so a
 * verdict that differs comes from the checks. Where one differs, the tasks mean something else than before, and the
 * version of their world has to change (`WorldDefinition.version`).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rewardOfEvaluation } from "../../src/algo/index.ts";
import { mapConcurrently } from "../../src/core/index.ts";
import { type Evaluation, type Rollout, rolloutSchema } from "../../src/spec/index.ts";
import type { OpenedWorld, openWorld } from "../../src/world/index.ts";

const [before, after, ...runs] = process.argv.slice(2);
if (before === undefined || after === undefined || runs.length === 0) {
  console.error(
    "error: expected two checkouts and one run or more: score-again.ts ../before . runs/a",
  );
  process.exit(2);
}

/** The configuration of a run that decides its world. */
interface RunConfig {
  readonly world: { readonly name: string; readonly seed: number; readonly dials: object | null };
}

async function openRunWorld(root: string, { world }: RunConfig): Promise<OpenedWorld> {
  const load = (path: string) => import(pathToFileURL(resolve(root, "dist", path)).href);
  const kit: { openWorld: typeof openWorld } = await load("exports/world.js");
  // Builds before version 0.2 have the URL itself in place of `{ url }`.
  const worlds: { builtInWorlds: Record<string, URL | { readonly url: URL }> } =
    await load("worlds/index.js");
  const { name, seed, dials } = world;
  const found = worlds.builtInWorlds[name];
  if (found === undefined) throw new Error(`${root} has no built-in world ${name}`);
  const { href } = found instanceof URL ? found : found.url;
  return kit.openWorld(href, { seed, dials: dials ?? {} });
}

/** Reads the rollouts of a run that cells alone can repeat: one attempt, without other roles. */
function readRollouts(run: string): Rollout[] {
  const folder = join(run, "rollouts");
  const files = readdirSync(folder).filter((name) => /^(train|eval)-.*\.jsonl$/.test(name));
  const lines = files.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  return lines
    .filter((line) => line !== "")
    .map((line) => rolloutSchema.parse(JSON.parse(line)))
    .filter(
      ({ evaluation, turns }) =>
        evaluation !== undefined && turns.every(({ part }) => part === undefined),
    );
}

async function evaluateAgain(world: OpenedWorld, { task, turns }: Rollout): Promise<Evaluation> {
  const episode = await world.open(task.id);
  try {
    for (const { code } of turns) await episode.step(code);
    return await episode.evaluate();
  } finally {
    await episode.close();
  }
}

const RULES = ["fraction", "strict", "progress"] as const;
const rewards = (evaluation: Evaluation) =>
  RULES.map((reward) => rewardOfEvaluation(evaluation, { reward, unfinished: "fail" }));

for (const run of runs) {
  const { config }: { config: RunConfig } = JSON.parse(readFileSync(join(run, "run.json"), "utf8"));
  const worlds = [await openRunWorld(before, config), await openRunWorld(after, config)] as const;
  const rollouts = readRollouts(run);
  const pairs = await mapConcurrently(rollouts, 8, async (rollout) => ({
    rollout,
    old: await evaluateAgain(worlds[0], rollout),
    now: await evaluateAgain(worlds[1], rollout),
  }));
  await Promise.all(worlds.map((world) => world.close()));
  const count = (test: (pair: (typeof pairs)[number]) => boolean) => pairs.filter(test).length;
  const differing = pairs.filter(({ old, now }) => old.passed !== now.passed);
  const unlikeRecord = count(({ rollout, old }) => rollout.evaluation!.passed !== old.passed);
  console.log(
    `${run} (${config.world.name}): ${pairs.length} rollouts, passed ${count(({ old }) => old.passed)} before and ${count(({ now }) => now.passed)} now; ${differing.length} verdicts differ; ${unlikeRecord} records differ from the first build`,
  );
  RULES.forEach((rule, i) => {
    const means = [0, 1].map((k) => {
      const all = pairs.map(({ old, now }) => rewards(k === 0 ? old : now)[i]!);
      return all.reduce((sum, value) => sum + value, 0) / Math.max(all.length, 1);
    });
    const differ = count(({ old, now }) => rewards(old)[i] !== rewards(now)[i]);
    console.log(
      `  reward ${rule}: mean ${means[0]!.toFixed(4)} before and ${means[1]!.toFixed(4)} now; ${differ} differ`,
    );
  });
  for (const { rollout, old, now } of differing.slice(0, 20)) {
    const failed = [...old.checks, ...now.checks].filter(({ passed }) => !passed);
    const why = failed.map(({ name, detail }) => `${name} (${detail})`).join("; ");
    console.log(`  ${rollout.id} of ${rollout.task.id}: ${old.passed} -> ${now.passed}: ${why}`);
  }
}
