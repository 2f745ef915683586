import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { packageModulePath, packageModuleUrl } from "../../../tests/support/package-module.ts";
import { digestWorldModules } from "./world-modules.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "bowline-modules-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeFiles(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

const digestModules = (entry = "app/world.ts") =>
  digestWorldModules(pathToFileURL(join(root, entry)).href);
const listModules = (entry?: string) => Object.keys(digestModules(entry));

describe("the modules of a world", () => {
  test("are its own module and all modules that it imports in any syntax, directly or indirectly", () => {
    writeFiles({
      "app/world.ts": `
        import { a } from "./a";
        import type { B } from './b.js';
        export * from "../shared/index.ts";
        import "./effect.mjs";
        const later = await import("./later.ts?x=1");
        const data = readFileSync(new URL("./cities.json", import.meta.url), "utf8");
        const inside = "no import at all, ./unused.ts";
        import { z } from "zod"; import { join } from "node:path";`,
      "app/a.ts": `import { deep } from "./deep/index.js";`,
      "app/b.ts": `import { a } from "./a.ts";`,
      "app/deep/index.ts": `import { gone } from "./gone.ts";`,
      "app/effect.mjs": "",
      "app/later.ts": `const old = require("../shared/old.cjs");`,
      "app/cities.json": "[]",
      "app/unused.ts": "",
      "shared/index.ts": "",
      "shared/old.cjs": "",
    });
    expect(listModules()).toEqual([
      "../shared/index.ts",
      "../shared/old.cjs",
      "a.ts",
      "b.ts",
      "cities.json",
      "deep/index.ts",
      "effect.mjs",
      "later.ts",
      "world.ts",
    ]);
  });

  test("include packages of the same workspace but no others", () => {
    writeFiles({
      "app/world.ts": `import "kit"; import "near"; import "#names";`,
      "app/package.json": `{"imports": {"#names": "./names.js"}}`,
      "app/names.js": "",
      "app/node_modules/kit/package.json": `{"main": "index.js"}`,
      "app/node_modules/kit/index.js": `require("./inner.js");`,
      "app/node_modules/kit/inner.js": "",
      "near/package.json": `{"main": "index.js"}`,
      "near/index.js": "",
    });
    symlinkSync(join(root, "near"), join(root, "app/node_modules/near"));
    expect(listModules()).toEqual(["../near/index.js", "names.js", "world.ts"]);
  });

  test("include no modules of bowline itself", () => {
    expect(digestWorldModules(packageModuleUrl("worlds/toy/toy.ts"))).toEqual({});
    writeFiles({ "app/world.ts": `export * from "${packageModulePath("index.ts")}";` });
    expect(listModules()).toEqual(["world.ts"]);
  });

  test("have digests that depend on their text but not on their kind of line ending", () => {
    writeFiles({ "app/world.ts": "const a = 1;\nconst b = 2;\n" });
    const before = digestModules();
    writeFiles({ "app/world.ts": "const a = 1;\r\nconst b = 2;\r\n" });
    expect(digestModules()).toEqual(before);
    writeFiles({ "app/world.ts": "const a = 1;\nconst b = 3;\n" });
    expect(digestModules()).not.toEqual(before);
  });

  test("have the same digests after their folder has moved", () => {
    writeFiles({ "app/world.ts": `import "./a.ts";`, "app/a.ts": "a", "other/a.ts": "a" });
    writeFiles({ "other/world.ts": `import "./a.ts";` });
    expect(digestModules("other/world.ts")).toEqual(digestModules());
  });
});
