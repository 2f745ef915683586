/**
 * Measures the memory of the studio's server with many runs, and its processor time relative to that of the training
 * that it shows.
 */
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startStudio, trainSmoke } from "../../tests/slow/studio/stage.ts";
import { visit } from "../../tests/slow/studio/visit.ts";
import { type BenchContext, type Measure, makeRun, memoryMb, processorSeconds } from "./measure.ts";

const LARGEST = "largest";

interface ManyRuns extends BenchContext {
  readonly runs: number;
  readonly rollouts: number;
}

/**
 * Opens every view of the largest of many runs, and then measures the present and the maximum memory of the studio's
 * server.
 */
export async function measureMemory({
  browser,
  folder,
  runs,
  rollouts,
}: ManyRuns): Promise<Measure[]> {
  const root = join(folder, "many-runs");
  makeRun(join(root, LARGEST), rollouts, 120);
  makeRun(join(root, "run-0"), 48, 40);
  for (let i = 1; i < runs - 1; i++)
    cpSync(join(root, "run-0"), join(root, `run-${i}`), { recursive: true });
  const studio = await startStudio(root);
  try {
    await using visited = await visit(browser, studio, { path: "/" });
    const run = `/runs/${LARGEST}`;
    const file = `${run}/files/train-0009`;
    for (const path of [run, `${run}?view=grid`, file, `${run}/behaviour`]) await visited.go(path);
    await visited.go(`${file}/rollouts/9%2F0%2F0`);
    // The page shows this button when the server has opened the world, which takes the most memory.
    const replayed = visited.page.getByRole("button", { name: "Replay again" });
    await replayed.waitFor({ timeout: 60_000 });
    await sleep(1000);
    const of = `server, ${runs} runs, the largest of ${rollouts} rollouts`;
    return [
      {
        what: `${of}: memory now`,
        value: memoryMb(studio.pid, "VmRSS"),
        unit: "MB",
        limit: 200,
      },
      {
        what: `${of}: most memory`,
        value: memoryMb(studio.pid, "VmHWM"),
        unit: "MB",
        limit: 200,
      },
    ];
  } finally {
    await studio.close();
  }
}

/**
 * Measures processor time from the first metrics of a smoke run to its end, while a browser shows the page of the run.
 */
export async function measureProcessorShare({ browser, folder }: BenchContext): Promise<Measure[]> {
  const root = join(folder, "live");
  const run = join(root, "smoke");
  let pid = 0;
  let hasEnded = false;
  const finished = trainSmoke(run, 1, (child) => {
    pid = child.pid!;
  }).finally(() => {
    hasEnded = true;
  });
  while (!existsSync(join(run, "metrics.jsonl"))) await sleep(100);
  const studio = await startStudio(root);
  await using _ = await visit(browser, studio, { path: "/runs/smoke" });
  const begin = { server: processorSeconds(studio.pid), training: processorSeconds(pid) };
  let last = begin;
  while (!hasEnded) {
    try {
      last = { server: processorSeconds(studio.pid), training: processorSeconds(pid) };
    } catch {
      break;
    }
    await sleep(100);
  }
  await finished;
  await studio.close();
  const [server, training] = [last.server - begin.server, last.training - begin.training];
  return [
    {
      what: "server's processor time beside a smoke run's",
      value: (100 * server) / training,
      unit: "%",
      limit: 2,
    },
  ];
}
