/** Tests the react scaffold: which code of a message is run, and what the agent reads before and between turns. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteTokenizer } from "../testing/byte-tokenizer.ts";
import { fakeStepResult, fakeTask } from "../testing/fake-episode.ts";
import { compactRenderer } from "./compact-renderer.ts";
import { encodeDemonstration } from "./demonstration.ts";
import { extractReactCode, wrapCodeInFence } from "./react-code.ts";
import { REACT_EXAMPLE } from "./react-example.ts";
import { cutToTokens, reactScaffold } from "./react-scaffold.ts";

describe("the code that the react scaffold runs", () => {
  it.each([
    ["one block", "I look.\n\n```js\nprint(1)\n```\nDone.", "print(1)"],
    ["without a name", "```\nprint(1)\n```", "print(1)"],
    ["other names for it", "```JavaScript\na\n```\n```ts\nb\n```", "a\nb"],
    ["several, in order", "```js\na\n```\nand then\n```js\nb\nc\n```", "a\nb\nc"],
    ["none: an empty cell", "I would print(1).", ""],
    ["cut off by the budget", "```js\nprint(1)\nprint(", "print(1)\nprint("],
    ["cut off behind a whole one", "```js\na\n```\n```js\nb", "a\nb"],
    ["cut off within the opening", "Now: ``", ""],
    ["nothing in it", "```js\n```", ""],
    ["other languages are not run", '```json\n{"a":1}\n```\n```bash\nls\n```\n```js\na\n```', "a"],
    ["an empty one of another language", "```text\n```\n```js\na\n```", "a"],
    ["fences inside a longer fence", "````js\nprint(`\n```\n`)\n````", "print(`\n```\n`)"],
    ["a fence in a line is none", "Use ```js``` fences: ```print(1)```", ""],
    ["indented a little", "  ```js\n  a\n  ```", "  a"],
    ["carriage returns", "```js\r\na\r\nb\r\n```\r\n", "a\nb"],
    ["a thought is not said", "<think>\n```js\nbad\n```\n</think>\n```js\ngood\n```", "good"],
    ["a thought that never ends is all there is", "<think>\n```js\na\n```", "a"],
  ])("extractReactCode returns the code of a message: %s", (_, message, code) => {
    expect(extractReactCode(message)).toBe(code);
  });

  it("code wrapped in a fence is extracted unchanged", () => {
    const line = fc.string({ unit: fc.constantFrom("`", "a", " ", "~", "\\", "<") });
    const code = fc.array(line, { minLength: 1 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(code, (text) => extractReactCode(wrapCodeInFence(text)) === text),
      { numRuns: 300 },
    );
  });
});

describe("what the agent reads in the react scaffold", () => {
  const task = fakeTask({ instruction: "Send Amara 5 dollars." });
  const scaffold = reactScaffold();

  it("the prompt says who the agent is, shows a solved task and rules, and ends with the agent's own task", () => {
    const messages = scaffold.start(task);
    const roles = messages.map(({ role }) => (role === "environment" ? "user" : role));
    expect(roles[0]).toBe("system");
    // Templates refuse conversations in which user and assistant do not alternate.
    roles.slice(1).forEach((role, i) => {
      expect(role).toBe(i % 2 === 0 ? "user" : "assistant");
    });
    const own = messages.findIndex(({ content }) => content.includes(task.instruction));
    expect(own).toBe(messages.length - 1);
    expect(messages.at(-1)!.content.endsWith(`The task: ${task.instruction}`)).toBe(true);
    for (const api of ["docs.listApps", "docs.listApis", "docs.showApi"]) {
      expect(messages[1]!.content).toContain(api);
    }
  });

  it("every message of the prompt's example has code, and its last turn finishes the task", () => {
    const codes = REACT_EXAMPLE.turns.map(({ message }) => extractReactCode(message));
    expect(codes.every((code) => code !== "")).toBe(true);
    expect(codes.at(-1)).toContain("apis.me.finishTask(");
  });

  it("every observation ends with a reminder of the task", () => {
    const { role, content } = scaffold.observe(task, fakeStepResult({ text: "5 found" }));
    expect(role).toBe("environment");
    expect(content).toContain("5 found");
    expect(content.endsWith(`As a reminder: ${task.instruction}`)).toBe(true);
  });

  it("reactScaffold has the paper's limits by default and refuses invalid limits", () => {
    expect(scaffold.limits).toEqual({ maxTurns: 40, maxTurnTokens: 1500, maxTokens: 32_000 });
    expect(() => reactScaffold({ maxObservationTokens: 0 })).toThrow(/maxObservationTokens/);
  });

  it("demonstrated code is put into a fenced message, which the scaffold can run", () => {
    const demonstration = {
      task,
      style: "careful" as const,
      turns: [{ code: "print(1)", result: fakeStepResult({ text: "1" }) }],
      evaluation: { passed: true, finished: true, checks: [] },
    };
    const tokenizer = byteTokenizer();
    const row = encodeDemonstration(demonstration, scaffold, compactRenderer(tokenizer));
    const imitated = row.ids.filter((_, i) => row.mask[i] === 1);
    expect(tokenizer.decode(imitated.slice(0, -1))).toBe("```js\nprint(1)\n```");
  });
});

describe("cutting an observation", () => {
  const bytes = byteTokenizer();

  it("cutToTokens returns a text that fits unchanged", () => {
    expect(cutToTokens("a b", 3, bytes)).toBe("a b");
  });

  it("cutToTokens cuts at the end of a word or line and says how much is shown", () => {
    expect(cutToTokens("one two three four", 10, bytes)).toBe(
      "one two\n[cut: this is 7 of 18 characters]",
    );
    expect(cutToTokens(`${"x".repeat(9)}yyyy`, 9, bytes)).toBe(
      `${"x".repeat(9)}\n[cut: this is 9 of 13 characters]`,
    );
  });

  it("cutToTokens shows a beginning of the text and never cuts inside a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 1, max: 20 }),
        (text, most) => {
          const cut = cutToTokens(text, most, bytes);
          const shown = cut === text ? text : cut.slice(0, cut.lastIndexOf("\n[cut"));
          expect(text.startsWith(shown)).toBe(true);
          expect(bytes.encode(shown).length).toBeLessThanOrEqual(most);
          expect(/[\uD800-\uDBFF]$/.test(shown)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("cutToTokens encodes no more of a huge text than the tokens can hold", () => {
    let seen = 0;
    const counting = {
      ...bytes,
      encode: (text: string) => {
        seen = text.length;
        return bytes.encode(text);
      },
    };
    cutToTokens("word ".repeat(100_000), 100, counting);
    expect(seen).toBeLessThanOrEqual(3200);
  });

  it("cutToTokens counts characters when there is no tokenizer", () => {
    expect(cutToTokens("abcdefghi jkl", 3)).toBe("abcdefghi\n[cut: this is 9 of 13 characters]");
  });
});
