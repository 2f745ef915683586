import fc from "fast-check";
import { expect, test } from "vitest";
import { byteTokenizer } from "../testing/byte-tokenizer.ts";
import { fakeStepResult, fakeTask } from "../testing/fake-episode.ts";
import { compactRenderer, compactScaffold, cutText, enginePolicy } from "./index.ts";

const tokenizer = byteTokenizer();
const renderer = compactRenderer(tokenizer);
const specialId = (name: string) => tokenizer.special(name);

test("compactScaffold shows only the instruction and runs the whole message as code", () => {
  const scaffold = compactScaffold({ maxTurns: 5 });
  const task = fakeTask({ instruction: "Pay Ana." });
  expect(scaffold.start(task)).toEqual([{ role: "user", content: "Pay Ana." }]);
  expect(scaffold.extractCode("```js\nx\n```")).toBe("```js\nx\n```");
  expect(scaffold.limits).toEqual({ maxTurns: 5, maxTurnTokens: 96, maxTokens: 512 });
  const result = fakeStepResult({ text: "[1, 2]", stdout: "unused" });
  expect(scaffold.observe(task, result)).toEqual({ role: "environment", content: "[1, 2]" });
});

test("the error for a limit that is not a positive integer names the limit", () => {
  expect(() => compactScaffold({ maxTurns: 0 })).toThrow("maxTurns: expected an integer >= 1");
  expect(() => compactScaffold({ maxObservationLines: 1.5 })).toThrow("maxObservationLines");
});

const limits = { maxObservationCharacters: 12, maxObservationLines: 3 };

test.each([
  ["short\n", "short\n"],
  ["", ""],
  ["a\nb\nc", "a\nb\nc"],
  ["a\nb\nc\n", "a\nb\nc\n"],
  ["a\nb\nc\nd\ne", "a\nb\nc\n[4 more characters]"],
  ["words and more", "words and\n[5 more characters]"],
  ["x 0123456789012", "x 0123456789\n[3 more characters]"],
  ["abcdefghijk\u{1f600}", "abcdefghijk\n[2 more characters]"],
])("cutText cuts %j within its limits", (text, expected) => {
  expect(cutText(text, limits)).toBe(expected);
});

test("cutText keeps a beginning of the text within both limits and counts the missing characters", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", " ", "\n", "é"), maxLength: 40 }),
      (text) => {
        const cut = cutText(text, limits);
        if (cut === text) return;
        const [, head, missing] = /^(.*)\n\[(\d+) more characters\]$/s.exec(cut)!;
        expect(text.startsWith(head!)).toBe(true);
        expect(head!.length + Number(missing)).toBe(text.length);
        expect(head!.length).toBeLessThanOrEqual(12);
        expect(head!.split("\n").length).toBeLessThanOrEqual(3);
      },
    ),
  );
});

test("compactRenderer puts one-token markers around separately encoded segments", () => {
  const start = renderer.start([{ role: "user", content: "Hi" }]);
  expect(start).toEqual([specialId("<|task|>"), 72 + 4, 105 + 4, specialId("<|code|>")]);
  expect(renderer.next({ role: "environment", content: "ok" })).toEqual([
    ...tokenizer.encode("ok"),
    specialId("<|code|>"),
  ]);
  expect(renderer.turn("x")).toEqual([...tokenizer.encode("x"), specialId("<|run|>")]);
  expect(renderer.stopIds).toEqual([specialId("<|run|>")]);
  expect(renderer.forcedEnd).toEqual([specialId("<|run|>")]);
});

test("compactRenderer renders earlier turns in a prompt the same way as sampled turns", () => {
  const messages = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "x" },
    { role: "environment", content: "ok" },
  ] as const;
  expect(renderer.start(messages)).toEqual([
    ...renderer.start(messages.slice(0, 1)),
    ...renderer.turn("x"),
    ...renderer.next(messages[2]),
  ]);
});

test("text that looks like a marker is encoded as text, and a sampled marker decodes to no text", () => {
  expect(tokenizer.encode("<|run|>")).not.toContain(specialId("<|run|>"));
  expect(renderer.text([specialId("<|task|>"), ...tokenizer.encode("x"), 0])).toBe("x");
});

test("encoding and decoding with the byte tokenizer returns every well-formed text", () => {
  const unit = fc.constantFrom("a", "\n", "\0", "é", "\ufeff", "\u{1f600}", "<|run|>");
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
    }),
  );
  expect(() => tokenizer.special("<|end|>")).toThrow("no special token <|end|>; expected one of");
});

test("enginePolicy passes on one request at a time and releases prefixes by key", async () => {
  const calls: unknown[] = [];
  const sample = { tokens: [1], logprobs: [-1], stop: "length", policyVersion: 2 } as const;
  const policy = enginePolicy({
    sample: async (requests, signal) => {
      calls.push([requests, signal]);
      return [sample];
    },
    release: (key) => calls.push(key),
  });
  if (policy.kind !== "tokens") throw new Error("an engine policy has tokens");
  const request = { tokens: [1], stream: 1, maxTokens: 1, temperature: 1, stopIds: [] };
  const { signal } = new AbortController();
  expect(await policy.sample(request, signal)).toBe(sample);
  policy.release("key");
  expect(calls).toEqual([[[request], signal], "key"]);
});
