import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadToken } from "./saved-token.ts";

let home: string;
let before: string | undefined;
let made = 0;
const createToken = () => String(++made).padStart(32, "t");

beforeEach(() => {
  before = process.env["BOWLINE_HOME"];
  home = mkdtempSync(join(tmpdir(), "bowline-token-"));
  process.env["BOWLINE_HOME"] = home;
});
afterEach(() => {
  if (before === undefined) delete process.env["BOWLINE_HOME"];
  else process.env["BOWLINE_HOME"] = before;
  rmSync(home, { recursive: true, force: true });
});

it("a port has the same token at the next start, and another port has another one", () => {
  const token = loadToken(8200, createToken);
  expect(loadToken(8200, createToken)).toBe(token);
  expect(loadToken(8201, createToken)).not.toBe(token);
});

it.skipIf(process.platform === "win32")("only the user can read the file", () => {
  const token = loadToken(8200, createToken);
  const path = join(home, "studio", "token-8200");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o644);
  expect(loadToken(8200, createToken)).not.toBe(token);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("a file that holds no token is replaced, and a home without write access is no error", () => {
  loadToken(8200, createToken);
  writeFileSync(join(home, "studio", "token-8200"), "short");
  expect(loadToken(8200, createToken)).toHaveLength(32);
  process.env["BOWLINE_HOME"] = join(home, "studio", "token-8200");
  expect(loadToken(8200, createToken)).toHaveLength(32);
});
