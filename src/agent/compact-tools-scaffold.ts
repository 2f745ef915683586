/**
 * Function calls for models made here: as short as a call can be and still be JSON, one a line.
 *
 *     contacts.find{"name":"Omyr Trioskei"}          [{"name":"Omyr Trioskei","handle":"omyr.t","city":"Lima"}]
 *     mail.forward{"id":103,"to":"omyr.t"}           {"id":110}
 *     mail.forward{"id":102,"to":"omyr.t"}           {"id":111}
 *
 * Answers are as the APIs give them, one a line, but for those of calls that changed something: of these only the id is
 * shown, or `ok`, for the rest of it says again what was asked for. All else is as in the compact scaffold.
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

/** A row holds whole pages of items and every id that is acted on, so it is several times as long as one of code. */
export const COMPACT_TOOLS_LIMITS: CompactLimits = {
  maxTurns: 12,
  maxTurnTokens: 512,
  maxTokens: 1536,
  maxObservationCharacters: 600,
  maxObservationLines: 60,
};

/** Throws a config error for a limit that is not an integer >= 1. */
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

/** `app.api{...}`, one a line. */
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

/** The answer with nothing but its id; undefined: it has none. */
function extractId(json: string): string | undefined {
  const answer = parseJson(json);
  if (typeof answer !== "object" || answer === null || !("id" in answer)) return undefined;
  return JSON.stringify({ id: answer.id });
}
