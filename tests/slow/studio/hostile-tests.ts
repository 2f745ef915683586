/** Tests that hostile content of run files is shown as text, and that truncated and foreign files are handled. */
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addHostileRuns, HOSTILE_RUN_NAME, TRUNCATED_RUN_NAME } from "./hostile-runs.ts";
import { type StudioProcess, startStudio, type TestStage } from "./stage.ts";
import { FILE, filePath, groupPath, RUN, rolloutPath, runPath } from "./views.ts";
import { visit } from "./visit.ts";

/** Matches invisible characters, which must never be in the text of the page. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}]/u;

export function hostileTests(stage: () => TestStage): void {
  describe("a run with hostile content", () => {
    let studio: StudioProcess;
    let names: ReturnType<typeof addHostileRuns>;
    beforeAll(async () => {
      const runs = join(dirname(stage().runs), "hostile");
      mkdirSync(runs);
      cpSync(join(stage().runs, RUN), join(runs, RUN), { recursive: true });
      names = addHostileRuns(runs);
      studio = await startStudio(runs);
    });
    afterAll(async () => {
      await studio?.close();
    });

    const paths: Readonly<Record<string, () => string>> = {
      runs: () => "/",
      run: () => runPath(HOSTILE_RUN_NAME),
      file: () => filePath(HOSTILE_RUN_NAME, FILE),
      group: () => groupPath(HOSTILE_RUN_NAME, FILE, names.task),
      rollout: () => rolloutPath(HOSTILE_RUN_NAME, FILE, names.rollout),
      fork: () => `${rolloutPath(HOSTILE_RUN_NAME, FILE, names.rollout)}/fork/0`,
      behaviour: () => `${runPath(HOSTILE_RUN_NAME)}/behaviour`,
      overlay: () =>
        `/overlay?${new URLSearchParams([
          ["run", HOSTILE_RUN_NAME],
          ["run", RUN],
        ])}`,
    };

    test.each(Object.keys(paths))(
      "is shown as text and runs no script in the view %s",
      async (view) => {
        await using visited = await visit(stage().browser, studio, { path: paths[view]!() });
        const { page } = visited;
        await page.waitForTimeout(300);
        expect(await page.evaluate("window.hurt")).toBeUndefined();
        expect(await page.title()).toContain("Bowline");
        // The editor itself adds images beside its placeholder, so images in the editor are not counted.
        const inside =
          "main :is(script, iframe, img:not(.cm-widgetBuffer), style, [onerror], [onload], a[href^=javascript])";
        expect(await page.locator(inside).count()).toBe(0);
        expect(await page.locator("main").textContent()).not.toMatch(INVISIBLE);
        // The browser itself logs failed requests. Nothing else may be logged.
        const others = visited.complaints.filter(
          (one) => !one.startsWith("Failed to load resource"),
        );
        expect(others).toEqual([]);
      },
    );

    test("shows the record as it was written", async () => {
      await using visited = await visit(stage().browser, studio, { path: paths["rollout"]!() });
      const text = await visited.page.locator("main").innerText();
      expect(text).toContain("<script>window.hurt = 1</script>");
      expect(text).toContain("\\u001b");
      expect(text).toContain("\\u202e");
    });

    test("shows the complete part of truncated files", async () => {
      for (const path of [
        "/",
        runPath(TRUNCATED_RUN_NAME),
        filePath(TRUNCATED_RUN_NAME, FILE),
        filePath(TRUNCATED_RUN_NAME, "train-0009"),
      ]) {
        await using visited = await visit(stage().browser, studio, { path });
        expect(await visited.page.locator("main").innerText()).not.toMatch(/TypeError|undefined/);
      }
    });

    test("is listed beside foreign folders, which are broken runs and do not stop the server", async () => {
      const headers = { authorization: `Bearer ${studio.token}` };
      const get = (path: string) =>
        fetch(`http://127.0.0.1:${studio.port}/api/${path}`, { headers });
      const { runs } = (await (await get("runs")).json()) as {
        runs: { id: string; status: string; problem?: string }[];
      };
      for (const { id } of runs) {
        for (const rest of ["", "/metrics", "/grid", "/behaviour", "/files/passwd"]) {
          const { status } = await get(`runs/${encodeURIComponent(id)}${rest}`);
          expect({ id, rest, isBug: status >= 500 }).toEqual({ id, rest, isBug: false });
        }
      }
      expect(runs.find(({ id }) => id === "deep")?.status ?? "broken").toBe("broken");
      expect((await get("runs/smoke-seed1")).status).toBe(200);
    });

    test.each([
      "runs/..%2f..%2f..%2fetc",
      "runs/%2e%2e%2f",
      "runs/outside/files/passwd",
      "runs/smoke-seed1/files/..%2frun",
      "runs/smoke-seed1/files/..%2f..%2f..%2fetc%2fpasswd",
      "runs/smoke-seed1%00/files/train-0001",
      "runs/smoke-seed1/files/train-0001%00",
      "runs/loop%2fup%2fsmoke-seed1%2f..",
      "documents/..%2f..%2fetc%2fpasswd",
      "worlds/..%2f..%2fevil",
      "worlds/%2fetc%2fpasswd",
      "episodes/__proto__",
    ])("cannot be used to read files outside the folder: %s", async (path) => {
      const url = `http://127.0.0.1:${studio.port}/api/${path}`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${studio.token}` } });
      expect([400, 404]).toContain(answer.status);
      expect(await answer.text()).not.toMatch(/root:|"version":/);
    });
  });
}
