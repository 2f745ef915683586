/** Tests of the scaffold, without a world or a model. `npm test` runs them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeStepResult, fakeTask } from "bowline/testing";
import makeScaffold from "./scaffold.ts";

const scaffold = makeScaffold({ maxTurns: 4, maxTurnTokens: 48, maxTokens: 160 });
const task = fakeTask({ instruction: "close all tickets" });
const place = { turn: 1, maxTurns: 4 };

test("the scaffold starts with the task, and runs the whole message of the policy as code", () => {
  assert.deepEqual(
    scaffold.start(task).map(({ content }) => content),
    ["close all tickets"],
  );
  assert.equal(scaffold.extractCode("print(1)"), "print(1)");
});

test("the scaffold repeats the task only after a call that failed", () => {
  const observation = (status: "ok" | "error") =>
    scaffold.observe(task, fakeStepResult({ status, text: "what was printed" }), place).content;
  assert.equal(observation("ok"), "what was printed");
  assert.equal(observation("error"), "what was printed\nclose all tickets");
});
