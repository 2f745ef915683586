/** Tests a run that is started, followed, stopped and resumed on the page, without a terminal. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findRunOwner } from "../../../src/train/index.ts";
import { startStudio, type TestStage } from "./stage.ts";
import { findAccessibilityViolations, visit } from "./visit.ts";

const RUN_NAME = "from-the-page";
/** Fields of a run that reaches training within seconds and does not end during the test. */
const FIELDS = [
  "warm.demonstrations=64",
  "evaluation.scenarios=1",
  "algo.tasksPerIteration=4",
  "algo.iterations=2000",
];

export function startTests(stage: () => TestStage): void {
  describe("a run that is started from the page", () => {
    test("shows its training, and can be stopped and resumed", async () => {
      await using _ = { [Symbol.asyncDispose]: () => stopAndWait(stage()) };
      await using visited = await visit(stage().browser, stage().studio, { path: "/" });
      const { page } = visited;
      const main = page.locator("main");
      await page.getByText("Start a run", { exact: true }).click();
      await page.getByRole("combobox", { name: "Setting", exact: true }).fill("smoke");
      await page.getByLabel("Name").fill(RUN_NAME);
      await page.getByLabel("Fields").fill("algo.groupsize=4");
      await page.getByRole("button", { name: "Start" }).click();
      const refusal = page.getByRole("alert");
      await refusal
        .getByText("unknown field algo.groupsize (did you mean algo.groupSize?)")
        .waitFor({
          timeout: 60_000,
        });
      expect(await findAccessibilityViolations(page)).toEqual([]);

      await page.getByLabel("Fields").fill(FIELDS.join("\n"));
      await page.getByRole("button", { name: "Start" }).click();
      await page.waitForURL(new RegExp(`#/runs/${RUN_NAME}$`), { timeout: 60_000 });
      await page
        .getByText(/Training iteration ([3-9]|\d\d+) of 2000/)
        .waitFor({ timeout: 180_000 });
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await pressStop(page);
      const stoppedAt = readIteration(await main.innerText());

      await page.getByText("Output of the training process").click();
      await page.getByText(/stopped; nothing is lost/).waitFor();
      await page.getByRole("button", { name: "Resume" }).click();
      await expect
        .poll(async () => readIteration(await main.innerText()), { timeout: 120_000 })
        .toBeGreaterThan(stoppedAt);
      await pressStop(page);
      // The browser itself logs refused requests. Nothing else may be logged.
      const others = visited.complaints.filter((one) => !one.startsWith("Failed to load resource"));
      expect(others).toEqual([]);
    });

    test("continues when the studio ends, which prints how to stop it", async () => {
      const folder = join(dirname(stage().runs), "own");
      mkdirSync(folder);
      const studio = await startStudio(folder);
      const asked = { setting: "smoke", method: "loop", seed: 1, name: RUN_NAME };
      const answer = await fetch(`http://127.0.0.1:${studio.port}/api/runs`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${studio.token}`,
          "content-type": "application/json",
        },
        body: JSON.stringify(asked),
      });
      expect(await answer.json()).toEqual({ run: RUN_NAME });
      const { stderr } = await studio.close();
      const pid = /from-the-page is still training; to stop it: kill -INT (\d+)/.exec(stderr)?.[1];
      expect(findRunOwner(join(folder, RUN_NAME))?.pid).toBe(Number(pid));
      process.kill(Number(pid), "SIGINT");
      await expect
        .poll(() => findRunOwner(join(folder, RUN_NAME)), { timeout: 60_000 })
        .toBeUndefined();
    });
  });
}

/** Stops the run and waits for its end, because a training process would outlive the studio. */
async function stopAndWait({ studio: { port, token } }: TestStage): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const url = `http://127.0.0.1:${port}/api/runs/${RUN_NAME}`;
  await fetch(`${url}/stop`, { method: "POST", headers, body: "{}" });
  const fetchTrainer = async () => (await fetch(`${url}/trainer`, { headers })).text();
  await expect.poll(fetchTrainer, { timeout: 120_000 }).not.toMatch(/"state":"(running|stopping)"/);
}

async function pressStop(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor({ timeout: 120_000 });
}

const readIteration = (text: string) =>
  Number(/iteration\s+(\d+)\s+of\s+2000/i.exec(text)?.[1] ?? 0);
