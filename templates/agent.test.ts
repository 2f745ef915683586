/** Tests of the agent, which need neither a world nor a model. Run by `npm test`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeStepResult, fakeTask } from "bowline/testing";
import makeAgent from "./agent.ts";

const agent = makeAgent({ maxTurns: 4, maxTurnTokens: 48, maxTokens: 160 });
const task = fakeTask({ instruction: "close all tickets" });
const place = { turn: 1, maxTurns: 4 };

test("it starts with the task, and what the policy says is the code", () => {
  assert.deepEqual(
    agent.start(task).map(({ content }) => content),
    ["close all tickets"],
  );
  assert.equal(agent.extractCode("print(1)"), "print(1)");
});

test("the task is said again after a call that failed, and only then", () => {
  const shown = (status: "ok" | "error") =>
    agent.observe(task, fakeStepResult({ status, text: "what was printed" }), place).content;
  assert.equal(shown("ok"), "what was printed");
  assert.equal(shown("error"), "what was printed\nclose all tickets");
});
