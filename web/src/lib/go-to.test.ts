import { expect, it } from "vitest";
import { listPlaces } from "./go-to.ts";

const runs = [
  { id: "starter-seed1", status: "finished" },
  { id: "smoke/2", status: "running" },
] as const;

it("places have all words of the text, and those of the current run come first", () => {
  const find = (text: string, current?: string) =>
    listPlaces(runs, current, text).map(({ address }) => address);
  expect(find("SEED1 star")).toEqual(["#/runs/starter-seed1"]);
  expect(find("running")).toEqual(["#/runs/smoke%2F2"]);
  expect(find("expl", "smoke/2")).toEqual(["#/explore?run=smoke%2F2"]);
  expect(find("nothing")).toEqual([]);
  expect(find("", "smoke/2")[0]).toBe("#/explore?run=smoke%2F2");
});
