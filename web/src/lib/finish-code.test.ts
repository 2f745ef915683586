import { describe, expect, it } from "vitest";
import { buildFinishCode } from "./finish-code.ts";

describe("the cell that finishes a task", () => {
  it.each([
    ["done", "", "apis.me.finishTask()"],
    ["impossible", " ", 'apis.me.finishTask({ status: "impossible" })'],
    ["done", "12.5", "apis.me.finishTask({ answer: 12.5 })"],
    ["done", "Ann", 'apis.me.finishTask({ answer: "Ann" })'],
    ["done", '"12"', 'apis.me.finishTask({ answer: "12" })'],
    ["done", '["a", 2]', 'apis.me.finishTask({ answer: ["a",2] })'],
    ["done", "null", 'apis.me.finishTask({ answer: "null" })'],
    ["done", 'say "hi"', 'apis.me.finishTask({ answer: "say \\"hi\\"" })'],
    ["impossible", "x", 'apis.me.finishTask({ status: "impossible", answer: "x" })'],
  ] as const)("has the status %s and the answer %j", (status, answer, code) => {
    expect(buildFinishCode(status, answer)).toBe(code);
  });
});
