/**
 * Tests the table of runs with configuration columns, groups, notes and tags, what the pages say of files that cannot
 * be read, and that a fork is opened again by another studio.
 */
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RUN_NAMES, startStudio, type TestStage } from "./stage.ts";
import { FILE, findInstructiveRollout, RUN, rolloutPath, runPath } from "./views.ts";
import { findAccessibilityViolations, pageScrollsSideways, visit } from "./visit.ts";

export function runsTests(stage: () => TestStage): void {
  const openRuns = (path = "/") => visit(stage().browser, stage().studio, { path });
  const removeOwnFiles = () => rmSync(join(stage().runs, ".bowline"), { recursive: true });

  describe("the table of runs", () => {
    test("has columns and groups of the configuration, which the address keeps", async () => {
      await using visited = await openRuns();
      const { page } = visited;
      await page.getByText("Columns", { exact: true }).click();
      await page.getByRole("checkbox", { name: "run.seed" }).check();
      await page.getByRole("columnheader", { name: "run.seed" }).waitFor();
      await page.getByRole("combobox", { name: "Group by" }).selectOption("config:run.seed");
      await page.getByRole("button", { name: "2", exact: true }).click();
      await page.getByRole("link", { name: RUN_NAMES[1] }).waitFor();
      expect(await page.getByRole("link", { name: RUN_NAMES[0] }).count()).toBe(0);
      const summary = JSON.parse(
        readFileSync(join(stage().runs, RUN_NAMES[1], "summary.json"), "utf8"),
      );
      const score = (100 * summary.after["test-normal"].tgc).toFixed(1);
      const group = page.getByRole("row").filter({ has: page.getByRole("button", { name: "2" }) });
      await group.getByText(`TGC test-normal, n = 1: ${score}`).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.reload();
      await page.getByRole("columnheader", { name: "run.seed" }).waitFor();
      await page.getByRole("link", { name: RUN_NAMES[1] }).waitFor();
      expect(visited.complaints).toEqual([]);
    });

    test("shows notes and tags, which filter it, and which lie beside the run", async () => {
      await using visited = await openRuns(runPath(RUN));
      const { page } = visited;
      await page.getByRole("button", { name: "Add a note or tags" }).click();
      await page.getByLabel(/^Tags/).fill("basis, good");
      await page.getByRole("textbox", { name: "Note" }).fill("the first that learned");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("the first that learned").waitFor();
      const kept = readFileSync(join(stage().runs, ".bowline", RUN, "notes.json"), "utf8");
      expect(JSON.parse(kept)).toEqual({ tags: ["basis", "good"], note: "the first that learned" });
      await page.getByRole("link", { name: "good" }).click();
      await page.getByText(/^1 of \d+ runs$/).waitFor();
      await page.getByText("the first that learned").waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(visited.complaints).toEqual([]);
      removeOwnFiles();
    });
  });

  describe("what cannot be read", () => {
    test("is said: runs that lie too deep, and damaged lines, with what to do", async () => {
      const { runs } = stage();
      const [deep, damaged] = [join(runs, "a", "b", "c", "deep"), join(runs, "damaged")];
      mkdirSync(join(deep, ".."), { recursive: true });
      for (const copy of [deep, damaged]) cpSync(join(runs, RUN), copy, { recursive: true });
      appendFileSync(join(damaged, "rollouts", `${FILE}.jsonl`), 'nonsense\n{"half');
      try {
        await using visited = await openRuns();
        const { page } = visited;
        await page.getByText(/1 run not listed.*it lies deeper: a\/b\/c\/deep/).waitFor();
        await visited.go(runPath("damaged"));
        await page.getByText("1 file cannot be read completely").waitFor();
        const note = page.getByRole("region", { name: "Damaged files" });
        expect(await note.innerText()).toMatch(/1 line cannot be read, and it ends in the middle/);
        expect(await findAccessibilityViolations(page)).toEqual([]);
        expect(visited.complaints).toEqual([]);
      } finally {
        for (const name of ["a", "damaged"]) rmSync(join(runs, name), { recursive: true });
      }
    });
  });

  describe("a fork", () => {
    test("is kept with its continuations, and another studio opens it at the same address", async () => {
      const { id, turns } = findInstructiveRollout(stage().runs);
      const path = `${rolloutPath(RUN, FILE, id)}/fork/0`;
      await using visited = await openRuns(path);
      const { page } = visited;
      await page.getByRole("heading", { name: /^Episode of/ }).waitFor();
      const shown = await page.locator(".cm-content").innerText();
      expect(shown.replace(/\s/g, "")).toBe(turns[0]!.code.replace(/\s/g, ""));
      await page.getByRole("button", { name: "Run the cell" }).click();
      await page.getByText("This fork is kept").waitFor();
      await page.getByLabel("Continuations").fill("2");
      await page.getByRole("button", { name: "Continue", exact: true }).click();
      await page.getByText("2 of 2, all finished").waitFor({ timeout: 60_000 });
      await page.getByLabel("The record").first().waitFor();
      const said = await page.getByLabel("Continuation 1", { exact: true }).innerText();
      await page.waitForURL(/fork=/);
      const kept = page.url().split("#")[1]!;
      expect(visited.complaints).toEqual([]);

      const other = await startStudio(stage().runs);
      try {
        await using again = await visit(stage().browser, other, { path: kept });
        await again.page.getByText("Earlier continuations, which are kept").waitFor();
        const first = again.page.getByLabel("Continuation 1", { exact: true });
        await expect.poll(() => first.innerText()).toBe(said);
        expect(await findAccessibilityViolations(again.page)).toEqual([]);
        expect(await pageScrollsSideways(again.page)).toBe(false);
        await again.go(`${runPath(RUN)}?view=forks`);
        await again.page.getByText("2 continuations").waitFor();
        await again.go(rolloutPath(RUN, FILE, id));
        await again.page.getByRole("region", { name: "Forks of this rollout" }).waitFor();
      } finally {
        await other.close();
        removeOwnFiles();
      }
    });
  });
}
