import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { writeSyntheticRun } from "../../tests/e2e/support/synthetic-run.ts";
import { BowlineError } from "../core/index.ts";
import { readRun } from "./run-directory.ts";

const root = mkdtempSync(join(tmpdir(), "bowline-damaged-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const DAMAGE: readonly (readonly [file: string, content: string])[] = ["run.json", "summary.json"]
  .flatMap((file) =>
    ["", "null", "[]", "{}", "7", '"x"', "{", '{"version":2'].map((text) => [file, text] as const),
  )
  .concat(
    ["metrics.jsonl", "timings.jsonl"].flatMap((file) =>
      ["[]", "null", "7", "{}", "{", '{"phase":3}'].map((text) => [file, `${text}\n`] as const),
    ),
  );

test.each(DAMAGE)(
  "a run whose %s is %j is read, or refused with the name of the file",
  (file, content) => {
    const run = join(root, "run");
    rmSync(run, { recursive: true, force: true });
    writeSyntheticRun(run);
    writeFileSync(join(run, file), content);
    try {
      readRun(run);
    } catch (error) {
      expect(BowlineError.is(error)).toBe(true);
      expect((error as Error).message).toContain(file);
      expect((error as Error).message).not.toContain("\n");
    }
  },
);
