/** Tests the studio without a mouse, from the table of runs to the tokens of a rollout. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { TestStage } from "./stage.ts";
import { FILE, findInstructiveRollout, RUN, rolloutPath } from "./views.ts";
import { visit, waitUntilLoaded } from "./visit.ts";

export function keyboardTests(stage: () => TestStage): void {
  describe("with the keyboard only", () => {
    test("the first Tab skips the navigation, and every focused element is visible", async () => {
      await using visited = await visit(stage().browser, stage().studio, { path: "/" });
      const { page } = visited;
      await page.keyboard.press("Tab");
      expect(await focusedText(page)).toBe("Skip to the content");
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("main");
      for (let stop = 0; stop < 12; stop++) {
        await page.keyboard.press("Tab");
        expect({
          at: await focusedText(page),
          seen: await page.evaluate(IS_FOCUS_VISIBLE),
        }).toMatchObject({
          seen: true,
        });
      }
    });

    test("a run, its rollouts and one of them can be reached with Tab and Enter", async () => {
      await using visited = await visit(stage().browser, stage().studio, { path: "/" });
      const { page } = visited;
      await pressTabUntil(page, RUN);
      await page.keyboard.press("Enter");
      await page.getByRole("navigation", { name: "Parts of the run" }).waitFor();
      await pressTabUntil(page, "Explore");
      await page.keyboard.press("Enter");
      await page.getByRole("region", { name: "Rollouts that match" }).waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.waitForURL(/open=/);
      await waitUntilLoaded(page);
      expect(visited.complaints).toEqual([]);
    });

    test("a rollout has keys for its turns, its tokens, its neighbours and its group", async () => {
      const { id } = findInstructiveRollout(stage().runs);
      const path = rolloutPath(RUN, FILE, id);
      await using visited = await visit(stage().browser, stage().studio, { path });
      const { page } = visited;
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.keyboard.press("j");
      await page.waitForURL(/turn=0/);
      await page.keyboard.press("t");
      await page.getByRole("grid", { name: /tokens/i }).waitFor();
      await page.keyboard.press("t");
      await page.waitForURL((url) => !url.href.includes("tab=tokens"));
      // The tokens are most of a record, so they are loaded only when they are shown.
      expect(asked.filter((url) => url.endsWith("/tokens"))).toHaveLength(1);
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      const before = page.url();
      await page.keyboard.press("]");
      await page.waitForURL((url) => url.href !== before);
      // The rollout is still loading, so the key takes effect after it has loaded.
      await page.keyboard.press("g");
      await page.waitForURL(/\/groups\//);
      await waitUntilLoaded(page);
      await page.goBack();
      await page.waitForURL(/\/rollouts\//);
      expect(visited.complaints).toEqual([]);
    });

    test("Tab leaves the cell editor", async () => {
      const path = `${rolloutPath(RUN, FILE, findInstructiveRollout(stage().runs).id)}/fork/0`;
      await using visited = await visit(stage().browser, stage().studio, { path });
      const { page } = visited;
      await page.getByRole("textbox", { name: /next cell/ }).focus();
      await page.keyboard.insertText("1 + 1");
      await page.keyboard.press("Tab");
      expect(await focusedText(page)).toBe("Run the cell");
    });
  });
}

/** Whether the focused element has a size and is drawn as focused. */
const IS_FOCUS_VISIBLE = `(() => {
  const element = document.activeElement;
  const { width, height } = element.getBoundingClientRect();
  const { outlineStyle, boxShadow } = getComputedStyle(element);
  return width > 0 && height > 0 && (outlineStyle !== "none" || boxShadow !== "none");
})()`;

const focusedText = (page: Page) =>
  page.evaluate<string>(
    "(document.activeElement.innerText || document.activeElement.ariaLabel || '').trim()",
  );

/** Presses Tab until a link or button that contains `text` is focused. */
async function pressTabUntil(page: Page, text: string): Promise<void> {
  for (let stop = 0; stop < 80; stop++) {
    await page.keyboard.press("Tab");
    const shown = await page.evaluate<string>(
      "document.activeElement.matches('a, button') ? document.activeElement.innerText : ''",
    );
    if (shown.includes(text)) return;
  }
  throw new Error(`Tab does not lead to "${text}"`);
}
