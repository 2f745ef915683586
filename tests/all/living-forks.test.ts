/**
 * Forks episodes in the middle of the queue of events, in worlds with actors, an owner and several sessions: 10,000 in
 * the examples, and 10,000 in all families of `everyday/live`. Each fork goes on, and must end with the hash of a fresh
 * episode that runs the same cells from the start: their results, the state, the history and the clock.
 */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import borrowing from "../../examples/borrowing.ts";
import presents from "../../examples/presents.ts";
import { Rng, THIS_CALL } from "../../src/core/index.ts";
import type { Split, StepResult, TaskInfo } from "../../src/spec/index.ts";
import { resolveWorld } from "../../src/train/index.ts";
import {
  demonstrate,
  LiveEpisode,
  loadDefinition,
  WorldInstance,
} from "../../src/world/episode/index.ts";
import { createSandbox } from "../../src/world/sandbox/index.ts";

const FORKS = 10_000;
/** Forks of one list of cells, so that many lists are tried. */
const MAX_FORKS_OF_A_LIST = 8;
const LIVE_FAMILIES = 14;
const SPLITS: readonly Split[] = ["train", "dev", "test-normal", "test-challenge"];

const sandbox = await createSandbox();
const rng = new Rng(43);

const hash = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");

function hashEpisode({ session, start, world }: LiveEpisode, results: StepResult[]): string {
  return hash({
    results,
    changes: session.state.changesSince(start.state),
    history: session.living!.history,
    now: world.dispatcher.now(session),
  });
}

/** Counts the events that are planned and have not happened. */
function countEvents({ session, world }: LiveEpisode): number {
  const events = world.dispatcher.catalog.tables.find(({ name }) => name === "me.events")!;
  return session.state.all(events).length;
}

/** Statements of several lines stay whole. */
const splitStatements = (code: string) => code.split(/\n(?=[^\s)\]}])/);

/** Returns the statements of a solution with short waits between them, so that events are due at other places. */
async function drawCells(world: WorldInstance, taskId: string): Promise<string[]> {
  const episode = LiveEpisode.open(world, sandbox, taskId);
  const { turns } = await demonstrate(episode, "careful", 1);
  episode.close();
  return turns
    .flatMap(({ code }) => splitStatements(code))
    .flatMap((code) =>
      rng.chance(0.3) ? [`apis.me.wait({minutes:${rng.integer(1, 25)}})`, code] : [code],
    );
}

async function runCells(episode: LiveEpisode, cells: readonly string[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const cell of cells) results.push(await episode.step(cell));
  return results;
}

/** Forks an episode of the task where events are planned, and returns how often. */
async function forkAndCompare(world: WorldInstance, taskId: string): Promise<number> {
  const cells = await drawCells(world, taskId);
  const replay = LiveEpisode.open(world, sandbox, taskId);
  const results = await runCells(replay, cells);
  const original = LiveEpisode.open(world, sandbox, taskId);
  const places = new Set(
    rng.sample([...cells.keys()], Math.min(cells.length, 2 * MAX_FORKS_OF_A_LIST)),
  );
  let forks = 0;
  for (const [at, cell] of cells.entries()) {
    if (places.has(at) && countEvents(original) > 0 && forks < MAX_FORKS_OF_A_LIST) {
      const fork = original.fork();
      const own = [...results.slice(0, at), ...(await runCells(fork, cells.slice(at)))];
      expect(
        hashEpisode(fork, own),
        `${taskId}, forked before cell ${at}:\n${cells.join("\n")}`,
      ).toBe(hashEpisode(replay, results));
      fork.close();
      forks += 1;
    }
    await original.step(cell);
  }
  // The forks changed nothing in the episode from which they come.
  expect(hashEpisode(original, results)).toBe(hashEpisode(replay, results));
  original.close();
  replay.close();
  return forks;
}

test("forks in the middle of the queue end with the hash of a replay", async () => {
  const worlds = [borrowing, presents].flatMap((definition) =>
    Array.from({ length: 5 }, (_, i) => new WorldInstance(definition, i + 1)),
  );
  let forks = 0;
  for (let count = 0; forks < FORKS; count++) {
    const world = worlds[count % worlds.length]!;
    forks += await forkAndCompare(world, `train/${rng.integer(0, 3)}/${rng.integer(1, 3)}`);
  }
  console.log(`${forks} forks while events were planned`);
}, 3_600_000);

test("forks in the middle of the queue of everyday/live do so in all its families", async () => {
  const definition = await loadDefinition(resolveWorld("everyday/live").url, THIS_CALL);
  const world = new WorldInstance(definition, 1);
  const tasks = SPLITS.flatMap((split) => world.tasks(split));
  const familyOf = ({ signature }: TaskInfo) => signature.split(".")[1]!;
  const families = new Set(tasks.map(familyOf));
  expect(families.size).toBe(LIVE_FAMILIES);
  const forks: { [family: string]: number } = {};
  for (const family of families) {
    const own = tasks.filter((task) => familyOf(task) === family);
    let count = 0;
    while (count < FORKS / families.size) count += await forkAndCompare(world, rng.pick(own).id);
    forks[family] = count;
  }
  console.log("forks while events were planned:", forks);
}, 3_600_000);
