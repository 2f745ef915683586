/**
 * Tests the program's first file. Even an old version of Node must be able to parse it, so that it can print that Node
 * is too old.
 */
import { readFileSync } from "node:fs";
import { parse } from "acorn";
import { expect, test } from "vitest";

const source = readFileSync(new URL("./main.ts", import.meta.url), "utf8");

test("main.ts parses in old versions of Node and imports nothing before it has checked the version", () => {
  // The only feature of ES2020 in the file is dynamic import, which Node has since version 12.
  const program = parse(source, { ecmaVersion: 2020, sourceType: "module", allowHashBang: true });
  expect(program.body.filter(({ type }) => type.startsWith("Import"))).toEqual([]);
});

test("main.ts requires the same version of Node as package.json", () => {
  const { engines } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const [, major] = /MAJOR = (\d+)/.exec(source)!;
  const [, minor] = /MINOR = (\d+)/.exec(source)!;
  expect(engines.node).toBe(`>=${major}.${minor}`);
});
