/** Tests the scaffold of AppWorld. */
import { expect, test } from "vitest";
import type { StepResult, TaskInfo } from "../spec/index.ts";
import { appworldScaffold } from "./appworld-scaffold.ts";

const task: TaskInfo = {
  ...{ id: "train/aaaaaa1/1", scenario: "train/aaaaaa1", split: "train", difficulty: 1 },
  ...{ signature: "appworld", instruction: "I am Ada Low. Put a cup into the box." },
};
const printed = (text: string): StepResult => ({
  ...{ status: "ok", stdout: text, calls: [], finished: false, text },
});

test("the prompt alternates between user and agent, and ends with the agent's own task", () => {
  const messages = appworldScaffold().start(task);
  expect(messages.map(({ role }) => role)).toEqual([
    ...["system", "user", "assistant", "environment", "assistant", "user"],
  ]);
  expect(messages.at(-1)!.content.endsWith("The task: I am Ada Low. Put a cup into the box.")).toBe(
    true,
  );
});

test("Python blocks are run, blocks of other languages are not, and thoughts are ignored", () => {
  const { extractCode, messageOf } = appworldScaffold();
  expect(extractCode("First.\n```python\nx = 1\n```\nThen.\n```\nprint(x)\n```")).toBe(
    "x = 1\nprint(x)",
  );
  expect(extractCode("```js\nlet x\n```")).toBe("");
  expect(extractCode("<think>\n```python\nwrong\n```\n</think>\n```py\nright\n```")).toBe("right");
  expect(extractCode("```python\nprint('cut off")).toBe("print('cut off");
  expect(extractCode(messageOf!("print(1)"))).toBe("print(1)");
});

test("an observation is cut to its limit, and repeats the task", () => {
  const scaffold = appworldScaffold({ maxObservationTokens: 10 });
  const { content } = scaffold.observe(task, printed("word ".repeat(100)));
  expect(content).toContain("[cut: this is");
  expect(content.endsWith("As a reminder: I am Ada Low. Put a cup into the box.")).toBe(true);
});
