/**
 * Tests that the page follows a run in training: the numbers on the page change without a reload until the run is
 * finished.
 */
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type TestStage, trainSmoke } from "./stage.ts";
import { runPath } from "./views.ts";
import { visit } from "./visit.ts";

const LIVE_RUN = "live-seed3";
/** So many that the browser, which needs seconds to open a page, sees several of them. */
const ITERATIONS = 16;
const FINISHED = new RegExp(`finished iteration ${ITERATIONS} of ${ITERATIONS}`, "i");
const AT_ITERATION = new RegExp(`iteration\\s+(\\d+)\\s+of\\s+${ITERATIONS}`, "i");

export function liveTests(stage: () => TestStage): void {
  test("the page shows the progress of a run in training until it is finished", async () => {
    let child: ChildProcess | undefined;
    const onStart = (started: ChildProcess) => {
      child = started;
    };
    const fields = ["--algo.iterations", String(ITERATIONS), "--warm.demonstrations", "640"];
    const finished = trainSmoke(join(stage().runs, LIVE_RUN), 3, onStart, fields);
    try {
      await using table = await visit(stage().browser, stage().studio, { path: "/" });
      const row = table.page.getByRole("row", { name: new RegExp(LIVE_RUN) });
      await row.getByText("running").waitFor({ timeout: 60_000 });

      await using visited = await visit(stage().browser, stage().studio, {
        path: runPath(LIVE_RUN),
      });
      const { page } = visited;
      await page.evaluate("window.stayed = true");
      const seen = await collectShownIterations(page.locator("main"));
      expect(seen.length).toBeGreaterThan(1);
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
      await page.getByText(FINISHED).waitFor({ timeout: 60_000 });
      expect(await page.evaluate("window.stayed")).toBe(true);
      expect(visited.complaints).toEqual([]);

      await row.getByText("finished").waitFor({ timeout: 30_000 });
      expect(table.complaints).toEqual([]);
      expect((await finished).code).toBe(0);
    } finally {
      child?.kill();
      await finished;
    }
  });

  describe("a server that does not answer", () => {
    test("is reported on the page", async () => {
      await using visited = await visit(stage().browser, stage().studio, { path: "/" });
      await visited.page.context().setOffline(true);
      await visited.go(runPath("smoke-seed1"));
      await visited.page
        .getByRole("alert")
        .getByText(/server does not answer/)
        .waitFor();
    });
  });
}

interface TextSource {
  innerText(): Promise<string>;
}

/** Collects the iteration numbers that the page shows one after the other until the run is finished. */
async function collectShownIterations(main: TextSource): Promise<number[]> {
  const seen: number[] = [];
  const end = Date.now() + 180_000;
  while (Date.now() < end) {
    const text = await main.innerText();
    const number = Number(AT_ITERATION.exec(text)?.[1] ?? 0);
    if (number > 0 && seen.at(-1) !== number) seen.push(number);
    if (FINISHED.test(text)) return seen;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(
    `the page did not show that the run finished; it showed the iterations ${seen.join(" ")}`,
  );
}
