/**
 * The scaffold of function calls for models trained from scratch here. A call is as short as JSON allows, one per line:
 *
 *     contacts.find{"name":"Omyr Trioskei"}          [{"name":"Omyr Trioskei","handle":"omyr.t","city":"Lima"}]
 *     mail.forward{"id":103,"to":"omyr.t"}           {"id":110}
 *     mail.forward{"id":102,"to":"omyr.t"}           {"id":111}
 *
 * An answer is what the API returned, one per line. The answer to a call that changed something is shortened to its id
 * or to `ok`, because the rest only repeats what was asked for. Everything else is as in the compact scaffold.
 */
import type { Message, Scaffold } from "../spec/index.ts";
import {
  type CallAnswer,
  cellForCalls,
  collectCalls,
  type FunctionCall,
  messageForCell,
  type ParsedCalls,
  parseJson,
  readCallAnswers,
  toFunctionCall,
} from "./call-cells.ts";
import { rewriteAsCallCells } from "./call-demonstration.ts";
import { type CompactLimits, compactScaffold, cutText } from "./compact-scaffold.ts";

/**
 * A row of calls holds whole pages of items and every id that is used, so it is several times as long as a row of code.
 */
export const COMPACT_TOOLS_LIMITS: CompactLimits = {
  maxTurns: 12,
  maxTurnTokens: 512,
  maxTokens: 1536,
  maxObservationCharacters: 600,
  maxObservationLines: 60,
};

/** Creates the `compact-tools` scaffold. Throws a `config` error for a limit that is not an integer of at least 1. */
export function compactToolsScaffold(limits: Partial<CompactLimits> = {}): Scaffold {
  const all = { ...COMPACT_TOOLS_LIMITS, ...limits };
  const compact = compactScaffold(all);
  return {
    name: "compact-tools",
    limits: compact.limits,
    start: compact.start,
    observe: (_task, result): Message => ({
      role: "environment",
      content: cutText(readCallAnswers(result).map(formatAnswer).join("\n"), all),
    }),
    extractCode: (message) => cellForCalls(parseCompactCalls(message)),
    messageOf: (code) => messageForCell(code, formatCalls),
    cellsOf: rewriteAsCallCells,
  };
}

/** Parses the calls of a message, which are written as `app.api{...}`, one per line. */
export function parseCompactCalls(message: string): ParsedCalls {
  const lines = message.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0)
    return { problem: "no call; write app.api{...}, such as docs.listApps{}" };
  return collectCalls(lines.map(parseCallLine));
}

function parseCallLine(line: string) {
  const at = line.indexOf("{");
  if (at < 0) return { problem: `a call is app.api{...}, but came ${line.slice(0, 60)}` };
  const args = parseJson(line.slice(at));
  const name = line.slice(0, at).trim();
  return args === undefined
    ? { problem: `what follows ${name} is no JSON` }
    : toFunctionCall(name, args);
}

function formatCalls(calls: readonly FunctionCall[]): string {
  return calls.map(({ app, api, args }) => `${app}.${api}${JSON.stringify(args)}`).join("\n");
}

function formatAnswer(answer: CallAnswer): string {
  if (!answer.ok) return `error: ${answer.message}`;
  return answer.wrote ? (extractId(answer.json) ?? "ok") : answer.json;
}

/** Returns the answer reduced to its id, or undefined when it has no id. */
function extractId(json: string): string | undefined {
  const answer = parseJson(json);
  if (typeof answer !== "object" || answer === null || !("id" in answer)) return undefined;
  return JSON.stringify({ id: answer.id });
}
