/** Checks what each entry point of the package exports, and that every export has a comment for editors. */
import { relative } from "node:path";
import { describe, expect, test } from "vitest";
import { topicOfSource } from "../../site/api-topics.mjs";
import { ROOT } from "../e2e/support/cli.ts";
import { listEntryPoints, listExports, listUndocumented } from "../support/public-exports.ts";

describe.each(listEntryPoints())("$entryPoint", ({ source }) => {
  const exports = listExports(source);

  test("the listed exports are those of the loaded module", async () => {
    const library: { [name: string]: object } = await import(source);
    const values = exports.filter(({ isType }) => !isType).map(({ name }) => name);
    const namespaces = new Set(values.flatMap((name) => /^(\w+)\./.exec(name)?.[1] ?? []));
    const members = [...namespaces].flatMap((namespace) =>
      Object.keys(library[namespace]!).map((member) => `${namespace}.${member}`),
    );
    expect(values.sort()).toEqual([...Object.keys(library), ...members].sort());
  });

  test("every export has a topic in the API reference of the site", () => {
    const sources = new Set(exports.map(({ file }) => relative(`${ROOT}/src`, file)));
    for (const source of sources) expect(topicOfSource(source), source).toBeTruthy();
  });

  test("every export has a comment", () => {
    expect(listUndocumented(exports)).toEqual([]);
  });
});
