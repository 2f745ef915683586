import { expect, test } from "vitest";
import { addPrintOfLastValue, isIncomplete } from "./repl-cell.ts";

/** Runs a cell asynchronously, as the sandbox does, and returns what it prints. */
async function runCell(code: string): Promise<unknown[]> {
  const lines: unknown[] = [];
  const print = (...values: unknown[]) => void lines.push(...values);
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  await new AsyncFunction("print", addPrintOfLastValue(code))(print);
  return lines;
}

test.each<[string, unknown[]]>([
  ["1 + 1", [2]],
  ["'cup'", ["cup"]],
  ["let n = 3; n * 2;", [6]],
  ["[1, 2].map((n) => n + 1) // twice", [[2, 3]]],
  ["Promise.resolve(7)", [7]],
  ["await Promise.resolve(7)", [7]],
  ["{ item: 'cup' }", [{ item: "cup" }]],
  ["null", [null]],
  ["`a\nb`", ["a\nb"]],
  ["let n = 3", []],
  ["undefined", []],
  ["print(1)", [1]],
  ["for (const n of [1, 2]) print(n)", [1, 2]],
  ["{ let n = 1; print(n) }", [1]],
  ["", []],
])("the cell %j shows %j", async (code, values) => {
  expect(await runCell(code)).toEqual(values);
});

test("a cell that cannot be parsed is not changed, so that the sandbox explains the error", () => {
  expect(addPrintOfLastValue("nonsense(")).toBe("nonsense(");
  expect(isIncomplete("nonsense(")).toBe(true);
  expect(addPrintOfLastValue("let = 3 4")).toBe("let = 3 4");
});
