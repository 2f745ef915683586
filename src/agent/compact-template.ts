/**
 * The rows of `compactRenderer` as a chat template, for programs that know nothing of ours. The first message of the user,
 * and every one that follows no answer, is a task; one that follows an answer is what its code printed.
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
