import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inspectTrust, listTrustedModules, removeTrust, trustModule } from "./trusted-modules.ts";
import { findUserFolder } from "./user-folder.ts";

let root: string;
let home: string | undefined;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "bowline-trust-")));
  home = process.env["BOWLINE_HOME"];
  process.env["BOWLINE_HOME"] = join(root, "home");
});
afterEach(() => {
  process.env["BOWLINE_HOME"] = home;
  rmSync(root, { recursive: true, force: true });
});

function write(name: string, text: string): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe("what this user trusts", () => {
  test("is nothing before something is trusted, and nothing again after the trust ended", () => {
    const path = write("a/world.mjs", "export default 1;");
    expect(inspectTrust(path)).toBe("unknown");
    trustModule(path);
    expect(inspectTrust(path)).toBe("trusted");
    expect(listTrustedModules().map((entry) => entry.path)).toEqual([path]);
    expect(removeTrust(path)).toBe(true);
    expect(removeTrust(path)).toBe(false);
    expect(inspectTrust(path)).toBe("unknown");
  });

  test.skipIf(process.platform === "win32")("is in a folder that only this user can read", () => {
    trustModule(write("a/world.mjs", ""));
    const folder = join(root, "home", "trust");
    const [entry = ""] = readdirSync(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, entry)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test.skipIf(process.platform === "win32")("is not believed if other users can change it", () => {
    const path = write("a/world.mjs", "");
    trustModule(path);
    chmodSync(join(root, "home", "trust"), 0o777);
    expect(() => inspectTrust(path)).toThrow(/trust can be changed by other users/);
  });

  test("at a trusted path includes an edited module, and one that the module imports", () => {
    const path = write("a/world.mjs", `import "./names.mjs";`);
    const names = write("a/names.mjs", "");
    trustModule(path);
    writeFileSync(names, "edited");
    expect(inspectTrust(path)).toBe("edited");
    trustModule(path);
    writeFileSync(path, `import "./names.mjs"; 1;`);
    expect(inspectTrust(path)).toBe("edited");
  });

  test("elsewhere includes a copy with the same content in all of its local files", () => {
    trustModule(write("a/world.mjs", `await import("./deep/names.mjs");`));
    write("a/deep/names.mjs", `export * from "../more.mjs";`);
    trustModule(write("a/world.mjs", `await import("./deep/names.mjs");`));
    write("a/more.mjs", "");
    trustModule(join(root, "a/world.mjs"));
    cpSync(join(root, "a"), join(root, "b"), { recursive: true });
    expect(inspectTrust(join(root, "b/world.mjs"))).toBe("trusted");
    for (const file of ["world.mjs", "deep/names.mjs", "more.mjs"]) {
      cpSync(join(root, "a"), join(root, "c"), { recursive: true });
      writeFileSync(join(root, "c", file), "\n", { flag: "a" });
      expect(inspectTrust(join(root, "c/world.mjs")), file).toBe("unknown");
    }
  });

  test("elsewhere excludes a copy beside other packages, which may hold any code", () => {
    const path = write("a/world.mjs", `import "kit";`);
    write("a/node_modules/kit/index.js", "");
    trustModule(path);
    write("b/world.mjs", `import "kit";`);
    write("b/node_modules/kit/index.js", "evil");
    expect(inspectTrust(join(root, "b/world.mjs"))).toBe("unknown");
    // The same folder of packages, reached from another place.
    expect(inspectTrust(write("a/sub/world.mjs", `import "kit";`))).toBe("trusted");
  });

  test("elsewhere excludes a copy whose package.json gives its imports another meaning", () => {
    const path = write("a/world.mjs", `import "kit"; import "#names";`);
    write("a/package.json", `{"name": "mine", "imports": {"#names": "./names.mjs"}}`);
    write("a/names.mjs", "");
    trustModule(path);
    cpSync(join(root, "a"), join(root, "b"), { recursive: true });
    expect(inspectTrust(join(root, "b/world.mjs"))).toBe("trusted");
    write("b/package.json", `{"name": "mine", "imports": {"#names": "./evil.mjs"}}`);
    expect(inspectTrust(join(root, "b/world.mjs"))).toBe("unknown");
    write("b/package.json", `{"name": "kit", "exports": "./evil.mjs"}`);
    expect(inspectTrust(join(root, "b/world.mjs"))).toBe("unknown");
  });

  test("elsewhere excludes a module that computes the names of its imports", () => {
    const source = 'await import("./plugins/" + name); await import(name);';
    trustModule(write("a/world.mjs", source));
    expect(inspectTrust(join(root, "a/world.mjs"))).toBe("trusted");
    expect(inspectTrust(write("b/world.mjs", source))).toBe("unknown");
  });

  test("covers a module inside node_modules with the files that it imports by path", () => {
    const path = write("node_modules/x/world.mjs", `import "./inner.mjs";`);
    write("node_modules/x/inner.mjs", "");
    trustModule(path);
    write("node_modules/y/world.mjs", `import "./inner.mjs";`);
    write("node_modules/y/inner.mjs", "evil");
    expect(inspectTrust(join(root, "node_modules/y/world.mjs"))).toBe("unknown");
  });

  test("follows a link to the file that it names", () => {
    const path = write("a/world.mjs", "1;");
    trustModule(path);
    symlinkSync(path, join(root, "link.mjs"));
    expect(inspectTrust(join(root, "link.mjs"))).toBe("trusted");
    expect(inspectTrust(join(root, "a", "..", "a", "world.mjs"))).toBe("trusted");
    rmSync(join(root, "link.mjs"));
    symlinkSync(write("other.mjs", "2;"), join(root, "link.mjs"));
    expect(inspectTrust(join(root, "link.mjs"))).toBe("unknown");
  });

  test("differs by a byte that is no valid text", () => {
    trustModule(write("a/world.mjs", `import "./data.wasm";`));
    writeFileSync(join(root, "a/data.wasm"), Buffer.from([0xff]));
    trustModule(join(root, "a/world.mjs"));
    cpSync(join(root, "a"), join(root, "b"), { recursive: true });
    writeFileSync(join(root, "b/data.wasm"), Buffer.from([0xfe]));
    expect(inspectTrust(join(root, "b/world.mjs"))).toBe("unknown");
  });

  test("cannot include a module that is missing, or a device", () => {
    expect(() => trustModule(join(root, "gone.mjs"))).toThrow(/there is no module at .*gone\.mjs/);
    expect(inspectTrust("/dev/zero")).toBe("unknown");
  });
});

describe("the user's folder", () => {
  test("is never named by a relative path, which the working directory would decide", () => {
    process.env["BOWLINE_HOME"] = "home";
    const before = process.env["XDG_CONFIG_HOME"];
    process.env["XDG_CONFIG_HOME"] = "config";
    try {
      expect(findUserFolder()).toMatch(/^([A-Z]:)?[\\/].*bowline$/);
      process.env["XDG_CONFIG_HOME"] = root;
      if (process.platform !== "win32") expect(findUserFolder()).toBe(join(root, "bowline"));
    } finally {
      if (before === undefined) delete process.env["XDG_CONFIG_HOME"];
      else process.env["XDG_CONFIG_HOME"] = before;
    }
  });
});
