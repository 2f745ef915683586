import { resolve } from "node:path";
import { expect, test } from "vitest";
import { chooseStudioFolder } from "./studio-folder.ts";
import { studioCommand } from "./suggested-commands.ts";

test.each([
  ["runs/smoke-seed1", { root: "runs", first: "smoke-seed1" }],
  ["./runs/deep/er", { root: "runs", first: "deep/er" }],
  [resolve("runs/smoke-seed1"), { root: "runs", first: "smoke-seed1" }],
  ["runs", { root: "runs" }],
  ["../elsewhere", { root: "../elsewhere" }],
  ["..runs/one", { root: "..runs/one" }],
  [resolve("/elsewhere/run"), { root: resolve("/elsewhere/run") }],
])("for the run %s the studio opens %j", (directory, folder) => {
  expect(chooseStudioFolder(directory)).toEqual(folder);
});

test("the suggested studio command begins in the same way as the command that the user typed", () => {
  const start = { npm_lifecycle_event: "start" };
  expect(studioCommand("runs/a", start)).toBe("npm run studio");
  expect(studioCommand("my runs/a", start)).toBe("npm run studio -- 'my runs/a'");
  expect(studioCommand("runs/a", { npm_lifecycle_event: "npx" })).toBe("npx bowline studio runs");
  expect(studioCommand("other/a", {}, "/usr/bin/bowline")).toBe("bowline studio other/a");
  expect(studioCommand("runs/a", {}, "/x/dist/cli/main.js")).toBe(
    "node dist/cli/main.js studio runs",
  );
});
