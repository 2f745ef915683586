import { expect, test } from "vitest";
import { findBinding, type KeyBinding } from "./keys.ts";

const nextBinding: KeyBinding = { keys: ["j", "ArrowRight"], label: "next", run: () => {} };
const pressKey = (key: string, more: object = {}, within: readonly string[] = []) => {
  const event = { key, altKey: false, ctrlKey: false, metaKey: false, defaultPrevented: false };
  const inside = (selector: string) => within.some((part) => selector.includes(part));
  return findBinding([nextBinding], { ...event, ...more }, inside);
};

test("each key finds only its own binding", () => {
  expect(pressKey("j")).toBe(nextBinding);
  expect(pressKey("ArrowRight")).toBe(nextBinding);
  expect(pressKey("k")).toBeUndefined();
});

test("keys are ignored while the user types, with modifier keys, under a dialog, or if they were already handled", () => {
  expect(pressKey("j", { ctrlKey: true })).toBeUndefined();
  expect(pressKey("j", { metaKey: true })).toBeUndefined();
  expect(pressKey("j", { altKey: true })).toBeUndefined();
  expect(pressKey("j", { defaultPrevented: true })).toBeUndefined();
  expect(pressKey("j", {}, ["textarea"])).toBeUndefined();
  expect(pressKey("j", {}, ["dialog[open]"])).toBeUndefined();
});

test("arrow keys are ignored inside controls that use them", () => {
  expect(pressKey("ArrowRight", {}, ["[role=grid]"])).toBeUndefined();
  expect(pressKey("j", {}, ["[role=grid]"])).toBe(nextBinding);
});
