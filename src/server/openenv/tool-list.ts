/** The APIs of a world as tools: names, schemas, and calls as cells of code. */
import {
  type CallAnswer,
  cellForCalls,
  isFunctionCall,
  parseJson,
  readCallAnswers,
  toFunctionCall,
} from "../../agent/index.ts";
import { BowlineError, didYouMean } from "../../core/index.ts";
import type { StepResult } from "../../spec/index.ts";
import type { ApiDescription } from "../../world/index.ts";

/** A tool as MCP describes it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** The cell of a tool call, and how its answer is read; or why there is none. */
export type ToolCell =
  | { readonly code: string; readAnswer(result: StepResult): CallAnswer }
  | { readonly problem: string; readonly isUnknown: boolean };

const RUN_CODE: Tool = {
  name: "run_code",
  description:
    "Run a cell of JavaScript. Variables are kept, apis.<app>.<api>({...}) calls an API, and you see what print(value) prints.",
  inputSchema: {
    type: "object",
    properties: { code: { type: "string", description: "the code" } },
    required: ["code"],
    additionalProperties: false,
  },
};

/** Names that OpenEnv keeps for itself. */
const RESERVED = ["reset", "step", "state", "close"];

export class ToolList {
  readonly tools: readonly Tool[];
  readonly #apis: ReadonlyMap<string, ApiDescription>;

  /** Throws a `world` error when two APIs get the same name. */
  constructor(apis: readonly ApiDescription[]) {
    const named = apis.map((api) => [`${api.app}_${api.api}`, api] as const);
    const names = [...RESERVED, RUN_CODE.name, ...named.map(([name]) => name)];
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) {
      throw new BowlineError("world", `two APIs become the tool ${twice}; rename one of them`);
    }
    this.#apis = new Map(named);
    this.tools = [RUN_CODE, ...named.map(([name, api]) => describeTool(name, api))];
  }

  /** Writes a call as a cell. */
  writeCell(name: string, args: Readonly<Record<string, unknown>>): ToolCell {
    if (name === RUN_CODE.name) return writeCodeCell(args);
    const api = this.#apis.get(name);
    if (api === undefined) {
      const hint = didYouMean(name, this.#apis.keys());
      return { problem: `there is no tool ${JSON.stringify(name)}${hint}`, isUnknown: true };
    }
    const call = toFunctionCall(`${api.app}.${api.api}`, args);
    if (!isFunctionCall(call)) return { ...call, isUnknown: false };
    return {
      code: cellForCalls({ calls: [call] }),
      readAnswer: (result) => readCallAnswers(result).at(-1)!,
    };
  }
}

function describeTool(name: string, { summary, params }: ApiDescription): Tool {
  const { $schema: _, ...inputSchema } = params as { readonly $schema?: string };
  return { name, description: summary, inputSchema };
}

function writeCodeCell({ code, ...others }: Readonly<Record<string, unknown>>): ToolCell {
  if (typeof code !== "string" || Object.keys(others).length > 0) {
    return {
      problem: "run_code: expected the argument code, a text, and no other",
      isUnknown: false,
    };
  }
  return {
    code,
    readAnswer: ({ status, text }) =>
      status === "ok" ? { ok: true, json: text, wrote: false } : { ok: false, message: text },
  };
}

/** Returns the value of an answer: the JSON that the API returned, or the text that the code printed. */
export function readToolResult({ json }: { readonly json: string }): unknown {
  return parseJson(json) ?? json;
}
