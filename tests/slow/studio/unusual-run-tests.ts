/** Runs of other shapes than most, results beside them, a machine without kernels: each is shown, and what it lacks is said. */
import { cpSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../e2e/support/cli.ts";
import { fakeArm, fakeComparison } from "../../support/fake-comparison.ts";
import { type StudioProcess, startStudio, type TestStage } from "./stage.ts";
import { makeUnusualRuns } from "./unusual-runs.ts";
import {
  FILE,
  filePath,
  findInstructiveRollout,
  groupPath,
  RUN,
  rolloutPath,
  runPath,
} from "./views.ts";
import { findAccessibilityViolations, pageScrollsSideways, visit } from "./visit.ts";

const TRAIN_FILE = "train-0002";
const TEST_FILE = "eval-after-test-normal-greedy";
/** The second iteration's first rollout: every run of fakes has it. */
const ROLLOUT_ID = "2/0/0";

/** What stands on each of these views only if it shows what it is for. */
const EXPECTED_TEXTS: Readonly<
  Record<string, readonly [path: string, ...shows: (string | RegExp)[]]>
> = {
  "a run with prices": [runPath("priced"), /cost\s+0\.\d\d/, /0\.\d\d of 1\.00 spent/],
  "its configuration": [
    `${runPath("priced")}?view=configuration&q=e`,
    "budget.ceiling",
    /rewards\s+\[\]/,
  ],
  "a context that is rewritten": [rolloutPath("summary", TRAIN_FILE, "2/1/0"), "wrote its summary"],
  "its group": [groupPath("summary", TRAIN_FILE, "train/0/0"), "summary", "said yes"],
  "its second row": [`${rolloutPath("summary", TRAIN_FILE, "2/1/0")}?tab=tokens&row=1`, /turn 4/],
  "a part that a user plays": [
    rolloutPath("cast", TRAIN_FILE, ROLLOUT_ID),
    "user says",
    "the policy also played",
  ],
  "its tokens": [
    `${rolloutPath("cast", TRAIN_FILE, ROLLOUT_ID)}?tab=tokens&row=1`,
    /2 of 2, user/,
    /turn 1/,
  ],
  "what was remembered": [
    rolloutPath("memory", TRAIN_FILE, ROLLOUT_ID),
    /remembered\s+\d+ items?/,
    "attempt 1.00",
  ],
  "an agent of one's own": [
    rolloutPath("agent", TRAIN_FILE, ROLLOUT_ID),
    "2, with 3 answers",
    "cannot be replayed",
  ],
  "what its owner paid": [
    `${rolloutPath("agent", TRAIN_FILE, ROLLOUT_ID)}?tab=state`,
    /Its owner paid \d\.\d\d of 1/,
  ],
  "its record": [
    `${rolloutPath("agent", TRAIN_FILE, ROLLOUT_ID)}?tab=raw`,
    '"session"',
    '"segments"',
  ],
  "its habits": [`${runPath("agent")}/behaviour`, "None is counted here"],
  results: ["/documents", "starter, ei", "solution on dev", /cores/],
  "a comparison": ["/documents/compare.json", "TGC to starter", /\+20\.0/],
  "an evaluation": ["/documents/eval.json", "difficulty 1", /\[30, 70\]/],
  "a diagnosis": ["/documents/doctor.json", "kernels", "not there"],
};

const DOCUMENTS = {
  "compare.json": fakeComparison([fakeArm("starter", [0.5, 0.6]), fakeArm("ei", [0.7, 0.8])]),
  "eval.json": {
    ...{ policy: "solution", world: "toy", split: "dev", seed: 3, tgc: 0.5, sgc: 0.25 },
    ...{ tgcInterval: [0.3, 0.7], tasks: 12, scenarios: 4, reward: 0.75 },
    byDifficulty: { "1": { tgc: 0.5, sgc: 0.25, tasks: 12, share: 1 } },
    behaviour: { turns: 1.5 },
  },
  "doctor.json": {
    ...{ bowline: "1.0.0", node: "v20", platform: "linux-x64", cpu: "x", cores: 2, memoryMb: 4096 },
    kernels: { installed: false, problem: "not there" },
  },
};

export function unusualRunTests(stage: () => TestStage): void {
  describe("what is not like most, on a machine without kernels", () => {
    let studio: StudioProcess;
    beforeAll(async () => {
      const runs = join(dirname(stage().runs), "odd");
      await makeUnusualRuns(runs);
      cpSync(join(stage().runs, RUN), join(runs, RUN), { recursive: true });
      for (const [name, value] of Object.entries(DOCUMENTS)) {
        writeFileSync(join(runs, name), JSON.stringify(value));
      }
      const hook = join(ROOT, "tests", "support", "no-kernels.mjs");
      studio = await startStudio(runs, { NODE_OPTIONS: `--import=${hook}` });
    });
    afterAll(async () => {
      await studio?.close();
    });

    test.each(Object.keys(EXPECTED_TEXTS))("%s", async (name) => {
      const [path, ...shows] = EXPECTED_TEXTS[name]!;
      await using visited = await visit(stage().browser, studio, { path });
      const { page } = visited;
      for (const text of shows) {
        await expect
          .poll(() => page.locator("main").innerText(), { timeout: 15_000 })
          .toMatch(text);
      }
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 900 });
      expect(await pageScrollsSideways(page)).toBe(false);
      expect(visited.complaints).toEqual([]);
    });

    test("what cannot be replayed cannot be forked", async () => {
      const path = rolloutPath("agent", TRAIN_FILE, ROLLOUT_ID);
      await using visited = await visit(stage().browser, studio, { path });
      await visited.page.getByText(/cannot be replayed/).waitFor();
      expect(await visited.page.getByText("Continue from here").count()).toBe(0);
    });

    test("checks of a test split are shown to those who ask", async () => {
      await using visited = await visit(stage().browser, studio, {
        path: filePath(RUN, TEST_FILE),
      });
      const { page } = visited;
      await page.locator(".group-table tbody a").first().click();
      const ask = page.getByRole("button", { name: "Show the checks" });
      await ask.waitFor();
      expect(await page.getByText("nothing else changed").count()).toBe(0);
      await ask.click();
      await page.getByText("nothing else changed").waitFor();
      await page.locator(".matrix a").first().click();
      await ask.click();
      await page.getByRole("cell", { name: "nothing else changed" }).waitFor();
      expect(visited.complaints).toEqual([]);
    });

    test("what needs kernels says so, and the rest goes on", async () => {
      const path = `${rolloutPath(RUN, FILE, findInstructiveRollout(stage().runs).id)}/fork/0`;
      await using visited = await visit(stage().browser, studio, { path });
      const { page } = visited;
      await page.getByRole("heading", { name: /^Episode of/ }).waitFor();
      await page.locator("nav [aria-current=page]", { hasText: "Runs" }).waitFor();
      await page.getByRole("button", { name: "Go on" }).click();
      await page.getByText(/onnxruntime-node is not installed; install them with/).waitFor();
      await page.getByRole("button", { name: "Evaluate now" }).click();
      await page.getByText(/^Not solved/).waitFor();
      await visited.go("/");
      await page.getByText("Start a run", { exact: true }).click();
      await page.getByLabel("Setting").fill("smoke");
      await page.getByRole("button", { name: "Start" }).click();
      const problem = page.getByRole("alert").getByText(/onnxruntime-node is not installed/);
      await problem.waitFor({ timeout: 60_000 });
    });
  });
}
