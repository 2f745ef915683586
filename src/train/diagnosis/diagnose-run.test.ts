import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FINDINGS } from "../../algo/index.ts";
import { diagnoseRun } from "./diagnose-run.ts";

const page = readFileSync(new URL("../../../docs/how-to/diagnose.md", import.meta.url), "utf8");

describe("diagnoseRun", () => {
  it("finds only what its page describes", () => {
    const listed = [...page.matchAll(/^\| `([a-z-]+)` \| .* \| .* \|$/gm)].map(([, id]) => id);
    const findings = listed.filter((id) => !["note", "off"].includes(id!));
    expect(findings.sort()).toEqual(Object.keys(FINDINGS).sort());
  });

  it("refuses a folder that is no run", () => {
    expect(() => diagnoseRun("/nonexist")).toThrow(/cannot read \/nonexist\/run\.json/);
  });
});
