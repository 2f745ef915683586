import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeSyntheticRun } from "../../../../tests/e2e/support/synthetic-run.ts";
import { type Report, reportSchema, rolloutViewSchema } from "../../../spec/studio/index.ts";
import { createApi } from "../routes.ts";
import { openRuns, rolloutRoutes, runRoutes } from "../runs/index.ts";
import { renderReportPage } from "./report-page.ts";
import { writeReport } from "./write-report.ts";

let root: string;
let page: string;
let report: Report;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "bowline-report-"));
  writeSyntheticRun(join(root, "run"));
  page = readFileSync(await writeReport(join(root, "run")), "utf8");
  report = readData(page);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function readData(page: string): Report {
  const json = /<script type="application\/json" id="report">(.*?)<\/script>/s.exec(page)![1]!;
  return reportSchema.parse(JSON.parse(json));
}

/** The page without its script, whose texts may be addresses of other pages. */
const withoutScript = (page: string) => page.replace(/<script type="module">.*<\/script>/s, "");

test("the report loads nothing, and its policy forbids every request", () => {
  expect(withoutScript(page)).not.toMatch(/<link[^>]*href="(?!data:)|@import|\ssrc=|url\(/);
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
  expect(page).not.toMatch(/connect-src|unsafe-inline|__NONCE__/);
});

test("no text of a run ends its element or becomes markup", () => {
  const hostile = "</script><script>alert(1)</script><!--\u202e";
  const bundle = { script: "run()", style: "", icon: "" };
  const hostilePage = renderReportPage(bundle, { ...report, headline: hostile, run: hostile });
  expect(hostilePage.match(/<script/g)).toHaveLength(2);
  expect(hostilePage).not.toMatch(/<!--|alert\(1\)<\/script>|\u202e/);
  expect(readData(hostilePage).headline).toBe(hostile);
});

test("the report has the result, and rollouts of training and of both evaluations", () => {
  expect(report.headline).toBe("41% → 84% of unseen test tasks solved");
  const labels = new Set(report.rollouts.map(({ label }) => label));
  for (const label of ["iteration 1", "iteration 40"]) expect(labels).toContain(label);
  for (const when of ["before", "after"]) {
    expect(labels).toContain(`test-normal, ${when} training`);
  }
  expect(page).toContain("expected 3 new rows in pay.transfers, found 1");
});

test("the answers in the report are those of the studio", async () => {
  const runs = openRuns(join(root, "run"));
  const api = createApi([...runRoutes(runs), ...rolloutRoutes(runs)]);
  const { run, file, rollout } = { run: report.run, ...report.rollouts.at(-1)! };
  const rolloutPath = ["runs", run, "files", file, "rollouts", rollout];
  for (const path of [
    ["runs", run, "metrics"],
    [...rolloutPath, "tokens"],
  ]) {
    const reply = await api({
      ...{ method: "GET", path, query: new URLSearchParams() },
      ...{ signal: new AbortController().signal, json: async () => undefined },
    });
    const key = `/api/${path.map(encodeURIComponent).join("/")}`;
    expect(report.answers[key]).toEqual(JSON.parse(JSON.stringify("json" in reply && reply.json)));
  }
});

test("links lead only to rollouts that the report contains", () => {
  const addressOf = (file: string, rollout: string) =>
    `/api/${["runs", report.run, "files", file, "rollouts", rollout].map(encodeURIComponent).join("/")}`;
  for (const { file, rollout } of report.rollouts) {
    const view = rolloutViewSchema.parse(report.answers[addressOf(file, rollout)]);
    for (const id of [view.previous, view.next, ...view.group]) {
      if (id !== null) expect(report.answers).toHaveProperty([addressOf(file, id)]);
    }
  }
});

test("writeReport also works for a run that has only just begun", async () => {
  const directory = join(root, "young");
  writeSyntheticRun(directory);
  for (const name of ["summary.json", "rollouts", "checkpoints", "metrics.jsonl"]) {
    rmSync(join(directory, name), { recursive: true });
  }
  const young = readData(readFileSync(await writeReport(directory), "utf8"));
  expect(young.headline).toContain("this run in everyday/starter has not finished");
});

test("the error for a folder that is not a run names the folder", async () => {
  await expect(writeReport(root)).rejects.toThrow(/is not a run \(it has no run\.json\)/);
  await expect(writeReport(join(root, "nowhere"))).rejects.toThrow(/nowhere does not exist/);
});

test.each([
  ["nowhere/x.html", /cannot write .*x\.html: there is no folder .*nowhere; create it first/],
  ["ran/x.html", /there is no folder .*ran \(did you mean run\?\)/],
  ["run", /cannot write .*run: it is a folder; name a file in it/],
  ["run/run.json/x.html", /run\.json is a file, not a folder/],
])("writeReport refuses the file %s and creates nothing", async (file, message) => {
  const before = readdirSync(root);
  await expect(writeReport(join(root, "run"), join(root, file))).rejects.toThrow(message);
  expect(readdirSync(root)).toEqual(before);
});

test("the error for a damaged run file names the file", async () => {
  const directory = join(root, "torn");
  writeSyntheticRun(directory);
  writeFileSync(join(directory, "metrics.jsonl"), "{not json}\n");
  await expect(writeReport(directory)).rejects.toThrow(/metrics\.jsonl:1 is damaged: .*JSON/);
});
