import { expect, it } from "vitest";
import { parseAddress } from "./address.ts";
import { pageTitle } from "./page-title.ts";

it.each([
  ["#/", "Bowline studio"],
  ["#/runs/a%2Fb", "a/b · Bowline studio"],
  ["#/runs/a/behaviour", "Behaviour · a · Bowline studio"],
  ["#/runs/a/files/train-0001/rollouts/1%2F0%2F3", "1/0/3 · a · Bowline studio"],
  ["#/explore?run=a&run=b&q=x", "Explore · a, b · Bowline studio"],
  ["#/overlay?run=a&run=b", "Comparison · a, b · Bowline studio"],
  ["#/worlds/toy/tasks", "tasks · toy · Bowline studio"],
  ["#/worlds", "Worlds · Bowline studio"],
  ["#/runs/a%E2%80%AEb", "a⟨\\u202e⟩b · Bowline studio"],
])("the tab of %s is called %s", (hash, title) => {
  expect(pageTitle(parseAddress(hash))).toBe(title);
});
