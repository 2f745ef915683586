/**
 * Asks the studio six questions of many rollouts, each in at most five actions from the list of runs, and compares the
 * answers with numbers that are computed here from the files of the runs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { type Rollout, rolloutSchema } from "../../../src/spec/index.ts";
import { RUN_NAMES, type TestStage } from "./stage.ts";
import { RUN } from "./views.ts";
import { visit } from "./visit.ts";

interface Played {
  readonly file: string;
  readonly rollout: Rollout;
}

function readRollouts(stage: TestStage, run: string): Played[] {
  const folder = join(stage.runs, run, "rollouts");
  const files = readdirSync(folder).filter((name) => /^(train|eval)-/.test(name));
  return files.flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => ({ file, rollout: rolloutSchema.parse(JSON.parse(line)) })),
  );
}

const hasPassed = ({ rollout: { evaluation } }: Played) =>
  evaluation?.passed === true && evaluation.finished;
const share = (rows: readonly Played[]) => rows.filter(hasPassed).length / rows.length;

/** Waits until the page says how many rollouts match. */
const waitForCount = (page: Page, matching: number) =>
  page.getByText(new RegExp(`^${matching} of \\d+ rollouts$`)).waitFor();

/** Opens the list of runs, chooses runs and goes to the explorer: one action for each run, and one more. */
async function explore(page: Page, runs: readonly string[]): Promise<void> {
  for (const run of runs) await page.getByLabel(`Select ${run} for comparison`).check();
  await page.getByRole("link", { name: /^Explore/ }).click();
  await page.getByRole("combobox", { name: "Query" }).waitFor();
}

const ask = (page: Page, query: string) =>
  page.getByRole("combobox", { name: "Query" }).fill(query);

export function exploreTests(stage: () => TestStage): void {
  const openRuns = () => visit(stage().browser, stage().studio, { path: "/" });

  describe("the explorer answers", () => {
    test("which rollouts met a refused call and finished anyway", async () => {
      const all = readRollouts(stage(), RUN);
      const statuses = all.flatMap(({ rollout }) =>
        rollout.turns.flatMap(({ calls }) => calls.map(({ status }) => status)),
      );
      const status = statuses.find((one) => one >= 400)!;
      const matching = all.filter(
        ({ rollout }) =>
          rollout.outcome === "finished" &&
          rollout.turns.some(({ calls }) => calls.some((call) => call.status === status)),
      );
      expect(matching.length).toBeGreaterThan(0);
      await using visited = await openRuns();
      const { page } = visited;
      await explore(page, [RUN]);
      await ask(page, `status:${status} outcome:finished`);
      await waitForCount(page, matching.length);
      // The keys lead from the table to the rollout.
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Turn 1" }).waitFor();
      expect(visited.complaints).toEqual([]);
    });

    test("what happened at an iteration, by a click on a chart", async () => {
      const matching = readRollouts(stage(), RUN).filter(({ file }) => file === "train-0010.jsonl");
      await using visited = await openRuns();
      const { page } = visited;
      await page.getByRole("link", { name: RUN }).click();
      const chart = page.locator(".chart-plot.leads .u-over").first();
      const { width, height } = (await chart.boundingBox())!;
      await chart.click({ position: { x: width - 2, y: height / 2 } });
      await waitForCount(page, matching.length);
      expect(page.url()).toContain("iteration%3A10");
    });

    test("why a task still fails: which check, and in which rollouts", async () => {
      const all = readRollouts(stage(), RUN).filter(({ file }) => file.startsWith("train-"));
      await using visited = await openRuns();
      const { page } = visited;
      await explore(page, [RUN]);
      await ask(page, "phase:train");
      await page.getByRole("button", { name: "By task" }).click();
      // What is typed is asked as soon as the user goes on, so that it replaces no address that is opened afterwards.
      expect(page.url()).toContain("phase%3Atrain");
      // The tasks of one run begin with those that it never solved.
      const row = page.locator(".explore-table tbody tr").first();
      const shareOfTask = (task: string) =>
        share(all.filter(({ rollout }) => rollout.task.id === task));
      const readTask = async () => (await row.locator("th").textContent())!.trim();
      const least = Math.min(
        ...[...new Set(all.map(({ rollout }) => rollout.task.id))].map(shareOfTask),
      );
      await expect.poll(async () => shareOfTask(await readTask())).toBe(least);
      const task = await readTask();
      const own = all.filter(({ rollout }) => rollout.task.id === task);
      expect(await row.textContent()).toContain(`${own.filter(hasPassed).length} of ${own.length}`);
      await row.getByRole("link").click();
      await page.waitForURL(/phase%3Atrain\+task%3A/);
    });

    test("on which tasks one run is better, with an interval about these runs", async () => {
      const [first, second] = RUN_NAMES.map((run) =>
        readRollouts(stage(), run).filter(({ file }) => file.startsWith("eval-after-")),
      );
      await using visited = await openRuns();
      const { page } = visited;
      await explore(page, RUN_NAMES);
      await ask(page, "phase:after");
      await waitForCount(page, first!.length + second!.length);
      await page.getByRole("button", { name: "By task" }).click();
      const text = (await page.getByText(/ minus /).textContent())!;
      const scenarios = new Set(first!.map(({ rollout }) => rollout.task.scenario));
      const differences = [...scenarios].map((scenario) => {
        const tasks = [...new Set(first!.map(({ rollout }) => rollout.task))].filter(
          (task) => task.scenario === scenario,
        );
        const ids = [...new Set(tasks.map(({ id }) => id))];
        const of = (rows: readonly Played[], id: string) =>
          share(rows.filter(({ rollout }) => rollout.task.id === id));
        const each = ids.map((id) => of(first!, id) - of(second!, id));
        return each.reduce((sum, one) => sum + one, 0) / each.length;
      });
      const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
      expect(text).toContain(`${Math.abs(mean * 100).toFixed(1)} points`);
      expect(text).toContain(`${scenarios.size} scenarios`);
      expect(text).toContain("not about their methods");
    });

    test("what it stopped doing, with numbers and an interval", async () => {
      const all = readRollouts(stage(), RUN);
      const of = (when: string) => all.filter(({ file }) => file.startsWith(`eval-${when}-`));
      await using visited = await openRuns();
      const { page } = visited;
      await explore(page, [RUN]);
      await page.getByRole("button", { name: "What changed" }).click();
      const finished = page.locator("tr", {
        has: page.getByRole("link", { name: "finished", exact: true }),
      });
      const count = (rows: readonly Played[]) =>
        rows.filter(({ rollout }) => rollout.outcome === "finished").length;
      const [before, after] = [count(of("before")), count(of("after"))];
      if (before === after) return;
      const text = (await finished.textContent())!;
      expect(text).toContain(`(${before})`);
      expect(text).toContain(`(${after})`);
      expect(text).toMatch(/\[[-\d.]+, [-\d.]+\]/);
    });

    test("a half-written query, which cannot be read yet, by completing it from the data", async () => {
      await using visited = await openRuns();
      const { page } = visited;
      await explore(page, [RUN]);
      await ask(page, "outcome:");
      await page.getByRole("alert").waitFor();
      await page.getByRole("option", { name: /^token-limit/ }).click();
      const matching = readRollouts(stage(), RUN).filter(
        ({ rollout }) => rollout.outcome === "token-limit",
      );
      await waitForCount(page, matching.length);
    });

    test("which rollouts contain a text", async () => {
      const all = readRollouts(stage(), RUN);
      const word = /\w{6,}/.exec(all[0]!.rollout.turns[0]!.observation)?.[0] ?? "print";
      const matching = all.filter(({ rollout }) =>
        rollout.turns.some(({ message, code, observation }) =>
          `${message}\n${code}\n${observation}`.toLowerCase().includes(word.toLowerCase()),
        ),
      );
      await using visited = await openRuns();
      const { page } = visited;
      await explore(page, [RUN]);
      await ask(page, word);
      await waitForCount(page, matching.length);
    });
  });
}
