/** What a run's files say is shown as text, and files that are torn or foreign are said to be so. */
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addHostile, HOSTILE_RUN, TORN_RUN } from "./hostile.ts";
import { type Served, type Stage, serve } from "./stage.ts";
import { FILE, fileAt, groupAt, RUN, rolloutAt, runAt } from "./views.ts";
import { visit } from "./visit.ts";

/** Shown text as it stands in the document: what may never be among it. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}]/u;

export function hostileTests(stage: () => Stage): void {
  describe("a run that means harm", () => {
    let studio: Served;
    let names: ReturnType<typeof addHostile>;
    beforeAll(async () => {
      const runs = join(dirname(stage().runs), "hostile");
      mkdirSync(runs);
      cpSync(join(stage().runs, RUN), join(runs, RUN), { recursive: true });
      names = addHostile(runs);
      studio = await serve(runs);
    });
    afterAll(async () => {
      await studio?.close();
    });

    const places: Readonly<Record<string, () => string>> = {
      runs: () => "/",
      run: () => runAt(HOSTILE_RUN),
      file: () => fileAt(HOSTILE_RUN, FILE),
      group: () => groupAt(HOSTILE_RUN, FILE, names.task),
      rollout: () => rolloutAt(HOSTILE_RUN, FILE, names.rollout),
      fork: () => `${rolloutAt(HOSTILE_RUN, FILE, names.rollout)}/fork/0`,
      behaviour: () => `${runAt(HOSTILE_RUN)}/behaviour`,
      overlay: () =>
        `/overlay?${new URLSearchParams([
          ["run", HOSTILE_RUN],
          ["run", RUN],
        ])}`,
    };

    test.each(Object.keys(places))("%s: nothing of it runs, all of it is text", async (place) => {
      await using visited = await visit(stage().browser, studio, { path: places[place]!() });
      const { page } = visited;
      await page.waitForTimeout(300);
      expect(await page.evaluate("window.hurt")).toBeUndefined();
      expect(await page.title()).toContain("Bowline");
      // The editor's own pictures stand beside its placeholder.
      const inside =
        "main :is(script, iframe, img:not(.cm-widgetBuffer), style, [onerror], [onload], a[href^=javascript])";
      expect(await page.locator(inside).count()).toBe(0);
      expect(await page.locator("main").textContent()).not.toMatch(UNSEEN);
      // An answer that is an error is logged by the browser itself; nothing else may be.
      const others = visited.complaints.filter((one) => !one.startsWith("Failed to load resource"));
      expect(others).toEqual([]);
    });

    test("the record stands there as it was written", async () => {
      await using visited = await visit(stage().browser, studio, { path: places["rollout"]!() });
      const text = await visited.page.locator("main").innerText();
      expect(text).toContain("<script>window.hurt = 1</script>");
      expect(text).toContain("\\u001b");
      expect(text).toContain("\\u202e");
    });

    test("torn files show what is whole", async () => {
      for (const path of [
        "/",
        runAt(TORN_RUN),
        fileAt(TORN_RUN, FILE),
        fileAt(TORN_RUN, "train-0009"),
      ]) {
        await using visited = await visit(stage().browser, studio, { path });
        expect(await visited.page.locator("main").innerText()).not.toMatch(/TypeError|undefined/);
      }
    });

    test("foreign files are broken runs or none, and the server goes on", async () => {
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
    ])("no name leads out of the folder: %s", async (path) => {
      const url = `http://127.0.0.1:${studio.port}/api/${path}`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${studio.token}` } });
      expect([400, 404]).toContain(answer.status);
      expect(await answer.text()).not.toMatch(/root:|"version":/);
    });
  });
}
