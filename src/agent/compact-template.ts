/**
 * The rows of `compactRenderer` as a chat template, for programs that do not know our renderer. A user message that
 * follows an answer is what the code printed; every other user message is a task.
 */
export const COMPACT_TEMPLATE = `{%- set ns = namespace(answered=false) -%}
{%- for message in messages -%}
{%- if message["role"] == "assistant" -%}
{{- "<|code|>" + message["content"] + "<|run|>" -}}
{%- set ns.answered = true -%}
{%- elif ns.answered -%}
{{- message["content"] -}}
{%- set ns.answered = false -%}
{%- else -%}
{{- "<|task|>" + message["content"] -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- "<|code|>" -}}
{%- endif -%}
`;
