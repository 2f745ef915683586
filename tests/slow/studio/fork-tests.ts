/** Tests forks of recorded rollouts, which are continued by hand in the editor and by the policy. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { TestStage } from "./stage.ts";
import { FILE, findInstructiveRollout, RUN, rolloutPath } from "./views.ts";
import {
  findAccessibilityViolations,
  pageScrollsSideways,
  type Visit,
  visit,
  waitUntilLoaded,
} from "./visit.ts";

export function forkTests(stage: () => TestStage): void {
  /** Opens a fork of a rollout in which the policy made a mistake, before its first turn. */
  const openFork = async (options: { readonly dark?: boolean; readonly width?: number } = {}) => {
    const { id } = findInstructiveRollout(stage().runs);
    const path = `${rolloutPath(RUN, FILE, id)}/fork/0`;
    const visited = await visit(stage().browser, stage().studio, { path, ...options });
    await visited.page.getByRole("heading", { name: /^Episode of/ }).waitFor();
    await waitUntilLoaded(visited.page);
    return visited;
  };

  describe("an episode", () => {
    test("is forked from a rollout at a turn, runs a typed cell and shows the evaluation", async () => {
      await using visited: Visit = await openFork();
      const { page } = visited;
      expect(await page.locator("main").innerText()).toContain("before its turn 1");
      await typeCell(page, 'console.log("typed by hand", apis.shelf.list({ box: "blue" }).length)');
      await page.keyboard.press("Control+Enter");
      await page.getByText(/^typed by hand \d/).waitFor();
      await page.getByRole("button", { name: "Evaluate now" }).click();
      await page.getByText(/^Not solved: \d+ of \d+ checks pass\.$/).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(visited.complaints).toEqual([]);
    });

    test("can be continued by the policy, with a summary of the rewards", async () => {
      await using visited: Visit = await openFork();
      const { page } = visited;
      await page.getByLabel("Continuations").fill("3");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("3 of 3, all finished").waitFor({ timeout: 60_000 });
      expect(await page.locator("main").innerText()).toMatch(/mean reward/);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(visited.complaints).toEqual([]);
    });

    test("has an editor that completes from the world's documentation", async () => {
      await using visited: Visit = await openFork();
      const { page } = visited;
      await typeCell(page, "");
      await page.keyboard.type("apis.");
      await page.locator(".cm-tooltip-autocomplete").getByText("shelf").waitFor();
      expect(visited.complaints).toEqual([]);
    });

    test.each([
      ["in dark mode", { dark: true }],
      ["on a narrow screen", { width: 390 }],
    ])("has no accessibility violations %s", async (_, look) => {
      await using visited: Visit = await openFork(look);
      await typeCell(visited.page, "console.log(1 + 1)");
      await visited.page.keyboard.press("Control+Enter");
      await visited.page.getByText("2", { exact: true }).first().waitFor();
      expect(await findAccessibilityViolations(visited.page)).toEqual([]);
      expect(await pageScrollsSideways(visited.page)).toBe(false);
      expect(visited.complaints).toEqual([]);
    });

    test("can be opened from a task and solved by hand", async () => {
      const path = "/worlds/toy/tasks/dev%2F0%2F1?seed=1";
      await using visited = await visit(stage().browser, stage().studio, { path });
      const { page } = visited;
      await page
        .getByRole("button", { name: /solve|open|play/i })
        .first()
        .click();
      await page.getByRole("heading", { name: /^Episode of/ }).waitFor();
      await typeCell(page, 'apis.me.finishTask({ answer: apis.shelf.list({ box: "green" })[0] })');
      await page.getByRole("button", { name: "Run the cell" }).click();
      await page
        .getByText(/The task is finished/)
        .first()
        .waitFor();
      await page.getByRole("button", { name: "Evaluate now" }).click();
      await page.getByText(/^Solved: /).waitFor();
      expect(visited.complaints).toEqual([]);
    });
  });
}

async function typeCell(page: Page, code: string): Promise<void> {
  await page.getByRole("textbox", { name: /next cell/ }).click();
  // The editor holds the cell of the record.
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  // The test inserts the code like pasted text, because the editor would add a closing bracket to every typed bracket.
  await page.keyboard.insertText(code);
}
