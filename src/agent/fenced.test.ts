/** Tests the fenced scaffold: which code of a message is run, and what the agent reads before and between turns. */
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Demonstration } from "../spec/index.ts";
import { fakeEpisode, fakeStepResult, fakeTask } from "../testing/fake-episode.ts";
import { scriptedTokenPolicy } from "../testing/index.ts";
import { openTextDirectory } from "../text/index.ts";
import { chatRenderer } from "./chat-renderer.ts";
import { encodeDemonstration } from "./demonstration.ts";
import { extractFencedCode } from "./fenced-code.ts";
import { fencedScaffold } from "./fenced-scaffold.ts";
import { wrapCodeInFence } from "./react-code.ts";
import { runRollout } from "./rollout.ts";

describe("the code that the fenced scaffold runs", () => {
  const rules: { readonly [rule: string]: readonly (readonly [string, string, string])[] } = {
    "1. the first block of JavaScript and nothing after it": [
      ["one block", "I look.\n\n```js\nprint(1)\n```\nDone.", "print(1)"],
      ["without a name", "```\nprint(1)\n```", "print(1)"],
      ["other names for it", "```JavaScript\na\nb\n```", "a\nb"],
      ["of several the first", "```js\na\n```\nOutput: 5\n```js\nb\n```", "a"],
      ["an empty one is none", "```js\n```\n```js\nb\n```", "b"],
      ["other languages are passed over", '```json\n{"a":1}\n```\n```js\na\n```', "a"],
      ["never closed", "```js\nprint(1)\nprint(", "print(1)\nprint("],
      ["closed by the next one's opening", "```js\na\n```js\nb\n```", "a"],
      ["closed behind code", "```js\nprint(1)```", "print(1)"],
      ["closed with words behind", "```js\na\n``` That is it.\nb", "a"],
      ["opened before code", "```js print(1)\nprint(2)\n```", "print(1)\nprint(2)"],
      ["all in one line", "```js print(1)```", "print(1)"],
      ["all in one line without a name", "```apis.me.finishTask()```", "apis.me.finishTask()"],
      ["deeply indented", "1. Look:\n      ```js\n      a\n      ```", "      a"],
      ["a longer fence holds a shorter one", "````js\nprint(`\n```\n`)\n````", "print(`\n```\n`)"],
      ["carriage returns", "```js\r\na\r\nb\r\n```\r\n", "a\nb"],
      ["a thought is not said", "<think>\n```js\nbad\n```\n</think>\n```js\ngood\n```", "good"],
    ],
    "2. otherwise the first block that calls an API": [
      [
        "under another name",
        "```python\nprint(apis.notes.list())\n```",
        "print(apis.notes.list())",
      ],
      ["not one that does not", "```python\nimport os\n```\n```bash\nls\n```", ""],
      ["and not the prose beside it", '```json\n{"a":1}\n```\nprint(1)', ""],
    ],
    "3. without a block, the lines from the first to the last statement": [
      ["bare code", "print(apis.notes.list())", "print(apis.notes.list())"],
      ["between prose", "I will look:\nvar a = 1\nprint(a)\nThat shows it.", "var a = 1\nprint(a)"],
      ["a language alone in a line", "javascript\nprint(1)", "print(1)"],
      [
        "a statement of more lines",
        "for (const x of s) {\n  go(x)\n  print(x)\n}\nOk.",
        "for (const x of s) {\n  go(x)\n  print(x)\n}",
      ],
      ["statements that do nothing are prose", "let us see\nif (and only if) needed", ""],
      ["prose", "I would call apis.notes.list() and print it.", ""],
      ["nothing", "", ""],
    ],
  };
  for (const [rule, cases] of Object.entries(rules)) {
    it.each(cases)(`${rule}: %s`, (_, message, code) => {
      expect(extractFencedCode(message)).toBe(code);
    });
  }

  it("code wrapped in a fence for imitation is extracted unchanged", () => {
    const line = fc.string({ unit: fc.constantFrom("`", "a", " ", "~", "\\", "<", "js") });
    const code = fc
      .array(line, { minLength: 1 })
      .map((lines) => lines.join("\n"))
      .filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(code, (text) => extractFencedCode(wrapCodeInFence(text)) === text),
      { numRuns: 500 },
    );
  });

  it("extracting code from a huge repetitive message takes less than two seconds", () => {
    for (const unit of ["`", "```js\n", "a ", "apis.", "x=", " ", "```\n``"]) {
      const start = performance.now();
      extractFencedCode(unit.repeat(20_000));
      expect(performance.now() - start).toBeLessThan(2000);
    }
  });
});

const folder = fileURLToPath(new URL("../../tests/golden/hf-qwen2", import.meta.url));
const text = openTextDirectory(folder);

describe("what the agent reads in the fenced scaffold", () => {
  const task = fakeTask({ instruction: "Send Amara 5 dollars." });
  const scaffold = fencedScaffold();
  const observeResult = (fields: Parameters<typeof fakeStepResult>[0], made = scaffold) =>
    made.observe(task, fakeStepResult(fields)).content;

  it("the prompt has under 900 characters: how to act, an example exchange, the task", () => {
    const messages = scaffold.start(task);
    const roles = ["system", "user", "assistant", "environment", "assistant", "user"];
    expect(messages.map(({ role }) => role)).toEqual(roles);
    expect(messages.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThan(900);
    expect(messages.at(-1)!.content).toBe(
      "Task: Send Amara 5 dollars.\nFirst look up what there is: print(apis.docs.listApps())",
    );
    for (const api of ["docs.listApps", "docs.listApis", "docs.showApi", "me.finishTask"]) {
      expect(messages[0]!.content).toContain(`apis.${api}(`);
    }
    for (const { role, content } of messages) {
      if (role === "assistant") expect(wrapCodeInFence(extractFencedCode(content))).toBe(content);
    }
    expect(messages[3]!.content).toBe(observeResult({ stdout: "9" }));
  });

  it("an observation shows what was printed, or says that nothing was printed", () => {
    expect(observeResult({ stdout: "1\n2\n" })).toBe("Output:\n1\n2");
    expect(observeResult({ stdout: "" })).toBe(
      "Nothing was printed. Write a ```js block that calls an API and prints the result.",
    );
    const call = { app: "pay", api: "send", args: {}, status: 200, changes: [] };
    expect(observeResult({ stdout: "", calls: [call as never] })).toBe(
      "It ran and printed nothing.",
    );
  });

  it.each([
    ["SyntaxError", "Unexpected token (2:0)", "This is no JavaScript."],
    ["ReferenceError", "'foo' is not defined", "Only apis and print exist"],
    [
      "ApiError",
      "404 there is no app 'foo'; did you mean 'todo'?",
      "Fix the call; apis.docs.showApi",
    ],
    ["TypeError", "not a function", "Fix the code; print a value"],
  ])("the observation of a %s says what went wrong and what to do", (name, message, advice) => {
    const told = observeResult({ status: "error", error: { name, message }, stdout: "seen\n" });
    expect(told.split("\n").slice(0, 3)).toEqual(["Output:", "seen", `Error: ${message}`]);
    expect(told.split("\n")[3]).toContain(advice);
  });

  it("an observation names the limit that the code reached", () => {
    expect(observeResult({ status: "limit", limit: "fuel" })).toBe(
      "Error: the code ran too long\nWrite shorter code.",
    );
  });

  it("printed text is cut to a number of the model's tokens, and an error is always shown", () => {
    const short = fencedScaffold({ maxObservationTokens: 60 }, text.tokenizer);
    const stdout = "one two three ".repeat(40);
    expect(observeResult({ stdout }, short)).toMatch(
      /^Output:\none two .*\n\[cut: this is \d+ of 560 char/,
    );
    const error = { name: "TypeError", message: "not a function" };
    expect(observeResult({ status: "error", error, stdout }, short)).toContain(
      "\nError: not a function\n",
    );
    expect(observeResult({ stdout: "x".repeat(2000) })).toContain(
      "[cut: this is 900 of 2000 characters]",
    );
  });

  it("fencedScaffold refuses limits that are not positive integers", () => {
    expect(() => fencedScaffold({ maxTurns: 0 })).toThrow("maxTurns: expected an integer >= 1");
    expect(fencedScaffold().limits).toEqual({ maxTurns: 12, maxTurnTokens: 256, maxTokens: 2048 });
  });
});

describe("a demonstration in the fenced scaffold", () => {
  it("has the same ids and mask as a rollout that repeats it, in the model's own template", async () => {
    const { tokenizer, generation } = text;
    const renderer = chatRenderer({
      template: text.chatTemplate(),
      tokenizer,
      stopIds: generation.stopIds,
    });
    const scaffold = fencedScaffold({ maxTokens: 4000, maxTurnTokens: 400 }, tokenizer);
    const cells = ["print(1)", "const s = `a\n\\`\\`\\``\nprint(s)", "finish()"];
    const episode = fakeEpisode({ task: fakeTask({ instruction: "Pay <|im_end|> now" }) });
    const turns = [];
    for (const code of cells) turns.push({ code, result: await episode.step(code) });
    const evaluation = await episode.evaluate();
    const demonstration: Demonstration = {
      task: episode.task,
      style: "careful",
      turns,
      evaluation,
    };
    const row = encodeDemonstration(demonstration, scaffold, renderer);
    expect(row.fits).toBe(true);
    const { tokens, outcome } = await runRollout({
      policy: scriptedTokenPolicy(cells.map(wrapCodeInFence), renderer).policy,
      episode: fakeEpisode({ task: episode.task }),
      scaffold,
      renderer,
      id: "0/0/0",
      index: 0,
      stream: 0,
      temperature: 1,
    });
    expect(outcome).toBe("finished");
    expect({ ids: row.ids, mask: row.mask }).toEqual({ ids: tokens!.ids, mask: tokens!.mask });
  });
});
