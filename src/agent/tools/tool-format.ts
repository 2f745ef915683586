/**
 * Detects the form in which a chat template writes tool calls, by letting the template write one.
 *
 * A template that has no form for tools silently ignores them, and a model does not call when it is asked in a form on
 * which it was not trained. So a form is accepted only if the template lists the tools, writes the call in a known way,
 * and shows the result.
 */
import type { ChatMessage } from "../../spec/index.ts";

/** The form in which a template writes tool calls. With `none`, tools are refused. */
export type ToolFormat = "hermes" | "llama" | "none";

export interface ToolForm {
  readonly format: ToolFormat;
  /** The text before a call's name, and the text between its name and its arguments. Both are empty for `none`. */
  readonly beforeName: string;
  readonly beforeArguments: string;
}

type Render = (messages: readonly ChatMessage[], tools: readonly unknown[] | undefined) => string;

const NAME = "probe_tool";
const TOOL = {
  type: "function",
  function: {
    name: NAME,
    description: "Probes.",
    parameters: { type: "object", properties: { key: { type: "string" } }, required: ["key"] },
  },
};
const ID = "callprobe";
const CALL = { type: "function", id: ID, function: { name: NAME, arguments: { key: "value" } } };
const QUESTION: ChatMessage = { role: "user", content: "Probe it." };
const CONVERSATION: readonly ChatMessage[] = [
  QUESTION,
  { role: "assistant", content: "", tool_calls: [CALL] },
  { role: "tool", content: "as probed", tool_call_id: ID, name: NAME },
];

const FORMS: readonly [Exclude<ToolFormat, "none">, RegExp][] = [
  ["hermes", /(<tool_call>\s*\{\s*"name":\s*")probe_tool(",\s*"arguments":)\s*\{"key": ?"value"\}/],
  ["llama", /(\{\s*"name":\s*")probe_tool(",\s*"parameters":)\s*\{"key": ?"value"\}/],
];

export const NO_FORM: ToolForm = { format: "none", beforeName: "", beforeArguments: "" };

/** Returns the form in which a template writes tool calls, or `NO_FORM` when it has none or an unknown one. */
export function detectToolForm(render: Render): ToolForm {
  const text = tryRender(render, CONVERSATION, [TOOL]);
  const listed = tryRender(render, [QUESTION], [TOOL]);
  if (!text?.includes("as probed") || !listed?.includes(NAME)) return NO_FORM;
  for (const [format, pattern] of FORMS) {
    const [, beforeName, beforeArguments] = pattern.exec(text) ?? [];
    if (beforeName && beforeArguments) return { format, beforeName, beforeArguments };
  }
  return NO_FORM;
}

function tryRender(render: Render, ...args: Parameters<Render>): string | undefined {
  try {
    return render(...args);
  } catch {
    return undefined;
  }
}
