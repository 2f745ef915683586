/**
 * The chat template of models that Bowline trains from scratch: ChatML, with tool calls in the format of Hermes.
 *
 *     <|im_start|>system\nSYSTEM\nfind(name)\npay(id,cents)<|im_end|>
 *     <|im_start|>user\nQUESTION<|im_end|>
 *     <|im_start|>assistant\nTEXT<tool_call>{"name":"find","arguments":{"name":"Ada"}}</tool_call><|im_end|>
 *     <|im_start|>user\n<tool_response>RESULT</tool_response><|im_end|><|im_start|>assistant\n
 *
 * An answer with thoughts begins with <think>THOUGHTS</think>. There are no line breaks between turns. The template
 * differs from Qwen's where that saves tokens for a small model: a tool is described only by its name and the names of
 * its parameters, JSON has no spaces, and there are no line breaks next to markers. The model learns from conversations
 * what a tool is for.
 *
 * A turn is written in the same way wherever it stands, so a longer conversation only adds text at the end.
 */

/** The special tokens of a new chat model, in the order of their ids. */
export const CHAT_TOKENS = [
  "<|pad|>",
  "<|im_start|>",
  "<|im_end|>",
  "<tool_call>",
  "</tool_call>",
  "<tool_response>",
  "</tool_response>",
] as const;

/** The special tokens around thoughts. Only a model that learns from conversations with thoughts has them. */
export const THINK_TOKENS = ["<think>", "</think>"] as const;

/** The template in Jinja, as in the `chat_template.jinja` of a published model. */
export const CHAT_TEMPLATE = `{%- set system = messages[0]["content"] if messages and messages[0]["role"] == "system" else none -%}
{%- if system or tools -%}
{{- "<|im_start|>system" -}}
{%- if system -%}
{{- "\\n" + system -}}
{%- endif -%}
{%- for tool in tools or [] -%}
{%- set function = tool["function"] if tool["function"] else tool -%}
{{- "\\n" + function["name"] + "(" -}}
{%- if function["parameters"] and function["parameters"]["properties"] -%}
{%- for name in function["parameters"]["properties"] -%}
{{- name if loop.first else "," + name -}}
{%- endfor -%}
{%- endif -%}
{{- ")" -}}
{%- endfor -%}
{{- "<|im_end|>" -}}
{%- endif -%}
{%- for message in messages -%}
{%- if message["role"] == "assistant" -%}
{{- "<|im_start|>assistant\\n" -}}
{%- if message["reasoning_content"] -%}
{{- "<think>" + message["reasoning_content"] + "</think>" -}}
{%- endif -%}
{{- message["content"] or "" -}}
{%- for call in message["tool_calls"] or [] -%}
{%- set function = call["function"] if call["function"] else call -%}
{%- set arguments = function["arguments"] -%}
{{- "<tool_call>" + '{"name":' + (function["name"] | tojson) + ',"arguments":' -}}
{{- (arguments if arguments is string else arguments | tojson(separators=(",", ":"))) + "}</tool_call>" -}}
{%- endfor -%}
{{- "<|im_end|>" -}}
{%- elif message["role"] == "tool" -%}
{%- if loop.first or messages[loop.index0 - 1]["role"] != "tool" -%}
{{- "<|im_start|>user\\n" -}}
{%- endif -%}
{{- "<tool_response>" + (message["content"] or "") + "</tool_response>" -}}
{%- if loop.last or messages[loop.index0 + 1]["role"] != "tool" -%}
{{- "<|im_end|>" -}}
{%- endif -%}
{%- elif not (loop.first and message["role"] == "system") -%}
{{- "<|im_start|>" + message["role"] + "\\n" + (message["content"] or "") + "<|im_end|>" -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- "<|im_start|>assistant\\n" -}}
{%- endif -%}
`;
