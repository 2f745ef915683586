/** Tests that a run fits its limits to its demonstrations once, records them, and keeps them when it is continued. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import type { Config } from "../config/config.ts";
import type { FittedLimit } from "../config/limits.ts";
import { previewRunWith } from "../open/preview-run.ts";
import type { TrainEvent } from "../run/events.ts";
import { readRunRecord } from "../run/run-record.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";
import type { Fitting } from "./fit-limits.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fitting-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const tinyConfig = (overrides: Record<string, unknown>) =>
  resolveConfig({
    recipe: "smoke",
    overrides: {
      ...FAKE_RUN,
      ...{ "world.name": "toy", "algo.tasksPerIteration": 3, "algo.groupSize": 4 },
      ...overrides,
    },
  });

/** A configuration with too few tokens in a turn for the fake world, of which the user set only the limits in `keep`. */
function shortConfig(keep: readonly FittedLimit[] = [], maxTurnTokens = 1): Config {
  const config = tinyConfig({ "scaffold.maxTurnTokens": maxTurnTokens, "algo.iterations": 1 });
  return { ...config, fitting: { share: 0.95, keep: [...keep] } };
}

async function trainAndListen(config: Config, out: string) {
  const fittings: Fitting[] = [];
  const worlds: string[] = [];
  const onEvent = (event: TrainEvent) => {
    if (event.type === "fitting") fittings.push(event.fitting);
    if (event.type === "phase-start" && event.phase === "world") worlds.push(event.detail);
  };
  const summary = await trainWith(fakeMakers(), config, { out, onEvent });
  return { summary, fittings, demonstrationRuns: worlds.filter((one) => /demonstr/.test(one)) };
}

test("limits are raised once, are written to run.json, and are kept when the run is continued", async () => {
  const { fittings, demonstrationRuns } = await trainAndListen(shortConfig(), root);
  expect(demonstrationRuns).toHaveLength(1);
  expect(fittings).toHaveLength(1);
  const raised = fittings[0]!.values.find(({ limit }) => limit === "scaffold.maxTurnTokens")!;
  expect(raised).toMatchObject({ before: 1, lostBefore: 1, lostAfter: 0 });
  expect(raised.after).toBeGreaterThanOrEqual(raised.largest);
  expect(fittings[0]!.fitsAfter).toBe(1);
  const record = readRunRecord(root) as unknown as { config: Config; fitting: Fitting };
  expect(record.config.scaffold.maxTurnTokens).toBe(raised.after);
  expect(record.fitting).toEqual(fittings[0]);
  const again = await trainAndListen(shortConfig(), root);
  expect(again.fittings).toEqual([]);
  await expect(trainAndListen(shortConfig(["scaffold.maxTurnTokens"]), root)).rejects.toThrow(
    /another configuration: scaffold\.maxTurnTokens \(there \d+, now 1\)/,
  );
});

test("a limit that the user set is kept, the refusal names it with a cure, and nothing is left behind", async () => {
  const out = join(root, "run");
  const refused = await trainAndListen(shortConfig(["scaffold.maxTurnTokens"]), out).catch(
    (error) => error,
  );
  expect(refused.message).toMatch(
    /only 0 of \d+ demonstrations fit the limits: scaffold\.maxTurnTokens is 1 as you set it, too small/,
  );
  expect(readdirSync(root)).toEqual([]);
  const cured = shortConfig(["scaffold.maxTurnTokens"], refused.cure["scaffold.maxTurnTokens"]);
  const { summary } = await trainAndListen(cured, out);
  expect(summary.rollouts).toBeGreaterThan(0);
});

test("a world with fewer training tasks than the batch gets a smaller batch", async () => {
  const config = tinyConfig({ "algo.iterations": 1 });
  const large = { ...config, algo: { ...config.algo, tasksPerIteration: 500 } } as Config;
  await trainAndListen({ ...large, fitting: { share: 0.95, keep: [] } }, root);
  const { config: stored } = readRunRecord(root) as unknown as { config: Config };
  expect(stored.algo.tasksPerIteration).toBeLessThan(500);
});

test("a preview shows the limits that the run then has, and writes nothing", async () => {
  const preview = await previewRunWith(fakeMakers(), shortConfig(), { out: root });
  expect(readdirSync(root)).toEqual([]);
  const { fittings } = await trainAndListen(shortConfig(), root);
  const record = readRunRecord(root) as unknown as { config: Config };
  expect(fittings).toEqual([preview.fitting]);
  expect(preview.config.scaffold).toEqual(record.config.scaffold);
  const later = await previewRunWith(fakeMakers(), shortConfig(), { out: root });
  expect(later).toEqual({ config: record.config, fitting: preview.fitting });
});
