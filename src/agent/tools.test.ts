import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StepResult } from "../spec/index.ts";
import { byteTokenizer } from "../testing/byte-tokenizer.ts";
import { fakeStepResult, fakeTask } from "../testing/fake-episode.ts";
import { cellForCalls, readCallAnswers, readCallsFromCell } from "./call-cells.ts";
import { parseCompactCalls } from "./compact-tools-scaffold.ts";
import { compactToolsScaffold, toolsScaffold } from "./index.ts";
import { parseHermesCalls } from "./tools-scaffold.ts";

const tools = toolsScaffold();
const compact = compactToolsScaffold();
const both = [tools, compact];
const star = { app: "mail", api: "star", args: { id: 109 } };
const STAR = 'print(JSON.stringify(apis.mail.star({"id":109})));';
const wrapToolCalls = (...calls: string[]) =>
  calls.map((call) => `<tool_call>\n${call}\n</tool_call>`).join("\n");

describe("turning a message into a code cell", () => {
  test.each([
    ["one call", wrapToolCalls('{"name": "mail.star", "arguments": {"id": 109}}'), STAR],
    [
      "a call without arguments",
      wrapToolCalls('{"name": "mail.list"}'),
      STAR.replace("star", "list"),
    ],
    [
      "several",
      `Both.${wrapToolCalls('{"name":"mail.star","arguments":{"id":109}}', '{"name":"mail.star","arguments":{"id":109}}')}`,
      `${STAR}\n${STAR}`,
    ],
    [
      "a call behind a thought",
      `<think>Which one?</think>${wrapToolCalls('{"name":"mail.star","arguments":{"id":109}}')}`,
      STAR,
    ],
  ])("the tools scaffold turns a message into a cell: %s", (what, message, cell) => {
    const expected = what === "a call without arguments" ? cell.replace('{"id":109}', "{}") : cell;
    expect(tools.extractCode(message)).toBe(expected);
  });

  test("the compact-tools scaffold reads one call per line, with any spacing", () => {
    expect(compact.extractCode('mail.star{"id":109}\n\n mail.star {"id": 109} ')).toBe(
      `${STAR}\n${STAR}`,
    );
  });

  test("calls are recovered unchanged from their cell and from their message, in both scaffolds", () => {
    const call = fc.record({
      app: fc.stringMatching(/^[a-z]{1,5}$/),
      api: fc.stringMatching(/^[a-z][A-Za-z0-9]{0,6}$/),
      args: fc
        .dictionary(fc.string(), fc.jsonValue())
        .filter((args) => !JSON.stringify(args).includes("__proto__"))
        .map((args) => JSON.parse(JSON.stringify(args)) as Record<string, unknown>),
    });
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 3 }), (calls) => {
        const cell = cellForCalls({ calls });
        expect(readCallsFromCell(cell)).toEqual(calls);
        for (const { messageOf, extractCode } of both) {
          expect(extractCode(messageOf!(cell))).toBe(cell);
        }
      }),
    );
  });

  test("code that is not a cell of calls is not read as calls", () => {
    expect(readCallsFromCell("print(1)")).toBeUndefined();
    expect(readCallsFromCell(`${STAR} // more`)).toBeUndefined();
    for (const { messageOf, extractCode } of both) {
      expect(extractCode(messageOf!("print(1)"))).not.toBe("print(1)");
    }
  });
});

describe("turning an ill-formed message into a cell that says what is wrong", () => {
  const readProblem = (read: ReturnType<typeof parseHermesCalls>) =>
    "problem" in read ? read.problem : "none";

  test.each([
    ["I will star it.", /no call; expected <tool_call>/],
    [wrapToolCalls("{name: 1}"), /in a <tool_call> is no JSON/],
    [wrapToolCalls('{"arguments": {}}'), /has no "name"/],
    [wrapToolCalls('{"name": "star", "arguments": {}}'), /name is app.api, .* came "star"/],
    [wrapToolCalls('{"name": "mail.star();x", "arguments": {}}'), /name is app.api/],
    [wrapToolCalls('{"name": "mail.star", "arguments": [1]}'), /are no JSON object/],
    [wrapToolCalls('{"name": "mail.star", "arguments": {"__proto__": 1}}'), /called __proto__/],
    ['<tool_call>{"name": "mail.list"}', /has no <\/tool_call>/],
    [wrapToolCalls('{"name": "mail.list"}', "{"), /in a <tool_call> is no JSON/],
  ])("the tools scaffold says what is wrong with %s", (message, expected) => {
    expect(readProblem(parseHermesCalls(message))).toMatch(expected);
  });

  test.each([
    ["", /no call; write app.api\{\.\.\.\}/],
    ["mail.star", /a call is app.api\{...\}, but came mail.star/],
    ['mail.star{"id":}', /what follows mail.star is no JSON/],
    ["star{}", /name is app.api/],
    ['mail.star{"id":1}{"id":2}', /no JSON/],
  ])("the compact-tools scaffold says what is wrong with %j", (message, expected) => {
    expect(readProblem(parseCompactCalls(message))).toMatch(expected);
  });

  test("the cell of an ill-formed message throws the problem unchanged and makes no call", () => {
    const cell = compact.extractCode('mail.star{"id":1}\nno "call" \\ here');
    let error: unknown;
    try {
      new Function(cell)();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      name: "CallError",
      message: 'a call is app.api{...}, but came no "call" \\ here',
    });
  });
});

describe("the observation after a message of calls", () => {
  const createApiCall = (api: string, wrote: boolean, status = 200) => ({
    app: "mail",
    api,
    args: {},
    status,
    wrote,
  });
  const listed: StepResult = fakeStepResult({
    stdout: '{"items":[{"id":1}],"more":false}\n',
    calls: [createApiCall("list", false)],
  });
  const changed: StepResult = fakeStepResult({
    status: "error",
    stdout: '{"id":7,"subject":"x"}\n{"size":3}\n',
    error: { name: "ApiError", message: "404 there is no mail 9" },
    calls: [
      createApiCall("star", true),
      createApiCall("star", true),
      createApiCall("star", false, 404),
    ],
  });
  const observeResult = (scaffold: (typeof both)[number], result: StepResult) =>
    scaffold.observe(fakeTask(), result).content;

  test("the tools scaffold shows one response per call, and the error of the failed call", () => {
    expect(observeResult(tools, listed)).toBe(
      '<tool_response>\n{"items":[{"id":1}],"more":false}\n</tool_response>',
    );
    expect(observeResult(tools, changed)).toBe(
      [
        '<tool_response>\n{"id":7,"subject":"x"}\n</tool_response>',
        '<tool_response>\n{"size":3}\n</tool_response>',
        "<tool_response>\nError: 404 there is no mail 9\n</tool_response>",
      ].join("\n"),
    );
  });

  test("the tools scaffold cuts answers to equal shares of the token limit", () => {
    const { observe } = toolsScaffold({ maxObservationTokens: 30 }, byteTokenizer());
    const [first = "", second = ""] = observe(fakeTask(), changed).content.split("\n</tool_r");
    expect(first).toContain('{"id":7,"s\n[cut: this is 10 of 22 characters]');
    expect(second).toContain('{"size":3}');
  });

  test("the compact-tools scaffold shortens the answer to a change to its id or ok", () => {
    expect(observeResult(compact, listed)).toBe('{"items":[{"id":1}],"more":false}');
    expect(observeResult(compact, changed)).toBe('{"id":7}\nok\nerror: 404 there is no mail 9');
  });

  test("the text of a reached limit and of a finished task is shown unchanged", () => {
    const limited = fakeStepResult({
      status: "limit",
      limit: "calls",
      text: "Limit (calls): too many",
    });
    expect(readCallAnswers({ ...limited, stdout: "" })).toEqual([
      { ok: false, message: "Limit (calls): too many" },
    ]);
    expect(observeResult(compact, fakeStepResult({ text: "(no output)", stdout: "" }))).toBe(
      "(no output)",
    );
  });
});

test("the prompt of the tools scaffold names docs, shows one exchange, and ends with the task", () => {
  const messages = tools.start(fakeTask({ instruction: "Pay Ana." }));
  expect(messages.map(({ role }) => role)).toEqual([
    ...["system", "user", "assistant", "environment", "assistant", "user"],
  ]);
  for (const name of ["listApps", "listApis", "showApi", "search"]) {
    expect(messages[0]!.content).toContain(`docs.${name}`);
  }
  expect(messages.at(-1)!.content).toMatch(/^Task: Pay Ana\./);
  for (const { role, content } of messages) {
    if (role === "assistant") expect(parseHermesCalls(content)).toHaveProperty("calls");
  }
  expect(compact.start(fakeTask({ instruction: "Pay Ana." }))).toHaveLength(1);
});

test.each([toolsScaffold, compactToolsScaffold])(
  "the error for an invalid limit names the limit",
  (make) => {
    expect(() => make({ maxTurns: 0 })).toThrow("maxTurns: expected an integer >= 1");
    expect(star.api).toBe("star");
  },
);
