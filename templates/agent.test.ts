/** Tests of the agent, without a world or a model. `npm test` runs them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeStepResult, fakeTask } from "bowline/testing";
import makeAgent from "./agent.ts";

const agent = makeAgent({ maxTurns: 4, maxTurnTokens: 48, maxTokens: 160 });
const task = fakeTask({ instruction: "close all tickets" });
const place = { turn: 1, maxTurns: 4 };

test("the agent starts with the task, and runs the whole message of the policy as code", () => {
  assert.deepEqual(
    agent.start(task).map(({ content }) => content),
    ["close all tickets"],
  );
  assert.equal(agent.extractCode("print(1)"), "print(1)");
});

test("the agent repeats the task only after a call that failed", () => {
  const observation = (status: "ok" | "error") =>
    agent.observe(task, fakeStepResult({ status, text: "what was printed" }), place).content;
  assert.equal(observation("ok"), "what was printed");
  assert.equal(observation("error"), "what was printed\nclose all tickets");
});
