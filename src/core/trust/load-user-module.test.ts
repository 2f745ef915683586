import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadUserModule } from "./load-user-module.ts";
import { type ModuleOrigin, THIS_CALL } from "./refuse-untrusted.ts";
import { trustModule } from "./trusted-modules.ts";
import {
  listTrustedServers,
  removeServerTrust,
  requireTrustedServer,
  trustServer,
} from "./trusted-servers.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "bowline-door-")));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const FILE: ModuleOrigin = { by: "file", file: "runs/x/run.json", subject: "runs/x; rm -rf ~" };

/** Writes a module that leaves a mark when it runs. */
function writeMarkingModule(name: string): { path: string; url: string; mark: string } {
  const path = join(root, `${name}.mjs`);
  const mark = join(root, `${name}.mark`);
  writeFileSync(
    path,
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, ""); export default 1;`,
  );
  return { path, url: pathToFileURL(path).href, mark };
}

describe("the door for users' modules", () => {
  test("opens for what this call names", async () => {
    const { url, mark } = writeMarkingModule("call");
    expect(await loadUserModule(url, "world.name", THIS_CALL)).toMatchObject({ default: 1 });
    expect(existsSync(mark)).toBe(true);
  });

  test("refuses what a file names, in one line with the field, the file and a command to allow it", async () => {
    const { url, path, mark } = writeMarkingModule("file");
    const loading = loadUserModule(url, "world.name", FILE);
    await expect(loading).rejects.toMatchObject({
      code: "trust",
      message: `world.name: runs/x/run.json names the module ${path}, which you have not trusted, so it is not used; if you know it, allow it by: bowline trust 'runs/x; rm -rf ~'`,
    });
    expect(existsSync(mark)).toBe(false);
    trustModule(path);
    expect(await loadUserModule(url, "world.name", FILE)).toMatchObject({ default: 1 });
  });

  test("refuses addresses that are no files", async () => {
    for (const url of ["data:text/javascript,1", "http://127.0.0.1:1/x.mjs", "node:fs", "zod"]) {
      await expect(loadUserModule(url, "world.name", FILE)).rejects.toMatchObject({
        code: "trust",
      });
    }
  });

  test("shows hidden characters of a path as what they are", async () => {
    const url = pathToFileURL(join(root, "a\nb\u001b[2J.mjs")).href;
    const failure = await loadUserModule(url, "world.name", FILE).catch((error) => error);
    expect(failure.message).toContain("a\\nb\\u{1b}[2J.mjs");
  });
});

describe("the door for servers", () => {
  test("refuses what a file names until this user trusts it", () => {
    const url = "https://user@tinker.example.com/path?x";
    expect(() => requireTrustedServer(url, "engine.url", THIS_CALL)).not.toThrow();
    expect(() => requireTrustedServer(url, "engine.url", FILE)).toThrow(
      /^engine\.url: runs\/x\/run\.json names the server https:\/\/tinker\.example\.com, to which your key would be sent/,
    );
    trustServer(url);
    expect(listTrustedServers()).toContain("https://tinker.example.com");
    expect(() => requireTrustedServer(url, "engine.url", FILE)).not.toThrow();
    for (const other of ["http://tinker.example.com", "https://tinker.example.com:8443"]) {
      expect(() => requireTrustedServer(other, "engine.url", FILE)).toThrow(/trust/);
    }
    expect(removeServerTrust(url)).toBe(true);
    expect(() => requireTrustedServer(url, "engine.url", FILE)).toThrow(/trust/);
  });
});
