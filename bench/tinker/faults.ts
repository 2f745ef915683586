/**
 * Trains on a server that fails a thousand times, and compares the run with a run without faults. The results must be
 * equal. Every optimizer step must be taken exactly once, except that steps are taken again when a restart of the
 * server lost the model.
 *
 * npx tsx bench/tinker/faults.ts [faults] [probability]
 *
 * The model is a table, so that thousands of calls take a minute. The training loop, the client, HTTP and the server
 * are real.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trainWith } from "../../src/train/train.ts";
import { createFaults, FAULT_KINDS, type Faults } from "../../tests/support/tinker-faults.ts";
import {
  createTableConfig,
  createTableMakers,
  readRunFiles,
  startTableServer,
  TABLE_VOCABULARY,
  type TableServer,
} from "../../tests/support/tinker-run.ts";

const [maxFaults = 1000, probability = 0.3] = process.argv.slice(2).map(Number);
const root = mkdtempSync(join(tmpdir(), "bowline-faults-"));
const SIZE = { "algo.iterations": 32, "algo.tasksPerIteration": 6, "algo.groupSize": 6 };

async function trainOnServer(
  name: string,
  createBehaviour?: (restart: () => Promise<void>) => Faults,
) {
  let server: TableServer | undefined;
  const behaviour = createBehaviour?.(async () => server?.restart());
  server = await startTableServer(TABLE_VOCABULARY, behaviour);
  const out = join(root, name);
  const start = performance.now();
  const summary = await trainWith(createTableMakers(), createTableConfig(server.url, SIZE), {
    out,
  });
  const seconds = (performance.now() - start) / 1000;
  const steps = server.steps();
  await server.close();
  return { summary, steps, seconds, contents: readRunFiles(out), behaviour };
}

const undisturbed = await trainOnServer("calm");
const faulty = await trainOnServer("rough", () =>
  createFaults({
    seed: 1,
    probability,
    maxFaults,
    kinds: FAULT_KINDS.filter((kind) => kind !== "restart"),
    slowMs: 10,
  }),
);
const restarted = await trainOnServer("restarts", (restart) =>
  createFaults({ seed: 2, probability: 0.01, maxFaults: 20, kinds: ["restart"], restart }),
);
const isSameRun = (other: typeof undisturbed) =>
  [...undisturbed.contents].every(([name, text]) => other.contents.get(name) === text) &&
  JSON.stringify(undisturbed.summary.after) === JSON.stringify(other.summary.after);
const round = (value: number) => Number(value.toFixed(1));
console.log(
  JSON.stringify(
    {
      calm: {
        seconds: round(undisturbed.seconds),
        optimizerSteps: undisturbed.steps,
        reward: undisturbed.summary.reward,
      },
      faults: {
        seconds: round(faulty.seconds),
        injected: faulty.behaviour?.total,
        kinds: faulty.behaviour?.counts,
        optimizerSteps: faulty.steps,
        sameRun: isSameRun(faulty),
      },
      restarts: {
        seconds: round(restarted.seconds),
        injected: restarted.behaviour?.total,
        optimizerSteps: restarted.steps,
        sameRun: isSameRun(restarted),
      },
    },
    null,
    2,
  ),
);
rmSync(root, { recursive: true, force: true });
if (!isSameRun(faulty) || faulty.steps !== undisturbed.steps || !isSameRun(restarted))
  process.exitCode = 1;
