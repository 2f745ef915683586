/**
 * The scaffold of function calls in the form of Hermes and Qwen, for models with a chat template:
 *
 *     <tool_call>
 *     {"name": "mail.star", "arguments": {"id":109}}
 *     </tool_call>
 *
 * A world has more APIs than fit into a prompt, so the prompt names only those of `docs`, with which the agent looks up
 * the others. A message holds one or several calls, which are made in order up to the first that fails. Each call is
 * answered in its own `<tool_response>`, which is how the chat templates of these models show answers.
 */
import type { Message, RolloutLimits, Scaffold, Tokenizer } from "../spec/index.ts";
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
import { cutToTokens } from "./react-scaffold.ts";
import { requireValidLimits } from "./require-valid-limits.ts";
import { createHermesReader } from "./tools/hermes.ts";
import type { CallStatus } from "./tools/index.ts";

export interface ToolsLimits extends RolloutLimits {
  /**
   * The number of tokens to which the answers to one message are cut, in equal shares, not counting the notes that say
   * so.
   */
  readonly maxObservationTokens: number;
}

/**
 * Single calls need about two and a half times as many turns as code in the everyday world. Nine of ten tasks need at
 * most 23.
 */
export const TOOLS_LIMITS: ToolsLimits = {
  maxTurns: 40,
  maxTurnTokens: 768,
  maxTokens: 8192,
  maxObservationTokens: 600,
};

const SYSTEM = `You do tasks for one person by calling functions of their apps. Answer with one call or several, each in this form:
<tool_call>
{"name": "app.function", "arguments": {"key": "value"}}
</tool_call>
Each is answered in a <tool_response>. Calls of one message are made in order, up to the first that fails. No variables are kept: write out every value.
Look functions up before you call them: docs.listApps {}, docs.listApis {"app"}, docs.showApi {"app", "api"}, docs.search {"query"}. Lists come in pages: ask for the next {"page"} while "more" is true.
When all is done, call me.finishTask {}, with "answer" where the task asks a question.`;
const FIRST_STEP = "First look up what there is: call docs.listApps.";
const EXAMPLE_MESSAGES: readonly Message[] = [
  { role: "user", content: "Task: How many apps are there?" },
  { role: "assistant", content: formatCalls([{ app: "docs", api: "listApps", args: {} }]) },
  {
    role: "environment",
    content: wrapToolResponse('{"items":[{"name":"docs"},{"name":"me"}],"more":false}'),
  },
  {
    role: "assistant",
    content: formatCalls([{ app: "me", api: "finishTask", args: { answer: 2 } }]),
  },
];

/**
 * Creates the `tools` scaffold. Without a tokenizer, observations are cut by characters, which is enough for display.
 */
export function toolsScaffold(
  limits: Partial<ToolsLimits> = {},
  tokenizer?: Pick<Tokenizer, "encode" | "decode">,
): Scaffold {
  const all = { ...TOOLS_LIMITS, ...limits };
  requireValidLimits(all);
  const { maxTurns, maxTurnTokens, maxTokens, maxObservationTokens } = all;
  return {
    name: "tools",
    limits: { maxTurns, maxTurnTokens, maxTokens },
    start: ({ instruction }): Message[] => [
      { role: "system", content: SYSTEM },
      ...EXAMPLE_MESSAGES,
      { role: "user", content: `Task: ${instruction}\n${FIRST_STEP}` },
    ],
    observe: (_task, result): Message => {
      const answers = readCallAnswers(result);
      const share = Math.max(1, Math.floor(maxObservationTokens / answers.length));
      const texts = answers.map((answer) =>
        wrapToolResponse(cutToTokens(formatAnswer(answer), share, tokenizer)),
      );
      return { role: "environment", content: texts.join("\n") };
    },
    extractCode: (message) => cellForCalls(parseHermesCalls(message)),
    messageOf: (code) => messageForCell(code, formatCalls),
    cellsOf: rewriteAsCallCells,
  };
}

const EXPECTED_CALL = '<tool_call>{"name": "app.function", "arguments": {...}}</tool_call>';

const CALL_PROBLEMS: { readonly [status in Exclude<CallStatus, "ok" | "not-offered">]: string } = {
  unclosed: `a <tool_call> has no </tool_call>; expected ${EXPECTED_CALL}`,
  "invalid-json": `what stands in a <tool_call> is no JSON; expected ${EXPECTED_CALL}`,
  "no-name": `a call has no "name"; expected ${EXPECTED_CALL}`,
  "no-object": `the "arguments" of a call are no JSON object; expected ${EXPECTED_CALL}`,
};

/** Parses the calls of a message by the rules of `tools/hermes.ts`. */
export function parseHermesCalls(message: string): ParsedCalls {
  // A scaffold receives messages, in which the marks are text. So the whole message is given as one id without marks.
  const { read } = createHermesReader({
    idOf: () => undefined,
    text: (ids) => (ids.length > 0 ? message : ""),
    thinks: false,
    calls: true,
  });
  const { parts, statuses } = read([0], { tools: true });
  const wrong = statuses.find((status) => status !== "ok" && status !== "not-offered");
  if (wrong !== undefined) return { problem: CALL_PROBLEMS[wrong as keyof typeof CALL_PROBLEMS] };
  const calls = parts.flatMap((part) =>
    part.type === "call" ? [toFunctionCall(part.name, parseJson(part.arguments))] : [],
  );
  return calls.length > 0 ? collectCalls(calls) : { problem: `no call; expected ${EXPECTED_CALL}` };
}

function formatCalls(calls: readonly FunctionCall[]): string {
  return calls
    .map(({ app, api, args }) => {
      const call = `{"name": "${app}.${api}", "arguments": ${JSON.stringify(args)}}`;
      return `<tool_call>\n${call}\n</tool_call>`;
    })
    .join("\n");
}

function formatAnswer(answer: CallAnswer): string {
  return answer.ok ? answer.json : `Error: ${answer.message}`;
}

function wrapToolResponse(text: string): string {
  return `<tool_response>\n${text}\n</tool_response>`;
}
