/**
 * Plays many episodes of a world around a faulty MCP server in this process, and prints what happened as JSON:
 *
 *     node --expose-gc --import tsx tests/support/foreign-fault-run.ts <episodes> <share of faulty calls>
 *
 * A third of the agents add the right items, a third add one item twice, and a third read only. Each agent knows from its
 * answers what the list has to be, so a call that counted twice, and a reward that nobody earned, would be noticed.
 */
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { BowlineError, mapConcurrently } from "../../src/core/index.ts";
import { resolveDials } from "../../src/world/dials/index.ts";
import { openForeignWorld } from "../../src/world/foreign/foreign-world.ts";
import { defineForeignWorld, type ForeignTask, mcpApps } from "../../src/world/kit.ts";

const [episodes = 1000, faultRate = 0.03] = process.argv.slice(2).map(Number);
const SCRIPT = fileURLToPath(new URL("./fake-mcp-server.mjs", import.meta.url));
const MARK = `fault-run-${process.pid}`;
const ITEMS = ["bread", "milk", "salt"];
const CONCURRENCY = 4;

const task: ForeignTask = {
  signature: "list.add",
  difficulty: 1,
  instruction: "Add bread, milk and salt.",
  files: { "list.json": "[]" },
  check: async ({ read }) => {
    const { items } = (await read("list", "readList")) as { items: string[] };
    const passed = JSON.stringify(items) === JSON.stringify(ITEMS);
    return [{ name: "the list", label: "progress", passed, detail: JSON.stringify(items) }];
  },
};

const definition = defineForeignWorld({
  name: "faulty",
  apps: mcpApps({
    list: {
      command: process.execPath,
      args: [SCRIPT, MARK],
      env: { FAULT_RATE: String(faultRate), FAULT_SEED: "7" },
    },
  }),
  scenarios: { train: 1 },
  tasks: () => [task, task, task],
  isolation: "reset",
  probe: { app: "list", api: "readList", args: {} },
  connections: CONCURRENCY,
  callTimeoutMs: 1500,
}).definition;

const AGENTS = [
  ITEMS.map((item) => `print((await apis.list.addItem({ item: "${item}" })).length)`),
  ["bread", "milk", "milk"].map(
    (item) => `print((await apis.list.addItem({ item: "${item}" })).length)`,
  ),
  ["print((await apis.list.readList({})).items.length)"],
];

const world = await openForeignWorld(definition, { seed: 1, dials: resolveDials({}) });
const counts = { played: 0, passed: 0, failed: 0, lost: 0, wrong: 0 };
const memory: number[] = [];

async function play(index: number): Promise<void> {
  const agent = index % AGENTS.length;
  const episode = await world.open(`train/0/${agent + 1}`);
  try {
    const seen: string[] = [];
    for (const code of AGENTS[agent]!) seen.push((await episode.step(code)).text);
    await episode.step("await apis.me.finishTask()");
    const { passed } = await episode.evaluate();
    counts[passed ? "passed" : "failed"] += 1;
    const expected = agent === 2 ? ["0"] : ["1", "2", "3"];
    if (passed !== (agent === 0) || JSON.stringify(seen) !== JSON.stringify(expected))
      counts.wrong += 1;
  } catch (error) {
    if (!BowlineError.is(error) || error.code !== "world") throw error;
    counts.lost += 1;
  } finally {
    await episode.close();
  }
}

await mapConcurrently(Array.from({ length: episodes }), CONCURRENCY, async (_, index) => {
  await play(index);
  counts.played += 1;
  if (counts.played === 100 || counts.played === episodes) {
    globalThis.gc?.();
    memory.push(process.memoryUsage().rss / 2 ** 20);
  }
});
await world.close();
await new Promise((resolve) => setTimeout(resolve, 200));
process.stdout.write(
  `${JSON.stringify({ ...counts, memoryMb: memory, processesLeft: countProcesses(), foldersLeft: countFolders() })}\n`,
);

/** Counts the servers of this run that are still alive. Only Linux shows other processes as files. */
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
