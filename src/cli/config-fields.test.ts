import { expect, test } from "vitest";
import { separateConfigFields } from "./config-fields.ts";
import { isIncomplete } from "./repl-cell.ts";

test("options with a dot in their name are config fields, wherever they stand and however they are spelt", () => {
  const argv = [
    "train",
    "--algo.groupSize",
    "8",
    "starter",
    "--run.minutes=-1",
    "--algo.stragglers",
    "--seed",
    "3",
  ];
  expect(separateConfigFields(argv)).toEqual({
    rest: ["train", "starter", "--seed", "3"],
    fields: { "algo.groupSize": "8", "run.minutes": "-1", "algo.stragglers": true },
  });
});

test("values that contain dots, names of files and negative numbers are not config fields", () => {
  const argv = ["eval", "./my.world.ts", "--world", "a.b.ts", "--temperature", "-1.5", "--out=x.y"];
  expect(separateConfigFields(argv)).toEqual({ rest: argv, fields: {} });
});

test.each([
  ["const a = [1,", true],
  ["for (const x of y) {", true],
  ["`open", true],
  ["/* open", true],
  ["await f(", true],
  ["print(1)", false],
  ["await apis.me.finishTask({})", false],
  ["const a = )", false],
  ['"never closed', false],
  ["", false],
])("isIncomplete(%j) is %s", (code, expected) => {
  expect(isIncomplete(code)).toBe(expected);
});
