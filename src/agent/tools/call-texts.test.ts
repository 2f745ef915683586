/** What answers with tool calls are read as, in the forms of Hermes and Llama 3. */
import { describe, expect, it } from "vitest";
import { createHermesReader } from "./hermes.ts";
import { createLlamaReader } from "./llama.ts";

/** Ids of this test: the marks have ids of their own, and any other character is its own id. */
const MARKS = ["<tool_call>", "</tool_call>", "<think>", "</think>"];
const toText = (ids: readonly number[]) =>
  ids.map((id) => (id < 0 ? MARKS[-id - 1]! : String.fromCodePoint(id))).join("");
const toIds = (text: string) =>
  text
    .split(/(<\/?tool_call>|<\/?think>)/)
    .flatMap((piece) =>
      MARKS.includes(piece)
        ? [-1 - MARKS.indexOf(piece)]
        : [...piece].map((c) => c.codePointAt(0)!),
    );
const hermes = createHermesReader({
  idOf: (mark) => -1 - MARKS.indexOf(mark),
  text: toText,
  calls: true,
  thinks: false,
});
/** The reader of a tokenizer in which the marks are plain text. */
const spelledHermes = createHermesReader({
  idOf: () => undefined,
  text: toText,
  calls: true,
  thinks: false,
});
const llama = createLlamaReader({ text: toText });

type Row = readonly [text: string, calls: readonly (readonly [string, string])[], statuses: string];

const HERMES: readonly Row[] = [
  [
    '{"name": "f", "arguments": {"id": 12345678901234567890}}',
    [["f", '{"id": 12345678901234567890}']],
    "ok",
  ],
  [
    '{"arguments": {"id": 12345678901234567890}, "name": "f"}',
    [["f", '{"id": 12345678901234567890}']],
    "ok",
  ],
  [
    '{"arguments": {"a": 1.0, "b": 1e22, "c": -0, "d": 1E5}, "name": "f"}',
    [["f", '{"a": 1.0, "b": 1e22, "c": -0, "d": 1E5}']],
    "ok",
  ],
  [
    '{"name": "f", "arguments": {"10": 1, "2": 2, "__proto__": 3}}',
    [["f", '{"10": 1, "2": 2, "__proto__": 3}']],
    "ok",
  ],
  ['{"name": "f", "arguments": {"a": 1, "a": 2.0}}', [["f", '{"a": 1, "a": 2.0}']], "ok"],
  ['{"name": "f", "arguments": {"x": 0}, "arguments": {"a": 1.0}}', [["f", '{"a": 1.0}']], "ok"],
  ['{"name": "f", "arguments": {"t": "a } b { \\" c"}}', [["f", '{"t": "a } b { \\" c"}']], "ok"],
  [
    '{"name": "f", "arguments": {"t": "\\u00e9\\/\\ud83d\\ude00\\ud800"}}',
    [["f", '{"t": "\\u00e9\\/\\ud83d\\ude00\\ud800"}']],
    "ok",
  ],
  [
    '{"name": "f", "arguments": {"note": "\\"arguments\\": {}"}}',
    [["f", '{"note": "\\"arguments\\": {}"}']],
    "ok",
  ],
  [
    '{"name": "f", "arguments": {"q": "say </tool_call> now"}}',
    [["f", '{"q": "say </tool_call> now"}']],
    "ok",
  ],
  [
    '{"name": "f", "arguments": {"q": "<tool_call>x</tool_call>"}}',
    [["f", '{"q": "<tool_call>x</tool_call>"}']],
    "ok",
  ],
  [
    '{"name": "f", "arguments": {"q": "<think>a</think>"}}',
    [["f", '{"q": "<think>a</think>"}']],
    "ok",
  ],
  ['{"name": "f"}', [["f", "{}"]], "ok"],
  ['{"name": "f", "arguments": {}}', [["f", "{}"]], "ok"],
  ['{"name": "f", "parameters": {"a": 1}}', [["f", '{"a": 1}']], "ok"],
  ['{"name": "f", "parameters": {"a": 1}, "arguments": {"b": 2}}', [["f", '{"b": 2}']], "ok"],
  ['{"name": "f", "arguments": "{\\"a\\": 1}"}', [], "no-object"],
  ['{"name": "f", "arguments": null}', [], "no-object"],
  ['{"name": "f", "arguments": [1]}', [], "no-object"],
  ['{"arguments": {"a": 1}}', [], "no-name"],
  ['{"name": 3, "arguments": {}}', [], "no-name"],
  ['[{"name": "f", "arguments": {}}]', [], "no-name"],
  ['{"name": "f", "arguments": {"a": 1,}}', [], "invalid-json"],
  ["{'name': 'f', 'arguments': {}}", [], "invalid-json"],
  ['{"name": "f", "arguments": {"a": NaN}}', [], "invalid-json"],
  ['{"name": "f", "arguments": {}} {"name": "g", "arguments": {}}', [], "invalid-json"],
  ['{"name": "f", "arguments": {"a": 1}', [], "invalid-json"],
  ["", [], "invalid-json"],
];

describe.each([
  ["tokens", hermes],
  ["text", spelledHermes],
])("a Hermes call whose marks are %s is read:", (_, reader) => {
  it.each(HERMES)("%s", (text, calls, status) => {
    const { parts, statuses } = reader.read(toIds(`<tool_call>\n${text}\n</tool_call>`), {
      tools: true,
    });
    const got = parts.flatMap((part) =>
      part.type === "call" ? [[part.name, part.arguments]] : [],
    );
    expect(got).toEqual(calls);
    expect(statuses).toEqual([status]);
    if (calls.length === 0) {
      expect(parts).toEqual([{ type: "text", text: `<tool_call>\n${text}\n</tool_call>` }]);
    }
  });

  const answers: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['<tool_call>{"name": "f", "arguments": {}}', [], ["unclosed"]],
    ['<tool_call>{"name": "f", "arguments": {"q": "</tool_call>', [], ["invalid-json"]],
    [
      '<tool_call>{"name": "f"}</tool_call> <tool_call>{"name": "g"}</tool_call>',
      ["f", "g"],
      ["ok", "ok"],
    ],
    [
      '<tool_call>{"name": "f", "arguments": {"q": "x<tool_call>{"name": "g"}</tool_call>',
      ["g"],
      ["unclosed", "ok"],
    ],
    [
      '<tool_call>{"name": "f", "arguments": {"q": "x}}</tool_call> and <tool_call>{"name": "g"}</tool_call>',
      ["g"],
      ["invalid-json", "ok"],
    ],
    ['text </tool_call> <tool_call>{"name": "f"}</tool_call>', ["f"], ["ok"]],
  ];
  it.each(answers)("%s", (text, names, statuses) => {
    const answer = reader.read(toIds(text), { tools: true });
    expect(answer.parts.flatMap((part) => (part.type === "call" ? [part.name] : []))).toEqual(
      names,
    );
    expect(answer.statuses).toEqual(statuses);
  });

  it("what is shown of a growing answer is a beginning of the whole answer", () => {
    const text =
      'Hi <tool_call>{"name": "f", "arguments": {"q": "a</tool_call> b"}}</tool_call> done';
    const textOf = (answer: ReturnType<typeof reader.read>) =>
      answer.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    const ids = toIds(text);
    const whole = textOf(reader.read(ids, { tools: true }));
    expect(whole).toBe("Hidone");
    for (let length = 0; length <= ids.length; length++) {
      const shown = textOf(reader.read(ids.slice(0, length), { tools: true, partial: true }));
      expect(whole.startsWith(shown)).toBe(true);
    }
  });

  it("the JSON of calls is cut out of the texts in which stop texts are searched", () => {
    const searched = (text: string) => reader.textsOutsideCalls(toIds(text));
    const call = '<tool_call>{"name": "f", "arguments": {"q": "STOP }"}}';
    expect(searched(`A STOP ${call}</tool_call> B`)).toEqual([
      "A STOP <tool_call>",
      "</tool_call> B",
    ]);
    expect(searched('<tool_call> {"name": "f", "arguments": {"q": "STOP')).toEqual([
      "<tool_call> ",
      "",
    ]);
    expect(searched(`${call} STOP`)).toEqual(["<tool_call>", " STOP"]);
    expect(searched("<tool_call>STOP")).toEqual(["<tool_call>STOP"]);
  });

  it("a mark in a string does not end a call", () => {
    const ends = (text: string) => reader.endsInCall(toIds(text));
    expect(ends('<tool_call>{"name": "f", "arguments": {"q": "</tool_call>')).toBe(true);
    expect(ends('<tool_call>{"name": "f"}</tool_call>')).toBe(false);
    expect(ends('<tool_call>{"name": "f"</tool_call>')).toBe(false);
  });
});

const LLAMA: readonly Row[] = [
  [
    '{"name": "f", "parameters": {"id": 12345678901234567890}}',
    [["f", '{"id": 12345678901234567890}']],
    "ok",
  ],
  ['{"parameters": {"a": 1.0}, "name": "f"}', [["f", '{"a": 1.0}']], "ok"],
  ['{"name": "f", "arguments": {"a": 1}}', [["f", '{"a": 1}']], "ok"],
  ['{"name": "f", "arguments": {"a": 1}, "parameters": {"b": 2}}', [["f", '{"b": 2}']], "ok"],
  [
    '{"type": "function", "name": "f", "parameters": {"10": 1, "2": 2}}',
    [["f", '{"10": 1, "2": 2}']],
    "ok",
  ],
  ['{"name": "f", "parameters": {"t": "} {"}}', [["f", '{"t": "} {"}']], "ok"],
  ['{"name": "f", "parameters": "{}"}', [], "no-object"],
  ['{"name": "f", "parameters": null}', [], "no-object"],
  ['{"type": "function", "parameters": {}}', [], "no-name"],
  ['{"name": "f", "parameters": {"a": 1,}}', [], "invalid-json"],
  ['{"name": "f", "parameters": {}}; {"name": "g", "parameters": {}}', [], "invalid-json"],
  ['{"name": "f", "parameters": {}} and words', [], "invalid-json"],
  ['{"name": "f", "parameters": {"a": "}"', [], "unclosed"],
];

describe("a Llama call is read:", () => {
  it.each(LLAMA)("%s", (text, calls, status) => {
    const { parts, statuses } = llama(toIds(text), { tools: true });
    expect(statuses).toEqual([status]);
    expect(parts).toEqual(
      calls.length > 0
        ? calls.map(([name, args]) => ({ type: "call", name, arguments: args }))
        : [{ type: "text", text }],
    );
  });

  it.each(['{"answer": 5}', "{'name': 'f'}", 'Use {"name": "f"}'])(
    "%s is an ordinary answer",
    (text) => {
      expect(llama(toIds(text), { tools: true })).toMatchObject({
        parts: [{ type: "text", text }],
        statuses: [],
      });
    },
  );
});
