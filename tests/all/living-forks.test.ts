/**
 * Forks 10,000 episodes in the middle of the queue of events, in worlds with actors, an owner and several sessions. Each
 * fork goes on, and must end with the hash of a fresh episode that runs the same cells from the start.
 */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import borrowing from "../../examples/borrowing.ts";
import presents from "../../examples/presents.ts";
import { Rng } from "../../src/core/index.ts";
import { demonstrate, LiveEpisode, WorldInstance } from "../../src/world/episode/index.ts";
import { createSandbox } from "../../src/world/sandbox/index.ts";

const FORKS = 10_000;
const SCENARIOS = 4;

const sandbox = await createSandbox();
const rng = new Rng(43);

function hashEpisode({ session, start, world }: LiveEpisode): string {
  const state = {
    changes: session.state.changesSince(start.state),
    history: session.living!.history,
    now: world.dispatcher.now(session),
  };
  return createHash("sha256").update(JSON.stringify(state)).digest("hex");
}

/** Counts the events that are planned and have not happened. */
function countEvents({ session, world }: LiveEpisode): number {
  const events = world.dispatcher.catalog.tables.find(({ name }) => name === "me.events")!;
  return session.state.all(events).length;
}

/** Returns the cells of a solution with short waits between them, so that events are due at other places. */
async function drawCells(world: WorldInstance, taskId: string): Promise<string[]> {
  const episode = LiveEpisode.open(world, sandbox, taskId);
  const { turns } = await demonstrate(episode, "careful", 1);
  episode.close();
  const calls = turns.flatMap(({ code }) => code.split(/(?<=;)\n/));
  return calls.flatMap((code) =>
    rng.chance(0.5) ? [`apis.me.wait({minutes:${rng.integer(1, 25)}})`, code] : [code],
  );
}

async function forkAndCompare(world: WorldInstance, taskId: string): Promise<boolean> {
  const cells = await drawCells(world, taskId);
  const at = rng.integer(1, cells.length - 1);
  const original = LiveEpisode.open(world, sandbox, taskId);
  for (const cell of cells.slice(0, at)) await original.step(cell);
  const isWaiting = countEvents(original) > 0;
  const fork = original.fork();
  original.close();
  for (const cell of cells.slice(at)) await fork.step(cell);
  const replay = LiveEpisode.open(world, sandbox, taskId);
  await replay.replay(cells.map((code) => ({ code })));
  expect(hashEpisode(fork), `${taskId}, forked at cell ${at} of ${cells.join("\n")}`).toBe(
    hashEpisode(replay),
  );
  fork.close();
  replay.close();
  return isWaiting;
}

test("forks in the middle of the queue end with the hash of a replay", async () => {
  const worlds = [borrowing, presents].flatMap((definition) =>
    Array.from({ length: 5 }, (_, i) => new WorldInstance(definition, i + 1)),
  );
  let inTheMiddle = 0;
  for (let count = 0; inTheMiddle < FORKS; count++) {
    const world = worlds[count % worlds.length]!;
    const taskId = `train/${rng.integer(0, SCENARIOS - 1)}/${rng.integer(1, 3)}`;
    if (await forkAndCompare(world, taskId)) inTheMiddle += 1;
  }
  console.log(`${inTheMiddle} forks while events were planned`);
}, 3_600_000);
