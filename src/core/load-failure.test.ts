import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { explainLoadFailure } from "./load-failure.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-load-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "mine.ts");
const { href: url } = pathToFileURL(path);

test("the reason has the line of the module, from a frame or from the head of a syntax error", () => {
  const thrown = Object.assign(new Error("no licence"), {
    stack: `Error: no licence\n    at ${url}?1234:7:12\n    at ModuleJob.run (node:internal/x:1:1)`,
  });
  expect(explainLoadFailure(thrown, url)).toBe(`no licence at ${path}:7:12`);
  const syntax = Object.assign(new SyntaxError("Unexpected end of input"), {
    stack: `${url}:3\nexport default {\n\n\nSyntaxError: Unexpected end of input\n    at compile`,
  });
  expect(explainLoadFailure(syntax, url)).toBe(`Unexpected end of input at ${path}:3`);
});

test("the reason is one line and does not name Bowline's own loader", () => {
  const compiler = new Error(
    `Transform failed with 2 errors:\n${path}:1:16: ERROR: one\n${path}:2:1: ERROR: two`,
  );
  expect(explainLoadFailure(compiler, url)).toBe(
    `${path}:1:16: ERROR: one; ${path}:2:1: ERROR: two`,
  );
  const missing = new Error("Cannot find package 'x' imported from /a/dist/core/load-module.js");
  expect(explainLoadFailure(missing, url)).toBe("Cannot find package 'x'");
  expect(explainLoadFailure("a text", url)).toBe("a text");
});

test("a folder in place of a module is named as such", () => {
  mkdirSync(join(folder, "parts"));
  writeFileSync(path, "");
  const { href } = pathToFileURL(join(folder, "parts"));
  expect(explainLoadFailure(new Error("EISDIR"), href)).toBe(
    "it is a folder; expected the file of a module, such as index.ts",
  );
});
