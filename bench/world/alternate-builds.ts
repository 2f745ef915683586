/**
 * Compares what single operations of a world cost in two builds of Bowline, in one process and by turns, in processor
 * time. So other work on the machine hardly changes the ratios, unlike those of `compare-builds.ts`.
 *
 *   npx tsx bench/world/alternate-builds.ts ../before . --world everyday/starter --rounds 30
 *
 * Both arguments are checkouts with a built `dist/` and `worlds/everyday/dist/`. For each operation it prints the median
 * over the rounds for both builds, and the median of the ratios with their quartiles.
 */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type * as episodes from "../../src/world/episode/index.ts";
import type * as worlds from "../../src/world/index.ts";
import type * as sandboxes from "../../src/world/sandbox/index.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "30" },
    world: { type: "string", default: "everyday/starter" },
    tasks: { type: "string", default: "24" },
  },
});
const [first, second] = positionals;
if (!first || !second) {
  console.error(
    "error: expected two checkouts: npx tsx bench/world/alternate-builds.ts ../before .",
  );
  process.exit(2);
}

type Operation = (round: number) => Promise<void> | void;

/** Returns the operations of one build, each of which does the same work in both. */
async function prepareBuild(root: string): Promise<{ readonly [name: string]: Operation }> {
  const load = (...path: string[]) => import(pathToFileURL(resolve(root, join(...path))).href);
  const { demonstrate, LiveEpisode, WorldInstance } = (await load(
    "dist/world/episode/index.js",
  )) as typeof episodes;
  const { createSandbox } = (await load("dist/world/sandbox/index.js")) as typeof sandboxes;
  const { openWorld } = (await load("dist/exports/world.js")) as typeof worlds;
  const module = join("worlds/everyday/dist", `${values.world.split("/").at(-1)}.js`);
  const { default: definition } = await load(module);
  const threaded = await openWorld(pathToFileURL(resolve(root, module)).href, {
    ...{ seed: 1, workers: 1, dials: {} },
  });
  const sandbox = await createSandbox();
  const world = new WorldInstance(definition, 1);
  const ids = world.tasks("train", Math.ceil(Number(values.tasks) / 3)).map(({ id }) => id);
  const programs = new Map<string, string[]>();
  for (const id of ids) {
    const episode = LiveEpisode.open(world, sandbox, id);
    const { turns } = await demonstrate(episode, "careful", 1);
    programs.set(
      id,
      turns.map(({ code }) => code),
    );
    episode.close();
  }
  const begun: episodes.LiveEpisode[] = [];
  for (const id of ids) {
    const episode = LiveEpisode.open(world, sandbox, id);
    await episode.step(programs.get(id)![0]!);
    begun.push(episode);
  }
  const calling = LiveEpisode.open(world, sandbox, ids[0]!);
  const CALLS = "for (let i = 0; i < 100; i++) { apis.me.profile(); apis.me.listAccounts(); }";
  return {
    "first open": (round) => {
      const other = new WorldInstance(definition, 1);
      const split = other.tasks("train", 200);
      for (const { id } of split.slice(12 * (round % 30), 12 * (round % 30) + 12))
        LiveEpisode.open(other, sandbox, id).close();
    },
    open: async () => {
      for (let i = 0; i < 20; i++) for (const id of ids) await (await threaded.open(id)).close();
    },
    "without a thread": () => {
      for (let i = 0; i < 100; i++)
        for (const id of ids) LiveEpisode.open(world, sandbox, id).close();
    },
    fork: () => {
      for (let i = 0; i < 5; i++) for (const episode of begun) episode.fork().close();
    },
    "200 calls": async () => {
      const { status, text } = await calling.step(CALLS);
      if (status !== "ok") throw new Error(`the cell with calls failed: ${text}`);
    },
    "whole solutions": async () => {
      for (const id of ids.slice(0, 6)) {
        const episode = LiveEpisode.open(world, sandbox, id);
        for (const cell of programs.get(id)!) await episode.step(cell);
        episode.evaluate();
        episode.close();
      }
    },
  };
}

async function measure(operation: Operation, round: number): Promise<number> {
  const start = process.cpuUsage();
  await operation(round);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const quantile = (numbers: readonly number[], q: number) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(q * (numbers.length - 1))]!;

const builds = [await prepareBuild(first), await prepareBuild(second)] as const;
for (const name of Object.keys(builds[0])) {
  const times: [number[], number[]] = [[], []];
  for (let round = -3; round < Number(values.rounds); round++) {
    // Each build goes first in every other round.
    for (const k of (round % 2 === 0 ? [0, 1] : [1, 0]) as (0 | 1)[]) {
      const ms = await measure(builds[k][name]!, round + 3);
      if (round >= 0) times[k].push(ms);
    }
  }
  const ratios = times[0].map((before, i) => times[1][i]! / before);
  const [a, b] = times.map((list) => quantile(list, 0.5).toFixed(2).padStart(9));
  const [low, mid, high] = [0.25, 0.5, 0.75].map((q) => quantile(ratios, q).toFixed(3));
  console.log(`${name.padEnd(16)} ${a} ms ${b} ms  x${mid} (${low} to ${high})`);
}
process.exit(0);
