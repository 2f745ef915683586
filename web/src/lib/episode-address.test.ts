import { expect, it } from "vitest";
import { parseAddress } from "./address.ts";
import { episodeAddress, isFromRun } from "./episode-address.ts";

it("a forked episode belongs to the section of runs, and any other episode to the section of worlds", () => {
  const row = {
    id: "1/0/0",
    index: 0,
    outcome: "finished",
    passed: true,
    turns: 1,
    sampled: 1,
  } as const;
  const record = { run: "a", file: "train-0001", turn: 0, row };
  expect(isFromRun(parseAddress(episodeAddress({ id: "e1", record })))).toBe(true);
  expect(isFromRun(parseAddress(episodeAddress({ id: "e1" })))).toBe(false);
});
