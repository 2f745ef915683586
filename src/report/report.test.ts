import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeSyntheticRun } from "../../tests/e2e/support/synthetic-run.ts";
import { html } from "./html.ts";
import { niceTicks, thinPoints } from "./line-chart.ts";
import { writeReport } from "./write-report.ts";

let root: string;
let page: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "bowline-report-"));
  writeSyntheticRun(join(root, "run"));
  page = readFileSync(writeReport(join(root, "run")), "utf8");
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test("the report page loads nothing from other addresses", () => {
  expect(page).not.toMatch(/https?:|<link|@import|\ssrc=|url\(/);
  expect(page.match(/<script>/g)).toHaveLength(1);
});

test("the report escapes the text of rollouts, so that it cannot become markup", () => {
  expect(page).toContain("groceries &lt;May&gt;");
  expect(page).not.toContain("<May>");
  expect(html`<b title="${'"><script>'}">${"</b>&"}</b>`.source).toBe(
    '<b title="&quot;&gt;&lt;script&gt;">&lt;/b&gt;&amp;</b>',
  );
});

test("the report shows the result, every curve, and rollouts of training and of both evaluations", () => {
  expect(page).toContain("41% → 84% of unseen test tasks solved");
  for (const title of [
    "Reward",
    "TGC on dev",
    "Clip fraction",
    "Gradient norm",
    "Sampler gap",
    "Warm start",
  ]) {
    expect(page).toContain(`<b>${title}</b>`);
  }
  for (const phase of ["before", "after", "train"])
    expect(page).toContain(`<li data-phase="${phase}"`);
  expect(page).toContain("expected 3 new rows in pay.transfers, found 1");
});

test("the report also draws metrics for which it has no description", () => {
  expect(page).toContain("<b>behaviour/docs_calls</b>");
});

test("tokens of training rollouts show advantage and ratio, and joined together they are the code that ran", () => {
  expect(page).toMatch(/data-note="advantage [+−]0\.\d{3} · ratio \d\.\d{3}"/);
  const code = /<pre class="code">(<span class="token.*?)<\/pre>/s.exec(page)?.[1] ?? "";
  const text = code
    .replace(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&gt;", ">");
  expect(text).toMatch(/^const .* = await apis\..*run$|^let all/s);
});

test("writeReport also works for a run that has only just begun", () => {
  const directory = join(root, "young");
  writeSyntheticRun(directory);
  for (const name of ["summary.json", "rollouts", "checkpoints", "metrics.jsonl"]) {
    rmSync(join(directory, name), { recursive: true });
  }
  expect(readFileSync(writeReport(directory), "utf8")).toContain(
    "This run in everyday/starter has not finished",
  );
});

test("the error for a folder that is not a run names the folder", () => {
  expect(() => writeReport(root)).toThrow(/is not a run \(it has no run\.json\)/);
  expect(() => writeReport(join(root, "nowhere"))).toThrow(/nowhere does not exist/);
});

test("writeReport refuses a file in a missing folder and creates neither folder nor file", () => {
  const run = join(root, "run");
  const before = readdirSync(root);
  const expectRefused = (file: string, says: RegExp) =>
    expect(() => writeReport(run, join(root, file))).toThrow(says);
  expectRefused(
    "nowhere/x.html",
    /cannot write .*x\.html: there is no folder .*nowhere; create it first/,
  );
  expectRefused("ran/x.html", /there is no folder .*ran \(did you mean run\?\)/);
  expectRefused("run", /cannot write .*run: it is a folder; name a file in it/);
  expectRefused("run/run.json/x.html", /run\.json is a file, not a folder/);
  expect(readdirSync(root)).toEqual(before);
  expect(readFileSync(writeReport(run, join(root, "page.html")), "utf8")).toContain("<html");
});

test("the error for a damaged run file names the file", () => {
  const directory = join(root, "torn");
  writeSyntheticRun(directory);
  writeFileSync(join(directory, "metrics.jsonl"), "{not json}\n");
  expect(() => writeReport(directory)).toThrow(/metrics\.jsonl:1 is damaged: .*JSON/);
});

test("niceTicks returns ascending round numbers that enclose the values", () => {
  const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.array(finite, { minLength: 1, maxLength: 20 }), (values) => {
      const ticks = niceTicks(values, undefined);
      const slack = Math.max(...values.map(Math.abs)) * 1e-9 + 1e-12;
      expect(ticks[0]).toBeLessThanOrEqual(Math.min(...values) + slack);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(...values) - slack);
      expect(ticks.length).toBeLessThanOrEqual(12);
      expect(ticks.every((tick, i) => i === 0 || tick > ticks[i - 1]!)).toBe(true);
    }),
  );
});

test("thinPoints keeps the mean of the values", () => {
  const points = Array.from({ length: 1000 }, (_, x) => ({ x, y: Math.sin(x) }));
  const mean = (rows: readonly { y: number }[]) =>
    rows.reduce((sum, { y }) => sum + y, 0) / rows.length;
  expect(thinPoints(points, 100)).toHaveLength(100);
  expect(mean(thinPoints(points, 100))).toBeCloseTo(mean(points), 10);
});
