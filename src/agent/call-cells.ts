/**
 * Calls as data, and the cell that makes them. A scaffold whose actions are function calls runs them in the same console as
 * code: one line a call, each printing its answer as one line of JSON.
 *
 *     print(JSON.stringify(apis.mail.star({"id":109})));
 *
 * So rollouts, forks, replays and limits know nothing of calls: the cell is the turn's code. The calls of a message are made
 * in order up to the first that fails. A message that holds no call, or an ill-formed one, makes none: its cell throws, which
 * the agent reads, and which is counted as any cell that fails.
 */
import type { StepResult } from "../spec/index.ts";

/** One function call. Arguments are JSON. */
export interface FunctionCall {
  readonly app: string;
  readonly api: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a message asks for: calls, or what is wrong with it, as a sentence to the agent. */
export type ParsedCalls =
  | { readonly calls: readonly FunctionCall[] }
  | { readonly problem: string };

/** The name of the error that the cell of an ill-formed message throws. */
export const CALL_ERROR = "CallError";

const CALL_NAME = /^([A-Za-z_$][\w$]*)\.([A-Za-z_$][\w$]*)$/;

/** A call from its name and its arguments, or what is wrong with them. */
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
  // In an object that is written out, this name would set a prototype and be no argument.
  if (/(?<!\\)"__proto__":/.test(JSON.stringify(args))) {
    return { problem: `no argument of ${name} is called __proto__` };
  }
  return { app, api, args: args as FunctionCall["args"] };
}

/** Whether something is a call; otherwise it says what is wrong. */
export function isFunctionCall(
  read: FunctionCall | { readonly problem: string },
): read is FunctionCall {
  return "app" in read;
}

/** All calls, or the first problem. */
export function collectCalls(
  read: readonly (FunctionCall | { readonly problem: string })[],
): ParsedCalls {
  const wrong = read.find((one) => !isFunctionCall(one));
  return wrong && "problem" in wrong ? wrong : { calls: read.filter(isFunctionCall) };
}

/** The cell that makes the calls, or says what is wrong. */
export function cellForCalls(read: ParsedCalls): string {
  if ("calls" in read) return read.calls.map(lineForCall).join("\n");
  return `throw Object.assign(new Error(${JSON.stringify(read.problem)}), { name: "${CALL_ERROR}" });`;
}

const lineForCall = ({ app, api, args }: FunctionCall) =>
  `print(JSON.stringify(apis.${app}.${api}(${JSON.stringify(args)})));`;

const CALL_LINE = /^print\(JSON\.stringify\(apis\.(\w+)\.(\w+)\((.*)\)\)\);$/;

/** The calls of a cell that `cellOf` wrote; undefined for any other code. */
export function readCallsFromCell(code: string): readonly FunctionCall[] | undefined {
  const calls = code.split("\n").flatMap((line): FunctionCall[] => {
    const [, app, api, json] = CALL_LINE.exec(line) ?? [];
    const args = parseJson(json ?? "");
    const call = toFunctionCall(`${app}.${api}`, args);
    return json !== undefined && isFunctionCall(call) ? [call] : [];
  });
  return cellForCalls({ calls }) === code ? calls : undefined;
}

/** The message whose cell this is, its calls in a scaffold's own form; of any other code the code itself. */
export function messageForCell(
  code: string,
  write: (calls: readonly FunctionCall[]) => string,
): string {
  const calls = readCallsFromCell(code);
  return calls ? write(calls) : code;
}

/** What was made of each call of a cell, in order; the last is an error where one stopped it. */
export type CallAnswer =
  | { readonly ok: true; readonly json: string; readonly wrote: boolean }
  | { readonly ok: false; readonly message: string };

/** The answers in a result of a cell that `cellOf` wrote. Never empty. */
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

/** The value of a JSON text; undefined: it is none. */
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
