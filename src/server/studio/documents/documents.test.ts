/**
 * Tests that results under a folder are found by their content and shown as the tables that the command line prints.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeArm, fakeComparison } from "../../../../tests/support/fake-comparison.ts";
import { describeMachine } from "../../../core/index.ts";
import { documentListSchema, documentSchema } from "../../../spec/studio/index.ts";
import { createApi } from "../routes.ts";
import { openRuns } from "../runs/index.ts";
import { documentRoutes } from "./index.ts";

const score = {
  tgc: 0.5,
  sgc: 0.25,
  tgcInterval: [0.3, 0.7],
  tasks: 12,
  scenarios: 4,
  byDifficulty: { "1": { tgc: 0.5, sgc: 0.25, tasks: 12, share: 1 } },
  reward: 0.75,
  behaviour: { turns: 1.5, docs_calls: 2 },
};
const evaluation = { policy: "solution", world: "toy", split: "dev", seed: 3, ...score };
const comparison = fakeComparison([fakeArm("starter", [0.5, 0.6]), fakeArm("ei", [0.7, 0.8])]);
const machine = {
  bowline: "1.0.0",
  ...describeMachine(),
  kernels: { installed: false, problem: "not there" },
};
const server = {
  url: "http://127.0.0.1:8000",
  model: "small",
  models: ["small"],
  seconds: 3,
  cost: { requests: 2, prefillTokens: 9, sampledTokens: 5, trainedTokens: 4, optimizerSteps: 1 },
  findings: [
    {
      topic: "gradients",
      verdict: "ok",
      evidence: "<b>0.1%</b>",
      measured: {},
      consequence: "none",
    },
  ],
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "bowline-documents-"));
  for (const folder of ["a/b/c/d", "run", ".hidden"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  const write = (name: string, value: unknown) =>
    writeFileSync(join(root, name), typeof value === "string" ? value : JSON.stringify(value));
  write("eval.json", evaluation);
  write("a/compare.json", { version: 2, comparisons: [comparison, comparison] });
  write("a/one.json", comparison);
  write("a/b/c/doctor.json", machine);
  write("server.json", server);
  for (const name of ["a/b/c/d/deep.json", "run/eval.json", ".hidden/eval.json", "eval.txt"]) {
    write(name, evaluation);
  }
  write("run/run.json", {});
  write("torn.json", '{"policy":');
  write("null.json", "null");
  write("summary.json", { recipe: "smoke" });
  write("large.json", { ...evaluation, more: "x".repeat(2_000_001) });
  symlinkSync("/etc/hostname", join(root, "link.json"));
});
afterAll(() => rmSync(root, { recursive: true }));

async function fetchDocuments(...path: string[]): Promise<unknown> {
  const reply = await createApi(documentRoutes(openRuns(root)))({
    method: "GET",
    path: ["documents", ...path],
    query: new URLSearchParams(),
    signal: new AbortController().signal,
    json: async () => undefined,
  });
  return "json" in reply ? reply.json : undefined;
}

test("results are recognised by content; files of runs, incomplete files and others are left out", async () => {
  const { documents } = documentListSchema.parse(await fetchDocuments());
  const listed = documents.map(({ id, kind }) => `${kind} ${id}`).sort();
  expect(listed).toEqual([
    "compare a/compare.json",
    "compare a/one.json",
    "doctor a/b/c/doctor.json",
    "doctor server.json",
    "eval eval.json",
  ]);
});

test("each result is shown as tables whose rows are as wide as their header", async () => {
  const { documents } = documentListSchema.parse(await fetchDocuments());
  for (const { id } of documents) {
    const { sections } = documentSchema.parse(await fetchDocuments(id));
    expect(sections.length).toBeGreaterThan(0);
    for (const { columns, rows } of sections) {
      for (const row of rows) expect(row).toHaveLength(columns.length);
    }
  }
  const scores = documentSchema.parse(await fetchDocuments("eval.json"));
  expect(scores.title).toBe("solution on dev");
  expect(scores.sections[0]!.rows[0]).toEqual(["all", "12", "50.0 [30, 70]", "25.0"]);
  const found = documentSchema.parse(await fetchDocuments("server.json"));
  expect(found.sections[0]!.rows[0]!.slice(1)).toEqual(["ok", "<b>0.1%</b>", ""]);
  const compared = documentSchema.parse(await fetchDocuments("a/compare.json"));
  expect(compared.title).toBe("starter, ei");
  expect(compared.sections.map(({ title }) => title)).toContain(
    documentSchema.parse(await fetchDocuments("a/one.json")).sections[0]!.title +
      compared.sections[0]!.title.slice(6),
  );
});

test("a document that is not listed answers 404", async () => {
  for (const id of ["torn.json", "../eval.json", "/etc/hostname", "run/eval.json", "link.json"]) {
    await expect(fetchDocuments(id)).rejects.toMatchObject({ status: 404 });
  }
});
