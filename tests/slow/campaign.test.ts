/** Runs the campaign for a minute, with another seed every day. A whole sweep runs it for five minutes. */
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { ROOT, runCommand } from "../e2e/support/cli.ts";
import { sweepSize } from "../support/sweep.ts";

vi.setConfig({ testTimeout: 1_200_000 });

const CAMPAIGN = fileURLToPath(new URL("../campaign/campaign.ts", import.meta.url));
const USE_BUILD = new URL("../campaign/use-build.mjs", import.meta.url).href;
const DAY_MS = 86_400_000;

const runCampaign = (...words: string[]) =>
  runCommand(process.execPath, ["--import", "tsx", "--import", USE_BUILD, CAMPAIGN, ...words], {
    cwd: ROOT,
  });

test("a campaign finds nothing", async () => {
  const seed = Math.floor(Date.now() / DAY_MS);
  const { code, stdout, stderr } = await runCampaign(
    "--seed",
    String(seed),
    "--minutes",
    String(sweepSize(1, 5)),
  );
  const summary = JSON.parse(stdout.trimEnd().split("\n").at(-1)!);
  console.log(JSON.stringify(summary));
  expect({ code, stderr, failures: summary.failures }).toEqual({
    code: 0,
    stderr: "",
    failures: [],
  });
  expect(Object.keys(summary.parts).sort()).toEqual(
    ["api", "body", "crash", "disk", "http", "model", "run", "sandbox", "tinker"].sort(),
  );
});

test("one case runs again by its seed and number, and a wrong part is named", async () => {
  const once = await runCampaign("--part", "api", "--seed", "3", "--case", "7");
  const again = await runCampaign("--part", "api", "--seed", "3", "--case", "7");
  expect(once).toEqual(again);
  expect(JSON.parse(once.stdout)).toMatchObject({ part: "api", seed: 3, case: 7, failures: [] });
  const some = await runCampaign("--part", "api", "--seed", "3", "--case", "7", "--steps", "0,2");
  expect(JSON.parse(some.stdout).counts.calls).toBe(2);
  const wrong = await runCampaign("--part", "apj");
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(
    /^error: --part: expected one of .* got apj \(did you mean api\?\)\n$/,
  );
});
