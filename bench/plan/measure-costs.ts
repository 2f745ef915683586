/**
 * Measures the costs from which `bowline plan` computes (`src/bench/scale/measured-costs.ts`): bytes of ids and of
 * stored rows, the memory of open episodes, and what a turn costs when the world is on another
 * host. Prints JSON.
 *
 *   npx tsc -b && npx tsx bench/plan/measure-costs.ts [MODEL]
 *
 * MODEL is a directory with a tokenizer and a chat template; the default is `tests/golden/hf-qwen2`. The host is a
 * process on this machine, whose processor time is read from `/proc`, so the script needs Linux.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { benchController } from "../../src/bench/index.ts";
import { describeMachine } from "../../src/core/index.ts";
import { forkTimedServer } from "../../src/server/index.ts";
import { rolloutSchema } from "../../src/spec/index.ts";
import { type OpenedWorld, remoteWorld, resolveDials } from "../../src/world/index.ts";

const WORLD = "everyday";
const CELL = "print(apis.docs.listApps({}));";
const TURNS = 8;
const EPISODES = 64;
const LIVE = 500;
const TICKS_PER_SECOND = 100;

/** Plays rollouts against a server that answers at once, and measures their rows on the disk. */
async function measureRows(model: string) {
  let journal = "";
  await benchController({
    ...{ rollouts: 24, turns: TURNS, latencyMs: [10, 10], world: WORLD, seed: 1, model },
    startServer: forkTimedServer,
    onJournal: (path) => {
      journal = readFileSync(path, "utf8");
    },
  });
  const lines = journal.trimEnd().split("\n");
  const rollout = rolloutSchema.parse(findRollout(JSON.parse(lines[0]!)));
  const { ids, mask } = rollout.tokens!;
  const sampled = mask.filter((one) => one === 1).length;
  return {
    rowTokens: ids.length,
    promptTokens: rollout.turns[0]!.span![0],
    sampledTokens: sampled,
    bytesPerTokenId: JSON.stringify(ids).length / ids.length,
    storedBytesPerRowToken: journal.length / lines.length / ids.length,
  };
}

/** A line of a journal is a rollout, or an object that holds one. */
function findRollout(value: unknown): unknown {
  const object = Object(value) as Readonly<Record<string, unknown>>;
  return "tokens" in object ? object : Object.values(object).find((one) => "tokens" in Object(one));
}

async function startHost(): Promise<{ child: ChildProcess; url: string }> {
  const args = ["dist/cli/start.js", "serve", "--openenv", WORLD, "--port", "0", "--json"];
  const child = spawn(process.execPath, [...args, "--episodes", String(LIVE)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout!, "data");
  return { child, url: (JSON.parse(String(line)) as { url: string }).url };
}

/** The processor time of a process in milliseconds, and its memory in megabytes. */
function readProcess(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1];
  return { cpuMs: (1000 * ticks) / TICKS_PER_SECOND, rssMb: Math.round(Number(rss) / 1024) };
}

/** Plays episodes, all at once, on one host of this machine. */
async function measureRemoteTurns() {
  const { child, url } = await startHost();
  const definition = remoteWorld({ hosts: [url] });
  const world = await definition.openWorld({ seed: 1, dials: resolveDials({}) });
  const tasks = world.tasks("train").slice(0, EPISODES);
  const play = async (id: string) => {
    const episode = await world.open(id);
    for (let turn = 0; turn < TURNS; turn++) await episode.step(CELL);
    await episode.evaluate();
    await episode.close();
  };
  // The first episodes of each scenario are slower, and a run plays each of them several times.
  await Promise.all(tasks.map(({ id }) => play(id)));
  const before = readProcess(child.pid!);
  const own = process.cpuUsage();
  await Promise.all(tasks.map(({ id }) => play(id)));
  const { user, system } = process.cpuUsage(own);
  const after = readProcess(child.pid!);
  const memory = await measureMemory(world, child.pid!);
  await world.close();
  child.kill("SIGINT");
  await once(child, "exit");
  const turns = EPISODES * TURNS;
  return {
    hostMsPerTurn: (after.cpuMs - before.cpuMs) / turns,
    controllerMsPerTurn: (user + system) / 1000 / turns,
    ...memory,
  };
}

/** Opens many episodes, runs a cell in each, and measures how much larger the host's memory is then. */
async function measureMemory(world: OpenedWorld, pid: number) {
  const before = readProcess(pid).rssMb;
  const ids = world.tasks("train").map(({ id }) => id);
  const episodes = await Promise.all(
    Array.from({ length: LIVE }, (_, i) => world.open(ids[i % EPISODES]!)),
  );
  await Promise.all(episodes.map((episode) => episode.step(CELL)));
  const after = readProcess(pid).rssMb;
  await Promise.all(episodes.map((episode) => episode.close()));
  return { hostRssMb: before, hostMbPerEpisode: (after - before) / LIVE };
}

const rows = await measureRows(process.argv[2] ?? "tests/golden/hf-qwen2");
const remote = await measureRemoteTurns();
console.log(JSON.stringify({ machine: describeMachine(), world: WORLD, rows, remote }, null, 2));
