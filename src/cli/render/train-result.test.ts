import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderStoppedRun } from "./train-result.ts";

test("the message about a stopped run names the command that continues it, and also the one that shows it if its folder exists", () => {
  const channel = { paint: (_: unknown, text: string) => text } as Parameters<
    typeof renderStoppedRun
  >[1];
  const folder = mkdtempSync(join(tmpdir(), "bowline-stopped-"));
  expect(renderStoppedRun(folder, channel)).toMatch(
    /the same command again:\n.*\n.*browser:\n.* studio /,
  );
  rmSync(folder, { recursive: true });
  expect(renderStoppedRun(folder, channel)).not.toContain("studio");
});
