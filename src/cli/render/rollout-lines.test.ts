import { expect, test } from "vitest";
import type { Rollout } from "../../spec/index.ts";
import { rolloutLines } from "./rollout-lines.ts";

const EMPTY_TURN = { code: "", observation: "", status: "ok", calls: [] };
const createTurn = (fields: object) => ({ ...EMPTY_TURN, ...fields });

test("a rollout shows a user's messages after the observation, and summaries as turns of the agent", () => {
  const heard = [{ from: "user", text: "and b" }];
  const rollout = {
    turns: [
      createTurn({ message: "a()", code: "a()", observation: "1", heard }),
      createTurn({ message: "did a", part: "summary" }),
      createTurn({ message: "b()", code: "b()", observation: "2" }),
    ],
    outcome: "finished",
  } as unknown as Rollout;
  const lines = rolloutLines(rollout, { width: 40, paint: (_, text) => text });
  expect(lines.slice(0, 6)).toEqual([
    "› a()",
    "  1",
    "  user: and b",
    "› (summary) did a",
    "› b()",
    "  2",
  ]);
});

test("a turn shows the agent's own message if its code was made from a tool call or is missing", () => {
  const call = `mail.star{"id":109}`;
  const rollout = {
    turns: [
      createTurn({ message: "I print.\n```js\nprint(1)\n```", code: "print(1)" }),
      createTurn({ message: call, code: `print(JSON.stringify(apis.mail.star({"id":109})));` }),
      createTurn({ message: "I star it", code: 'throw new Error("no call")', status: "error" }),
      createTurn({ message: "I am done." }),
    ],
    outcome: "turn-limit",
  } as unknown as Rollout;
  const lines = rolloutLines(rollout, { width: 40, paint: (_, text) => text });
  const actions = lines.filter((line) => line.startsWith("›"));
  expect(actions).toEqual(["› print(1)", `› ${call}`, "› I star it", "› (no code) I am done."]);
});
