import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { progressReportSchema } from "../../spec/index.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";
import { openProgressFile } from "./progress-file.ts";

const root = createMemoryFolder("bowline-progress-");
afterAll(() => rmSync(root, { recursive: true, force: true }));

const read = (directory: string) =>
  progressReportSchema.parse(JSON.parse(readFileSync(join(directory, "progress.json"), "utf8")));

test("the start of a phase is written at once, and other reports at most once a second", () => {
  let seconds = 10;
  const file = openProgressFile(root, { seconds: () => seconds });
  const report = (step: number, isStart = false) => {
    file.report({ phase: "warm", detail: "8 demonstrations", step, steps: 4 }, isStart);
    return read(root).step;
  };
  expect([report(0, true), report(1)]).toEqual([0, 0]);
  seconds += 1;
  expect([report(2), report(3)]).toEqual([2, 2]);
  expect(report(0, true)).toBe(0);
  file.remove();
  expect(readdirSync(root)).toEqual([]);
});

test("a report that cannot be written ends no run", () => {
  mkdirSync(join(root, "taken", "progress.json", "full"), { recursive: true });
  const file = openProgressFile(join(root, "taken"), { seconds: () => 0 });
  expect(() => file.report({ phase: "world", detail: "" }, true)).not.toThrow();
  expect(() => file.remove()).not.toThrow();
});

test("a run reports each phase with its steps while it trains, and leaves no report", async () => {
  const out = join(root, "run");
  const overrides = { ...FAKE_RUN, "warm.demonstrations": 48, "algo.iterations": 1 };
  const reports = new Map<string, object>();
  await trainWith(fakeMakers(), resolveConfig({ recipe: "smoke", overrides }), {
    out,
    onEvent: (event) => {
      if (event.type !== "phase-start" || !existsSync(join(out, "progress.json"))) return;
      const { detail, ...report } = read(out);
      reports.set(`${report.phase} ${event.phase === "eval" ? event.detail : ""}`, report);
    },
  });
  expect(reports.get("world ")).toEqual({ phase: "world", step: 0, steps: 48 });
  expect(reports.get("warm ")).toMatchObject({ phase: "warm", step: 0 });
  for (const when of ["before", "after"])
    expect(reports.get(`eval ${when}`), when).toMatchObject({ phase: "eval", step: 0 });
  expect(reports.get("loop ")).toEqual({ phase: "loop", step: 0, steps: 1 });
  expect(existsSync(join(out, "progress.json"))).toBe(false);
});
