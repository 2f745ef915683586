/**
 * A whole run on a server that fails a thousand times, beside the same run undisturbed: nothing may differ, and every
 * optimizer step must be taken once (again only where a restart lost the model, from its checkpoint).
 *
 *   npx tsx bench/tinker/faults.ts [faults] [probability]
 *
 * The model is a table, so that thousands of calls take a minute; loop, client, HTTP and server are the shipped ones.
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

const [most = 1000, probability = 0.3] = process.argv.slice(2).map(Number);
const root = mkdtempSync(join(tmpdir(), "bowline-faults-"));
const SIZE = { "algo.iterations": 32, "algo.tasksPerIteration": 6, "algo.groupSize": 6 };

async function run(name: string, wrong?: (restart: () => Promise<void>) => Faults) {
  let server: TableServer | undefined;
  const behaviour = wrong?.(async () => server?.restart());
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

const calm = await run("calm");
const rough = await run("rough", () =>
  createFaults({
    seed: 1,
    probability,
    maxFaults: most,
    kinds: FAULT_KINDS.filter((kind) => kind !== "restart"),
    slowMs: 10,
  }),
);
const restarts = await run("restarts", (restart) =>
  createFaults({ seed: 2, probability: 0.01, maxFaults: 20, kinds: ["restart"], restart }),
);
const same = (other: typeof calm) =>
  [...calm.contents].every(([name, text]) => other.contents.get(name) === text) &&
  JSON.stringify(calm.summary.after) === JSON.stringify(other.summary.after);
const round = (value: number) => Number(value.toFixed(1));
console.log(
  JSON.stringify(
    {
      calm: {
        seconds: round(calm.seconds),
        optimizerSteps: calm.steps,
        reward: calm.summary.reward,
      },
      faults: {
        seconds: round(rough.seconds),
        injected: rough.behaviour?.total,
        kinds: rough.behaviour?.counts,
        optimizerSteps: rough.steps,
        sameRun: same(rough),
      },
      restarts: {
        seconds: round(restarts.seconds),
        injected: restarts.behaviour?.total,
        optimizerSteps: restarts.steps,
        sameRun: same(restarts),
      },
    },
    null,
    2,
  ),
);
rmSync(root, { recursive: true, force: true });
if (!same(rough) || rough.steps !== calm.steps || !same(restarts)) process.exitCode = 1;
