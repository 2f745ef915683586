/**
 * Turns function calls into code cells and back. A scaffold whose actions are function calls runs them in the same
 * console as code. The cell has one line per call, and each line prints the answer as one line of JSON:
 *
 *     print(JSON.stringify(apis.mail.star({"id":109})));
 *
 * Rollouts, forks, replays and limits therefore need no knowledge of calls, because the cell is the turn's code. The
 * calls of a message are made in order up to the first that fails. A message without a call, or with an ill-formed one,
 * makes no call. Its cell throws an error, which the agent reads and which counts as a failed cell.
 */
import type { StepResult } from "../spec/index.ts";

/** One function call. Its arguments are JSON. */
export interface FunctionCall {
  readonly app: string;
  readonly api: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The calls of a message, or a sentence that tells the agent what is wrong with the message. */
export type ParsedCalls =
  | { readonly calls: readonly FunctionCall[] }
  | { readonly problem: string };

/** The cell of an ill-formed message throws an error with this name. */
export const CALL_ERROR = "CallError";

const CALL_NAME = /^([A-Za-z_$][\w$]*)\.([A-Za-z_$][\w$]*)$/;

/** Builds a function call from a name and arguments, or says what is wrong with them. */
export function toFunctionCall(
  name: string,
  args: unknown,
): FunctionCall | { readonly problem: string } {
  const [, app, api] = CALL_NAME.exec(name) ?? [];
  if (app === undefined || api === undefined) {
    return {
      problem: `a call's name is app.api, such as docs.listApps, but came ${shortenValue(name)}`,
    };
  }
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return {
      problem: `the arguments of ${name} are a JSON object, but came ${shortenValue(args)}`,
    };
  }
  // In an object literal, this name would set the prototype instead of passing an argument.
  if (/(?<!\\)"__proto__":/.test(JSON.stringify(args))) {
    return { problem: `no argument of ${name} is called __proto__` };
  }
  return { app, api, args: args as FunctionCall["args"] };
}

/** Tells whether the value is a function call rather than a problem. */
export function isFunctionCall(
  read: FunctionCall | { readonly problem: string },
): read is FunctionCall {
  return "app" in read;
}

/** Returns all calls, or the first problem. */
export function collectCalls(
  read: readonly (FunctionCall | { readonly problem: string })[],
): ParsedCalls {
  const wrong = read.find((one) => !isFunctionCall(one));
  return wrong && "problem" in wrong ? wrong : { calls: read.filter(isFunctionCall) };
}

/** Returns the code cell that makes these calls, or that throws the problem as an error. */
export function cellForCalls(read: ParsedCalls): string {
  if ("calls" in read) return read.calls.map(lineForCall).join("\n");
  return `throw Object.assign(new Error(${JSON.stringify(read.problem)}), { name: "${CALL_ERROR}" });`;
}

const lineForCall = ({ app, api, args }: FunctionCall) =>
  `print(JSON.stringify(apis.${app}.${api}(${JSON.stringify(args)})));`;

const CALL_LINE = /^print\(JSON\.stringify\(apis\.(\w+)\.(\w+)\((.*)\)\)\);$/;

/** Returns the calls of a cell that `cellForCalls` wrote, or undefined for any other code. */
export function readCallsFromCell(code: string): readonly FunctionCall[] | undefined {
  const calls = code.split("\n").flatMap((line): FunctionCall[] => {
    const [, app, api, json] = CALL_LINE.exec(line) ?? [];
    const args = parseJson(json ?? "");
    const call = toFunctionCall(`${app}.${api}`, args);
    return json !== undefined && isFunctionCall(call) ? [call] : [];
  });
  return cellForCalls({ calls }) === code ? calls : undefined;
}

/**
 * Returns the message that leads to this cell, with the calls written by `write`. Any other code is returned unchanged.
 */
export function messageForCell(
  code: string,
  write: (calls: readonly FunctionCall[]) => string,
): string {
  const calls = readCallsFromCell(code);
  return calls ? write(calls) : code;
}

/** The answer to one call of a cell. When a call failed, it is the last one, and its answer has `ok` false. */
export type CallAnswer =
  | { readonly ok: true; readonly json: string; readonly wrote: boolean }
  | { readonly ok: false; readonly message: string };

/**
 * Returns the answers to the calls of a cell that `cellForCalls` wrote, in order. There is always at least one answer.
 */
export function readCallAnswers({ stdout, calls, error, limit, text }: StepResult): CallAnswer[] {
  const lines = stdout.replace(/\n$/, "").split("\n");
  const made = calls.filter(({ status }) => status === 200);
  const answers = made.map(
    ({ wrote }, i): CallAnswer => ({ ok: true, json: lines[i] ?? "", wrote }),
  );
  const message = error ? error.message : limit ? text.slice(stdout.length).trim() : undefined;
  if (message !== undefined) answers.push({ ok: false, message });
  return answers.length > 0 ? answers : [{ ok: true, json: text, wrote: false }];
}

/** Returns the value of a JSON text, or undefined when the text is not JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function shortenValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
