/**
 * Measures the processor time and memory of the controller while it waits for a remote model: 200 rollouts at once on a
 * server that takes a second for each sample. The controller should take at most one core and 1 GB.
 *
 * npm run build NODE_OPTIONS=--max-old-space-size=512 npx tsx bench/tinker/controller-load.ts [rollouts] [turns]
 * [latencyMs]
 *
 * Client, HTTP calls, the react prompt and its tokenizer, the Everyday world in worker threads and the journal are
 * real. The size of the heap is limited, because V8 otherwise keeps some hundred MB of garbage. The script prints JSON,
 * in which `cpuShare` is the processor time of all threads divided by the elapsed time, so 1 is one core.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import type { SlowServerOptions } from "./slow-server.ts";

/** Imports a built module (`npm run build` first), because loading TypeScript takes memory that users do not need. */
const importBuilt = <T>(path: string): Promise<T> =>
  import(new URL(`../../dist/${path}.js`, import.meta.url).href);
const { enginePolicy } =
  await importBuilt<typeof import("../../src/agent/index.ts")>("agent/index");
const { createTinkerEngine } =
  await importBuilt<typeof import("../../src/engine/index.ts")>("engine/index");
const { randomStreamId } =
  await importBuilt<typeof import("../../src/core/index.ts")>("core/index");
const { createAgent } =
  await importBuilt<typeof import("../../src/train/parts/agent.ts")>("train/parts/agent");
const { runAssignments } =
  await importBuilt<typeof import("../../src/methods/index.ts")>("methods/index");
const { openJournal } =
  await importBuilt<typeof import("../../src/train/run/journal.ts")>("train/run/journal");
const { openTextDirectory } =
  await importBuilt<typeof import("../../src/text/index.ts")>("text/index");
const { resolveConfig, resolveWorld } =
  await importBuilt<typeof import("../../src/train/index.ts")>("train/index");
const { openWorld } = await importBuilt<typeof import("../../src/world/index.ts")>("world/index");

const [rollouts = 200, turns = 8, latencyMs = 1000] = process.argv.slice(2).map(Number);
const MESSAGE = "I look around.\n\n```js\nprint(apis.docs.listApps({}));\n```";
const MODEL = fileURLToPath(new URL("../../tests/golden/hf-qwen2", import.meta.url));

async function startServer(options: SlowServerOptions) {
  const script = fileURLToPath(new URL("./slow-server.ts", import.meta.url));
  const child = fork(script, [JSON.stringify(options)], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.once("data", (line: Buffer) => resolve(String(line).trim()));
    child.once("exit", () => reject(new Error("the server did not start")));
  });
  return { url, stop: () => child.disconnect() };
}

const textDirectory = openTextDirectory(MODEL);
const config = resolveConfig({
  recipe: "loop",
  overrides: { "engine.model": MODEL, "scaffold.name": "react" },
});
const { scaffold, renderer } = createAgent(config, textDirectory.tokenizer, textDirectory);
const tokens = renderer.turn(MESSAGE);
const server = await startServer({
  latencyMs,
  tokens,
  vocabularySize: textDirectory.vocabularySize,
});
const root = mkdtempSync(join(tmpdir(), "bowline-load-"));
const world = await openWorld(resolveWorld("everyday").url, { seed: 1, workers: 2 });
const engine = await createTinkerEngine({
  url: server.url,
  rank: 8,
  seed: 1,
  vocabularySize: textDirectory.vocabularySize,
  contextLength: 32_768,
  directory: join(root, "engine"),
  traits: {
    reduction: "sum",
    rlWeights: true,
    forward: "forward",
    gradientClip: true,
    gradientNorm: true,
    frozenSamplers: true,
    promptLogprobs: true,
    sampleLogprobs: "tempered",
    deduplicates: true,
  },
});
await engine.publish();
const tasks = world.tasks("train", Math.ceil(rollouts / 3)).slice(0, rollouts);
await Promise.all(tasks.slice(0, 8).map(async ({ id }) => (await world.open(id)).close()));

let openEpisodes = 0;
let mostOpenEpisodes = 0;
let peakRss = 0;
const memoryTimer = setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage().rss);
}, 50);
const rssBefore = process.memoryUsage().rss;
const start = performance.now();
const cpu = process.cpuUsage();
const eventLoop = performance.eventLoopUtilization();
const finishedRollouts = await runAssignments(
  tasks.map((task, i) => ({ task, id: `1/${i}/0`, index: 0, stream: randomStreamId(1, task.id) })),
  {
    world: {
      open: async (id) => {
        const episode = await world.open(id);
        mostOpenEpisodes = Math.max(mostOpenEpisodes, ++openEpisodes);
        const close = async () => {
          openEpisodes -= 1;
          await episode.close();
        };
        return {
          task: episode.task,
          step: (code, signal) => episode.step(code, signal),
          evaluate: () => episode.evaluate(),
          fork: () => episode.fork(),
          close,
        };
      },
    },
    policy: enginePolicy(engine),
    agent: { scaffold, renderer },
    temperature: 1,
    maxTurns: turns,
    episodes: rollouts,
    journal: openJournal(join(root, "journal", "train-0001.jsonl")),
  },
);
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(cpu);
clearInterval(memoryTimer);
const cpuSeconds = (user + system) / 1e6;
const playedTurns = finishedRollouts.reduce((sum, rollout) => sum + rollout.turns.length, 0);
const round = (value: number, digits = 3) => Number(value.toFixed(digits));
console.log(
  JSON.stringify(
    {
      machine: `${cpus().length} x ${cpus()[0]?.model.trim()}`,
      rollouts,
      atOnce: mostOpenEpisodes,
      turns: playedTurns,
      latencyMs,
      rowTokens: Math.max(...finishedRollouts.map((rollout) => rollout.tokens?.ids.length ?? 0)),
      seconds: round(seconds),
      cpuSeconds: round(cpuSeconds),
      cpuShare: round(cpuSeconds / seconds),
      mainThreadShare: round(performance.eventLoopUtilization(eventLoop).utilization),
      cpuMsPerTurn: round((cpuSeconds * 1000) / playedTurns),
      rssBeforeMb: Math.round(rssBefore / 2 ** 20),
      peakRssMb: Math.round(peakRss / 2 ** 20),
    },
    null,
    2,
  ),
);
await engine.close();
await world.close();
server.stop();
rmSync(root, { recursive: true, force: true });
