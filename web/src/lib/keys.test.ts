import { expect, test } from "vitest";
import { findBinding, type KeyBinding } from "./keys.ts";

const next: KeyBinding = { keys: ["j", "ArrowRight"], label: "next", run: () => {} };
const press = (key: string, more: object = {}, within: readonly string[] = []) => {
  const event = { key, altKey: false, ctrlKey: false, metaKey: false, defaultPrevented: false };
  const inside = (selector: string) => within.some((part) => selector.includes(part));
  return findBinding([next], { ...event, ...more }, inside);
};

test("a key finds its binding, and only its own", () => {
  expect(press("j")).toBe(next);
  expect(press("ArrowRight")).toBe(next);
  expect(press("k")).toBeUndefined();
});

test("nothing happens while typing, with modifiers, under a dialog or after another answer", () => {
  expect(press("j", { ctrlKey: true })).toBeUndefined();
  expect(press("j", { metaKey: true })).toBeUndefined();
  expect(press("j", { altKey: true })).toBeUndefined();
  expect(press("j", { defaultPrevented: true })).toBeUndefined();
  expect(press("j", {}, ["textarea"])).toBeUndefined();
  expect(press("j", {}, ["dialog[open]"])).toBeUndefined();
});

test("arrows are left to controls that walk by them", () => {
  expect(press("ArrowRight", {}, ["[role=grid]"])).toBeUndefined();
  expect(press("j", {}, ["[role=grid]"])).toBe(next);
});
