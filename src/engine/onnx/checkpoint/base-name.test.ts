/** What a base is called: by whom it knows itself, else by its folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { baseNameOf } from "./base-name.ts";

const root = mkdtempSync(join(tmpdir(), "bowline-base-name-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folder(path: string, files: Readonly<Record<string, string>> = {}): string {
  const whole = join(root, path);
  mkdirSync(whole, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(whole, name), text);
  return whole;
}

test.each([
  ["the hub's cache", "hub/models--Qwen--Qwen3-8B/snapshots/0a1b", {}, "Qwen/Qwen3-8B", true],
  [
    "its config",
    "a/Tiny-1B",
    { "config.json": '{"_name_or_path":"acme/Tiny-1B"}' },
    "acme/Tiny-1B",
    true,
  ],
  [
    "its card's link",
    "b/Tiny-1B",
    { "README.md": "[x](https://huggingface.co/acme/Tiny-1B)" },
    "acme/Tiny-1B",
    true,
  ],
  [
    "its card's example",
    "c/Tiny-1B",
    { "README.md": 'load("acme/Tiny-1B")' },
    "acme/Tiny-1B",
    true,
  ],
  [
    "what it was made from is not it",
    "d/mine",
    { "config.json": '{"_name_or_path":"acme/Tiny-1B"}' },
    "mine",
    false,
  ],
  [
    "a path is no name",
    "e/Tiny-1B",
    { "config.json": '{"_name_or_path":"/data/x/Tiny-1B"}' },
    "Tiny-1B",
    false,
  ],
  [
    "another model's link is not its",
    "f/Tiny-1B",
    { "README.md": "https://huggingface.co/acme/Tiny-1B-Base" },
    "Tiny-1B",
    false,
  ],
  ["a broken config", "g/plain", { "config.json": "{" }, "plain", false],
] as const)("%s", (_, path, files, name, isHubId) => {
  expect(baseNameOf(folder(path, files))).toEqual({ name, isHubId });
});

test("weights from a seed have no name", () => {
  expect(baseNameOf("")).toEqual({ name: "", isHubId: false });
});
