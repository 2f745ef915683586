/**
 * Tests the views of unusual runs and of results, as on a machine where the kernels of the engine are not installed.
 */
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
/** The first rollout of the second iteration, which every fake run has. */
const ROLLOUT_ID = "2/0/0";

/** Views with texts that they must show. */
const EXPECTED_TEXTS: Readonly<
  Record<string, readonly [path: string, ...shows: (string | RegExp)[]]>
> = {
  "a run with prices": [runPath("priced"), /cost\s+0\.\d\d/, /0\.\d\d of 1\.00 spent/],
  "the configuration of a run with prices": [
    `${runPath("priced")}?view=configuration&q=e`,
    "budget.ceiling",
    /rewards\s+\[\]/,
  ],
  "a rollout with a rewritten context": [
    rolloutPath("summary", TRAIN_FILE, "2/1/0"),
    "wrote its summary",
  ],
  "the group of a rollout with a rewritten context": [
    groupPath("summary", TRAIN_FILE, "train/0/0"),
    "summary",
    "said yes",
  ],
  "the second token row of a rewritten context": [
    `${rolloutPath("summary", TRAIN_FILE, "2/1/0")}?tab=tokens&row=1`,
    /turn 4/,
  ],
  "a rollout with a simulated user": [
    rolloutPath("cast", TRAIN_FILE, ROLLOUT_ID),
    "user says",
    "the policy also played",
  ],
  "the tokens of a simulated user": [
    `${rolloutPath("cast", TRAIN_FILE, ROLLOUT_ID)}?tab=tokens&row=1`,
    /2 of 2, user/,
    /turn 1/,
  ],
  "a rollout with a memory": [
    rolloutPath("memory", TRAIN_FILE, ROLLOUT_ID),
    /remembered\s+\d+ items?/,
    "attempt 1.00",
  ],
  "a rollout of a custom agent": [
    rolloutPath("agent", TRAIN_FILE, ROLLOUT_ID),
    "2, with 3 answers",
    "cannot be replayed",
  ],
  "the reward of a custom agent": [
    `${rolloutPath("agent", TRAIN_FILE, ROLLOUT_ID)}?tab=state`,
    /a reward of \d\.\d\d of 1/,
  ],
  "the record of a custom agent": [
    `${rolloutPath("agent", TRAIN_FILE, ROLLOUT_ID)}?tab=raw`,
    '"session"',
    '"segments"',
  ],
  "the habits of a custom agent": [`${runPath("agent")}/behaviour`, "Not observed"],
  "the list of results": ["/documents", "starter, ei", "solution on dev", /cores/],
  "the result of a comparison": ["/documents/compare.json", "TGC minus that of starter", /\+20\.0/],
  "the result of an evaluation": ["/documents/eval.json", "difficulty 1", /\[30, 70\]/],
  "the result of a diagnosis": ["/documents/doctor.json", "kernels", "not there"],
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
  describe("unusual runs on a machine without kernels", () => {
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

    test.each(Object.keys(EXPECTED_TEXTS))(
      "show the expected content in the view %s",
      async (name) => {
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
      },
    );

    test("offer no fork of a rollout that cannot be replayed", async () => {
      const path = rolloutPath("agent", TRAIN_FILE, ROLLOUT_ID);
      await using visited = await visit(stage().browser, studio, { path });
      await visited.page.getByText(/cannot be replayed/).waitFor();
      expect(await visited.page.getByText("Continue from here").count()).toBe(0);
    });

    test("show the checks of a test split only on request", async () => {
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

    test("report missing kernels where they are needed, and work otherwise", async () => {
      const path = `${rolloutPath(RUN, FILE, findInstructiveRollout(stage().runs).id)}/fork/0`;
      await using visited = await visit(stage().browser, studio, { path });
      const { page } = visited;
      await page.getByRole("heading", { name: /^Episode of/ }).waitFor();
      await page.locator("nav [aria-current=page]", { hasText: "Runs" }).waitFor();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText(/onnxruntime-node is not installed; install them with/).waitFor();
      await page.getByRole("button", { name: "Evaluate now" }).click();
      await page.getByText(/^Not solved/).waitFor();
      await visited.go("/");
      await page.getByText("Start a run", { exact: true }).click();
      await page.getByRole("combobox", { name: "Setting", exact: true }).fill("smoke");
      await page.getByRole("button", { name: "Start" }).click();
      const problem = page.getByRole("alert").getByText(/onnxruntime-node is not installed/);
      await problem.waitFor({ timeout: 60_000 });
    });
  });
}
