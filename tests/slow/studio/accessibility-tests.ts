/**
 * Looks with axe at what the list of views leaves out: dialogs, open rollouts, failed checks, a fork, the report and
 * pages of missing things. Each is looked at in light and dark.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { TestStage } from "./stage.ts";
import { FILE, findFailedRollout, RUN, rolloutPath, runPath } from "./views.ts";
import { findAccessibilityViolations, visit } from "./visit.ts";

interface Look {
  readonly name: string;
  readonly path: (runs: string) => string;
  /** Brings the page into the state that is looked at. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const explorePath = `/explore?run=${RUN}&q=passed:no`;

const LOOKS: readonly Look[] = [
  {
    name: "the list of keys",
    path: () => runPath(RUN),
    prepare: async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "the dialog of Ctrl-K",
    path: () => runPath(RUN),
    prepare: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.type("w");
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    name: "the explorer with an open rollout",
    path: () => explorePath,
    prepare: async (page) => {
      await page.getByRole("region", { name: "Rollouts that match" }).waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Turn 1" }).waitFor();
    },
  },
  {
    name: "the explorer with completions",
    path: () => explorePath,
    prepare: async (page) => {
      await page.getByRole("combobox", { name: "Query" }).fill("passed:no o");
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    name: "a rollout with failed checks",
    path: (runs) => rolloutPath(RUN, FILE, findFailedRollout(runs).id),
    prepare: (page) => page.getByText("✗").first().waitFor(),
  },
  {
    name: "a fork",
    path: (runs) => `${rolloutPath(RUN, FILE, findFailedRollout(runs).id)}/fork/0`,
    prepare: (page) => page.getByRole("heading", { name: /^Episode of/ }).waitFor(),
  },
  { name: "a run that is missing", path: () => runPath("none") },
];

export function accessibilityTests(stage: () => TestStage): void {
  describe("axe finds nothing in", () => {
    test.each(LOOKS)("$name", async ({ path, prepare }) => {
      const { browser, studio, runs } = stage();
      await using visited = await visit(browser, studio, { path: path(runs) });
      await prepare?.(visited.page);
      await expectNoViolations(visited.page);
    });

    test("the report of a run", async () => {
      await using context = await stage().browser.newContext();
      const page = await context.newPage();
      await page.goto(pathToFileURL(join(stage().runs, RUN, "report.html")).href);
      await page.locator("main h1").first().waitFor();
      await expectNoViolations(page);
    });
  });
}

async function expectNoViolations(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await findAccessibilityViolations(page), colorScheme).toEqual([]);
  }
}
