/** Tests of the name of a base: its own files name it, else its folder does. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findBaseName } from "./base-name.ts";

const root = mkdtempSync(join(tmpdir(), "bowline-base-name-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function createFolder(path: string, files: Readonly<Record<string, string>> = {}): string {
  const whole = join(root, path);
  mkdirSync(whole, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(whole, name), text);
  return whole;
}

test.each([
  [
    "the path in the hub's cache",
    "hub/models--Qwen--Qwen3-8B/snapshots/0a1b",
    {},
    "Qwen/Qwen3-8B",
    true,
  ],
  [
    "the name in its config",
    "a/Tiny-1B",
    { "config.json": '{"_name_or_path":"acme/Tiny-1B"}' },
    "acme/Tiny-1B",
    true,
  ],
  [
    "the link in its model card",
    "b/Tiny-1B",
    { "README.md": "[x](https://huggingface.co/acme/Tiny-1B)" },
    "acme/Tiny-1B",
    true,
  ],
  [
    "the example in its model card",
    "c/Tiny-1B",
    { "README.md": 'load("acme/Tiny-1B")' },
    "acme/Tiny-1B",
    true,
  ],
  [
    "the folder, when the config names the model that it was made from",
    "d/mine",
    { "config.json": '{"_name_or_path":"acme/Tiny-1B"}' },
    "mine",
    false,
  ],
  [
    "the folder, when the config holds a path",
    "e/Tiny-1B",
    { "config.json": '{"_name_or_path":"/data/x/Tiny-1B"}' },
    "Tiny-1B",
    false,
  ],
  [
    "the folder, when the model card links another model",
    "f/Tiny-1B",
    { "README.md": "https://huggingface.co/acme/Tiny-1B-Base" },
    "Tiny-1B",
    false,
  ],
  ["the folder, when the config is not JSON", "g/plain", { "config.json": "{" }, "plain", false],
] as const)("the name of a base is found from %s", (_, path, files, name, isHubId) => {
  expect(findBaseName(createFolder(path, files))).toEqual({ name, isHubId });
});

test("weights made from a seed have no name", () => {
  expect(findBaseName("")).toEqual({ name: "", isHubId: false });
});
