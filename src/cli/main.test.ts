/** The file that every Node reads first: older ones must be able to, so that they can be told. */
import { readFileSync } from "node:fs";
import { parse } from "acorn";
import { expect, test } from "vitest";

const text = readFileSync(new URL("./main.ts", import.meta.url), "utf8");

test("it parses in old versions of Node and imports nothing before it has looked", () => {
  // ES2020 is dynamic import, which Node has since 12; what we compile to is later.
  const program = parse(text, { ecmaVersion: 2020, sourceType: "module", allowHashBang: true });
  expect(program.body.filter(({ type }) => type.startsWith("Import"))).toEqual([]);
});

test("it asks for the version that package.json asks for", () => {
  const { engines } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const [, major] = /MAJOR = (\d+)/.exec(text)!;
  const [, minor] = /MINOR = (\d+)/.exec(text)!;
  expect(engines.node).toBe(`>=${major}.${minor}`);
});
