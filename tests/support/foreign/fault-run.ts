/**
 * Plays many episodes of a world behind a door, around a faulty program, and prints what happened as JSON:
 *
 *     node --expose-gc --import tsx tests/support/foreign/fault-run.ts <door> <episodes> <share of faulty requests>
 *
 * A third of the agents add the right items, a third add one item twice, and a third read only. Each agent knows from its
 * answers what the list has to be, so a call that counted twice, and a reward that nobody earned, would be noticed.
 */
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { defineForeignWorld, type ForeignTask } from "bowline/world";
import { BowlineError, mapConcurrently } from "../../../src/core/index.ts";
import { resolveDials } from "../../../src/world/dials/index.ts";
import { createDoor, type DoorName, startListServer } from "./doors.ts";

const [door = "mcp", episodes = "1000", faultRate = "0.03"] = process.argv.slice(2);
const count = Number(episodes);
const MARK = `fault-run-${process.pid}`;
const ITEMS = ["bread", "milk", "salt"];
const CONCURRENCY = 4;
const LIMIT_MS = 1500;

const env = { FAULT_RATE: faultRate, FAULT_SEED: "7" };
const server = door === "mcp" ? undefined : await startListServer(env);
const program = { url: server?.url ?? "", env, mark: MARK };
const { start, ...parts } = createDoor(door as DoorName, program);
const task: ForeignTask = {
  ...{ signature: "list.add", difficulty: 1, instruction: "Add bread, milk and salt." },
  ...start({ items: [], goal: ITEMS }),
};

const world = await defineForeignWorld({
  ...{ name: "faulty", ...parts, scenarios: { train: 1 }, connections: CONCURRENCY },
  ...{ callTimeoutMs: LIMIT_MS, ...(server && { startTimeoutMs: LIMIT_MS }) },
  tasks: () => [task, task, task],
}).openWorld({ seed: 1, dials: resolveDials({}) });

const add = (item: string) => `print((await apis.list.addItem({ item: "${item}" })).length)`;
const AGENTS = [
  ITEMS.map(add),
  ["bread", "milk", "milk"].map(add),
  ["print((await apis.list.readList({})).items.length)"],
];
const counts = { played: 0, passed: 0, failed: 0, lost: 0, wrong: 0 };
const memoryMb: number[] = [];

async function play(index: number): Promise<void> {
  const agent = index % AGENTS.length;
  const episode = await world.open(`train/0/${agent + 1}`);
  try {
    const seen: string[] = [];
    for (const code of AGENTS[agent]!) seen.push((await episode.step(code)).text);
    await episode.step("await apis.me.finishTask()");
    const { passed, reward } = await episode.evaluate();
    counts[passed ? "passed" : "failed"] += 1;
    const expected = agent === 2 ? ["0"] : ["1", "2", "3"];
    const isRight =
      passed === (agent === 0) &&
      (reward === undefined || reward === Number(agent === 0)) &&
      JSON.stringify(seen) === JSON.stringify(expected);
    if (!isRight) counts.wrong += 1;
  } catch (error) {
    if (!BowlineError.is(error) || error.code !== "world") throw error;
    counts.lost += 1;
  } finally {
    await episode.close();
  }
}

await mapConcurrently(Array.from({ length: count }), CONCURRENCY, async (_, index) => {
  await play(index);
  counts.played += 1;
  if (counts.played === Math.min(100, count / 2) || counts.played === count) {
    globalThis.gc?.();
    memoryMb.push(process.memoryUsage().rss / 2 ** 20);
  }
});
await world.close();
await new Promise((resolve) => setTimeout(resolve, 200));
const socketsLeft = server ? await countSockets(server.url) : 0;
const restarts = server?.restarts() ?? 0;
await server?.stop();
const left = { processesLeft: countProcesses(), foldersLeft: countFolders(), socketsLeft };
process.stdout.write(`${JSON.stringify({ ...counts, restarts, memoryMb, ...left })}\n`);

/** Counts the programs of this run that are still alive. Only Linux shows other processes as files. */
function countProcesses(): number {
  const ids = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && name !== String(process.pid),
  );
  return ids.filter((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, "utf8").includes(MARK);
    } catch {
      return false;
    }
  }).length;
}

function countFolders(): number {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("bowline-apps-")).length;
}

async function countSockets(url: string): Promise<number> {
  for (let tries = 0; ; tries++) {
    try {
      return Number(await (await fetch(`${url}/sockets`)).text());
    } catch (error) {
      // The server may be starting again.
      if (tries === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
