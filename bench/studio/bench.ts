/**
 * Measures how long the studio takes on large runs, and how much memory and processor time.
 *
 * npx tsx bench/studio/bench.ts [--out bench/results/studio.json] [--rounds 5] [--small]
 *
 * A browser visits the studio with runs that `make-run.ts` wrote. It measures the first view of a run of 10,000
 * rollouts, queries over 20,000 rollouts, opening and scrolling a rollout of 20,000 tokens, the server's memory with a
 * thousand runs of which one has 100,000 rollouts, and the server's processor time while it shows a smoke run. With
 * `--small`, all sizes are a tenth of these.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../../tests/e2e/support/cli.ts";
import { openBrowser } from "../../tests/slow/studio/stage.ts";
import { measureMemory, measureProcessorShare } from "./machine-cost.ts";
import { measureExplorer, measureFirstView, measureLongRollout } from "./opening-times.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(ROOT, "bench", "results", "studio.json") },
    rounds: { type: "string", default: "5" },
    small: { type: "boolean", default: false },
  },
});
const scale = values.small ? 10 : 1;
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), "bowline-studio-bench-"));

const browser = await openBrowser();
try {
  const place = { browser, folder, rounds };
  const measures = [
    ...(await measureFirstView({ ...place, rollouts: 10_000 / scale })),
    ...(await measureExplorer({ ...place, rollouts: 20_000 / scale })),
    ...(await measureLongRollout({ ...place, tokens: 20_000 / scale })),
    ...(await measureMemory({ ...place, runs: 1000 / scale, rollouts: 100_000 / scale })),
    ...(await measureProcessorShare(place)),
  ];
  for (const { what, value, unit, limit } of measures) {
    const verdict =
      limit === undefined ? "" : value <= limit ? `at most ${limit}` : `OVER ${limit}`;
    console.log(`${what.padEnd(64)} ${value.toFixed(1).padStart(8)} ${unit.padEnd(3)} ${verdict}`);
  }
  if (!values.small) {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: ROOT,
      encoding: "utf8",
    }).trim();
    const machine = `${cpus()[0]?.model}, ${cpus().length} processors`;
    const result = { commit, machine, browser: browser.version(), rounds, measures };
    writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
