import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasHiddenImports } from "./hidden-imports.ts";
import { inspectTrust, trustModule } from "./trusted-modules.ts";

let root: string;
let home: string | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bowline-imports-"));
  home = process.env["BOWLINE_HOME"];
  process.env["BOWLINE_HOME"] = join(root, "home");
});
afterEach(() => {
  process.env["BOWLINE_HOME"] = home;
  rmSync(root, { recursive: true, force: true });
});

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Trusts a module, copies its folder, changes files of the copy, and says whether the copy is trusted. */
function inspectChangedCopy(
  files: Readonly<Record<string, string>>,
  changed: Readonly<Record<string, string>>,
): string {
  const [entry = ""] = Object.keys(files);
  writeFiles("mine", files);
  trustModule(join(root, "mine", entry));
  cpSync(join(root, "mine"), join(root, "sent"), { recursive: true });
  writeFiles("sent", changed);
  return inspectTrust(join(root, "sent", entry));
}

/** Sources that import `x.mjs`, `it's.mjs` or `x.cjs`, by file name. Each of them runs in Node 20. */
const SOURCES = {
  "an escape": ["w.mjs", `import "./\\x78.mjs";`],
  "an escape in a template": ["w.mjs", "await import(`./\\x78.mjs`);"],
  "a percent sign": ["w.mjs", `import "./%78.mjs";`],
  "a fragment": ["w.mjs", `import "./x.mjs#1";`],
  "a comment before the name": ["w.mjs", `import /**/ "./x.mjs";`],
  "a comment after from": ["w.mjs", `export * from /**/ "./x.mjs";`],
  "a line comment": ["w.mjs", `import // x\n"./x.mjs";`],
  "a comment before the bracket": ["w.mjs", `await import/**/("./x.mjs");`],
  "a quote in the name": ["w.mjs", `import "./it's.mjs";`],
  "a sum": ["w.mjs", `await import("./" + "x.mjs");`],
  "an expression": ["w.mjs", `await import("" || "./x.mjs");`],
  "a tab": ["w.mjs", `import "./\\tx.mjs";`],
  "a continued line": ["w.mjs", `import "./\\\nx.mjs";`],
  "require under another name": ["w.cjs", `const r = require; r("./x.cjs");`],
  "require by a line break": ["w.cjs", `const r = require\nr("./x.cjs");`],
  "require by call": ["w.cjs", `require.call(module, "./x.cjs");`],
  "a thread": ["w.mjs", `new Worker(new URL("./" + "x.mjs", import.meta.url));`],
} as const;

describe("a copy of a trusted module with another file beside it is unknown", () => {
  test.each(Object.entries(SOURCES))("if the import is hidden by %s", (_, [name, source]) => {
    const good = { "x.mjs": "", "it's.mjs": "", "x.cjs": "" };
    const evil = { "x.mjs": "evil();", "it's.mjs": "evil();", "x.cjs": "evil();" };
    expect(inspectChangedCopy({ [name]: source, ...good }, evil)).toBe("unknown");
  });

  test.each([
    ["w.ts", `import "./x.js";`, { "x.js": "" }, { "x.ts": "evil();" }],
    ["w.ts", `import "./x";`, { "x/index.ts": "" }, { "x.ts": "evil();" }],
    ["w.cjs", `require("./x");`, { "x.json": "1" }, { "x.js": "evil();" }],
    ["w.cjs", `require("./x?1.cjs");`, { "x?1.cjs": "", x: "" }, { "x?1.cjs": "evil();" }],
    [
      "w.cjs",
      `require("./x");`,
      { "x/index.js": "" },
      { "x/package.json": `{"main": "./y.js"}`, "x/y.js": "evil();" },
    ],
    [
      "w.mjs",
      `import "#x";`,
      { "package.json": `{"imports": {"#x": {"import": "./x.mjs", "require": "./y.cjs"}}}` },
      { "x.mjs": "evil();" },
    ],
    [
      "w.mjs",
      `import "mine";`,
      {
        "package.json": `{"name": "mine", "exports": {"import": "./x.mjs", "default": "./y.cjs"}}`,
      },
      { "x.mjs": "evil();" },
    ],
  ] as const)("if another file answers %s: %s", (name, source, good, evil) => {
    const files = { [name]: source, "y.cjs": "", ...good };
    expect(inspectChangedCopy(files, evil)).toBe("unknown");
  });

  test("and is trusted if the same files are imported in a plain way", () => {
    const source = `import { a } from "./x.mjs";
// These tasks require patience. The text comes from "another place"; it's fine.
const page = new URL("https://example.com/%20");
await import("./x.mjs");`;
    expect(inspectChangedCopy({ "w.mjs": source, "x.mjs": "" }, {})).toBe("trusted");
  });
});

test("the worlds of the examples hide no import", () => {
  for (const name of ["examples/library.ts", "examples/clinic/index.ts", "templates/world.ts"]) {
    const path = fileURLToPath(new URL(`../../../${name}`, import.meta.url));
    expect([name, hasHiddenImports(readFileSync(path, "utf8"))]).toEqual([name, false]);
  }
});
