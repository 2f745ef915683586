/**
 * Tests the studio in a real browser on real runs: every view, its accessibility, and protection against hostile data.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawCases } from "../support/sweep.ts";
import { accessibilityTests } from "./studio/accessibility-tests.ts";
import { exploreTests } from "./studio/explore-tests.ts";
import { forkTests } from "./studio/fork-tests.ts";
import { hostileTests } from "./studio/hostile-tests.ts";
import { keyboardTests } from "./studio/keyboard-tests.ts";
import { liveTests } from "./studio/live-tests.ts";
import { runsTests } from "./studio/runs-tests.ts";
import { openTestStage, type TestStage } from "./studio/stage.ts";
import { startTests } from "./studio/start-tests.ts";
import { unusualRunTests } from "./studio/unusual-run-tests.ts";
import { listViews, type ViewCase } from "./studio/views.ts";
import { findAccessibilityViolations, pageScrollsSideways, visit } from "./studio/visit.ts";
import { findChromium, NO_CHROMIUM } from "./support/chromium.ts";

const isChromiumMissing = findChromium() === undefined;
if (isChromiumMissing) console.log(`the studio's browser tests are skipped: ${NO_CHROMIUM}`);

const VIEW_NAMES = [
  "runs",
  "run",
  "run-grid",
  "explore",
  "explore-tasks",
  "explore-changes",
  "run-configuration",
  "run-forks",
  "file",
  "group",
  "rollout",
  "rollout-tokens",
  "rollout-state",
  "rollout-raw",
  "overlay",
  "behaviour",
  "worlds",
  "world",
  "world-app",
  "world-table",
  "world-tasks",
  "world-task",
  "documents",
] as const;

/** The views that are also tested in dark mode and on a narrow screen. */
const DRAWN_VIEWS = drawCases(VIEW_NAMES, 0.25);

describe.skipIf(isChromiumMissing)(
  isChromiumMissing ? `the studio (skipped: ${NO_CHROMIUM})` : "the studio",
  () => {
    let stage: TestStage;
    let views: ReadonlyMap<string, ViewCase>;
    beforeAll(async () => {
      stage = await openTestStage();
      views = new Map(listViews(stage.runs).map((view) => [view.name, view]));
      // Two runs are trained here, which takes minutes on a busy machine.
    }, 900_000);
    afterAll(() => stage?.close());

    describe.each(VIEW_NAMES)("the view %s", (name) => {
      const isDrawn = DRAWN_VIEWS.includes(name);
      test("shows its content without errors, warnings or accessibility violations", async () => {
        const view = views.get(name)!;
        await using visited = await visit(stage.browser, stage.studio, { path: view.path });
        const main = visited.page.locator("main");
        for (const text of view.shows)
          await expect.poll(() => main.innerText(), { timeout: 15_000 }).toMatch(text);
        expect(await visited.page.locator("main [role=alert]").allInnerTexts()).toEqual([]);
        expect(await visited.page.locator("h1").count()).toBe(1);
        expect(await findAccessibilityViolations(visited.page)).toEqual([]);
        expect(visited.complaints).toEqual([]);
      });

      test.runIf(isDrawn)("has no accessibility violations in dark mode", async () => {
        const { path } = views.get(name)!;
        await using visited = await visit(stage.browser, stage.studio, { path, dark: true });
        expect(await findAccessibilityViolations(visited.page)).toEqual([]);
      });

      test.runIf(isDrawn)("scrolls wide content but not the page on a narrow screen", async () => {
        const { path } = views.get(name)!;
        await using visited = await visit(stage.browser, stage.studio, { path, width: 390 });
        expect(await pageScrollsSideways(visited.page)).toBe(false);
        expect(await findAccessibilityViolations(visited.page)).toEqual([]);
        expect(visited.complaints).toEqual([]);
      });
    });

    accessibilityTests(() => stage);
    keyboardTests(() => stage);
    exploreTests(() => stage);
    forkTests(() => stage);
    hostileTests(() => stage);
    liveTests(() => stage);
    runsTests(() => stage);
    startTests(() => stage);
    unusualRunTests(() => stage);
  },
);
