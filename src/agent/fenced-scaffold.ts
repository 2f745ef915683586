/**
 * The scaffold of small instruction-tuned models, which cannot handle the thousands of tokens of the react prompt.
 *
 * The prompt before the first turn has about two hundred tokens, including the task, in the model's own chat template.
 * It says who acts and how, shows one example exchange, and states the task and the first step. Small models copy what
 * they see rather than follow descriptions, so the form of a turn is shown, not described. The example is about `docs`,
 * which every world has, and contains nothing that the model could mistake for its own task. The last line is a call
 * that is right in any task. A turn is one fenced block of code, which `fenced-code.ts` finds even in imperfect
 * messages. Observations are short and say in plain words what to do next.
 */
import type { Message, RolloutLimits, Scaffold, StepResult, Tokenizer } from "../spec/index.ts";
import { extractFencedCode } from "./fenced-code.ts";
import { wrapCodeInFence } from "./react-code.ts";
import { cutToTokens } from "./react-scaffold.ts";
import { requireValidLimits } from "./require-valid-limits.ts";

export interface FencedLimits extends RolloutLimits {
  /** The number of tokens to which an observation is cut, not counting the note that says so. */
  readonly maxObservationTokens: number;
}

export const FENCED_LIMITS: FencedLimits = {
  maxTurns: 12,
  maxTurnTokens: 256,
  maxTokens: 2048,
  maxObservationTokens: 300,
};

const SYSTEM = `You do tasks by writing JavaScript that calls apis.APP.NAME({ key: value }). Answer with one \`\`\`js block; you get back what it prints.
Look up apps and calls: apis.docs.listApps(), apis.docs.listApis({ app }), apis.docs.showApi({ app, api }). End with apis.me.finishTask().`;
const FIRST_STEP = "First look up what there is: print(apis.docs.listApps())";
const EXAMPLE_MESSAGES: readonly Message[] = [
  { role: "user", content: "Task: How many apps are there?" },
  { role: "assistant", content: wrapCodeInFence("print(apis.docs.listApps().items.length)") },
  { role: "environment", content: "Output:\n9" },
  { role: "assistant", content: wrapCodeInFence("apis.me.finishTask({ answer: 9 })") },
];

/**
 * Creates the `fenced` scaffold. Without a tokenizer, observations are cut by characters, which is enough for display.
 */
export function fencedScaffold(
  limits: Partial<FencedLimits> = {},
  tokenizer?: Pick<Tokenizer, "encode" | "decode">,
): Scaffold {
  const all = { ...FENCED_LIMITS, ...limits };
  requireValidLimits(all);
  const { maxObservationTokens, ...rest } = all;
  const { maxTurns, maxTurnTokens, maxTokens } = rest;
  const cutToLimit = (text: string, maxTokens: number) => cutToTokens(text, maxTokens, tokenizer);
  return {
    name: "fenced",
    limits: { maxTurns, maxTurnTokens, maxTokens },
    start: ({ instruction }): Message[] => [
      { role: "system", content: SYSTEM },
      ...EXAMPLE_MESSAGES,
      { role: "user", content: `Task: ${instruction}\n${FIRST_STEP}` },
    ],
    observe: (_task, result) => ({
      role: "environment",
      content: formatObservation(result, maxObservationTokens, cutToLimit),
    }),
    extractCode: extractFencedCode,
    messageOf: wrapCodeInFence,
  };
}

/**
 * Formats a step's result. Text printed before an error gets at most half of the tokens, so the error is always shown.
 */
function formatObservation(
  result: StepResult,
  maxTokens: number,
  cut: (text: string, most: number) => string,
): string {
  const { status, stdout, calls } = result;
  const printed = stdout.replace(/\n$/, "");
  if (status !== "ok") {
    const half = Math.ceil(maxTokens / 2);
    const failure = `${cut(describeProblem(result), half)}\n${suggestFix(result)}`;
    return printed === "" ? failure : `Output:\n${cut(printed, half)}\n${failure}`;
  }
  if (printed !== "") return `Output:\n${cut(printed, maxTokens)}`;
  return calls.length > 0 ? "It ran and printed nothing." : NO_OUTPUT_MESSAGE;
}

const NO_OUTPUT_MESSAGE =
  "Nothing was printed. Write a ```js block that calls an API and prints the result.";

function describeProblem({ error, limit, text }: StepResult): string {
  if (error) return `Error: ${error.message}`;
  return limit ? `Error: ${LIMIT_MESSAGES[limit]}` : text;
}

const LIMIT_MESSAGES: { readonly [limit in NonNullable<StepResult["limit"]>]: string } = {
  fuel: "the code ran too long",
  calls: "the code called too many APIs",
  jobs: "the code started too many promises",
  memory: "the code used too much memory",
  stack: "the code called itself too deeply",
  "wall-clock": "the code did not come back",
};

/** Suggests one thing to do for this kind of error. The error message already names the variable or parameter. */
function suggestFix({ error, limit }: StepResult): string {
  if (limit) return "Write shorter code.";
  switch (error?.name) {
    case "SyntaxError":
      return "This is no JavaScript. Write the code again, in one ```js block.";
    case "ReferenceError":
      return "Only apis and print exist, and variables that you made. Fix the code.";
    case "ApiError":
      return "Fix the call; apis.docs.showApi({ app, api }) says how it is called.";
    default:
      return "Fix the code; print a value to see what is in it.";
  }
}
