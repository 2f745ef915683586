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

const PROBE_NAME = "probe_tool";
const PROBE_TOOL = {
  type: "function",
  function: {
    name: PROBE_NAME,
    description: "Probes.",
    parameters: { type: "object", properties: { key: { type: "string" } }, required: ["key"] },
  },
};
const PROBE_CALL_ID = "callprobe";
const PROBE_CALL = {
  type: "function",
  id: PROBE_CALL_ID,
  function: { name: PROBE_NAME, arguments: { key: "value" } },
};
const PROBE_QUESTION: ChatMessage = { role: "user", content: "Probe it." };
const PROBE_CONVERSATION: readonly ChatMessage[] = [
  PROBE_QUESTION,
  { role: "assistant", content: "", tool_calls: [PROBE_CALL] },
  { role: "tool", content: "as probed", tool_call_id: PROBE_CALL_ID, name: PROBE_NAME },
];

const FORMS: readonly [Exclude<ToolFormat, "none">, RegExp][] = [
  ["hermes", /(<tool_call>\s*\{\s*"name":\s*")probe_tool(",\s*"arguments":)\s*\{"key": ?"value"\}/],
  ["llama", /(\{\s*"name":\s*")probe_tool(",\s*"parameters":)\s*\{"key": ?"value"\}/],
];

export const NO_FORM: ToolForm = { format: "none", beforeName: "", beforeArguments: "" };

/** Returns the form in which a template writes tool calls, or `NO_FORM` when it has none or an unknown one. */
export function detectToolForm(render: Render): ToolForm {
  const text = tryRender(render, PROBE_CONVERSATION, [PROBE_TOOL]);
  const listed = tryRender(render, [PROBE_QUESTION], [PROBE_TOOL]);
  if (!text?.includes("as probed") || !listed?.includes(PROBE_NAME)) return NO_FORM;
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
