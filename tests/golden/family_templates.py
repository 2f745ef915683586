"""Chat templates in our own words that use the constructs of published families which hf_templates.py does not cover."""

# Of the kind of SmolLM3, Granite and Mistral Small: the date, a mode in the system text, documents.
DATED = """\
{%- set today = strftime_now("%B %d, %Y") -%}
{%- set mode = "think" if enable_thinking is not defined or enable_thinking else "brief" -%}
{%- if messages[0].role in ["system", "developer"] -%}
  {%- set first = messages[0].content if messages[0].content is string else messages[0].content | map(attribute="text") | join -%}
  {%- if "/brief" in first -%}{%- set mode = "brief" -%}{%- endif -%}
  {%- set custom = first.replace("/brief", "").rstrip() -%}
  {%- set rest = messages[1:] -%}
{%- else -%}
  {%- set rest = messages -%}
{%- endif -%}
{{- "<|head|>system\\nToday: " ~ today ~ "\\nMode: " ~ mode ~ "\\n" -}}
{%- if custom is defined and custom %}{{ "\\n" ~ custom | trim }}{% endif -%}
{%- if tools %}
  {{- "\\nTools:\\n" }}
  {%- for tool in tools %}{{ tool | string }}{% if not loop.last %}{{ "\\n" }}{% endif %}{% endfor -%}
{%- endif -%}
{%- if documents %}{% for d in documents %}{{ loop.index }}. {{ d.text | default("none") }}
{% endfor %}{% endif -%}
{{- "<|end|>\\n" -}}
{%- for message in rest -%}
  {%- set text = message.content if message.content is string else "" -%}
  {%- if message.role == "assistant" -%}
    {% generation %}{{- "<|head|>assistant\\n" ~ ("<think>\\n\\n</think>\\n" if mode == "brief" else "") ~ text.lstrip("\\n") -}}
    {%- for c in message.tool_calls or [] %}{{ "\\n<call>" ~ (c.function if c.function else c) | tojson ~ "</call>" }}{% endfor -%}
    {{- "<|end|>\\n" }}{% endgeneration %}
  {%- elif message.role == "tool" -%}
    {{- "<|head|>user\\n<result name=" ~ message.name | default("?", true) | upper ~ ">" ~ text ~ "</result><|end|>\\n" -}}
  {%- else -%}
    {{- "<|head|>" ~ message.role | capitalize ~ "\\n" ~ text ~ "<|end|>\\n" -}}
  {%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt %}{{ "<|head|>assistant\\n" }}{%- endif -%}
"""

# Of the kind of gpt-oss: macros that call themselves write JSON Schema as types; channels; arguments as JSON or text.
TYPED = """\
{%- macro type_of(spec, depth=0) -%}
  {%- if spec.enum -%}
    {{- spec.enum | map("tojson") | join(" | ") -}}
  {%- elif spec.type is string and spec.type == "array" -%}
    {{- type_of(spec["items"] or {}, depth + 1) ~ "[]" -}}
  {%- elif spec.type == "object" -%}
    {%- if spec.properties -%}
      {{- "{" -}}
      {%- for name, inner in spec.properties.items() -%}
        {{- "\\n" ~ "  " * (depth + 1) -}}
        {%- if inner.description %}{{ "// " ~ inner.description ~ "\\n" ~ "  " * (depth + 1) }}{% endif -%}
        {{- name ~ ("" if name in (spec.required or []) else "?") ~ ": " ~ type_of(inner, depth=depth + 1) -}}
        {%- if inner.default is defined -%}
          {{- ", // default: " ~ (inner.default | tojson if inner.default is not string else '"%s"' % inner.default) -}}
        {%- endif -%}
      {%- endfor -%}
      {{- "\\n" ~ "  " * depth ~ "}" -}}
    {%- else %}object{% endif -%}
  {%- elif spec.type is sequence and spec.type is not string -%}
    {{- spec.type | reject("equalto", "null") | list | join(" | ") ~ (" | null" if "null" in spec.type else "") -}}
  {%- else %}{{ {"integer": "number", "boolean": "boolean"}.get(spec.type, spec.type) or "any" }}{% endif -%}
{%- endmacro -%}
{%- macro header(role, channel=none) %}{{ "<|start|>" ~ role }}{% if channel %}{{ "<|channel|>" ~ channel }}{% endif %}{{ "<|message|>" }}{% endmacro -%}
{{- header("system") ~ "Effort: " ~ (reasoning_effort or "medium") ~ ", " ~ strftime_now("%Y-%m-%d") ~ "<|end|>" -}}
{%- if tools -%}
  {{- header("developer") -}}
  {%- for tool in tools | map(attribute="function") -%}
    {{- "// " ~ tool.description.split("\\n") | join("\\n// ") ~ "\\ntype " ~ tool.name ~ " = (_: " ~ type_of(tool.parameters) ~ ") => any;\\n" -}}
  {%- endfor -%}
  {{- "<|end|>" -}}
{%- endif -%}
{%- set state = namespace(last_call=none, results=0) -%}
{%- for message in messages -%}
  {%- if message.role == "assistant" -%}
    {%- if message.content is string and ("<think>" in message.content or "</think>" in message.content) and not loop.last -%}
      {{- raise_exception("Thoughts belong into the field thinking, not into the text of message " ~ loop.index) -}}
    {%- endif -%}
    {%- if message.thinking %}{{ header("assistant", "analysis") ~ message.thinking ~ "<|end|>" }}{% endif -%}
    {%- for call in message.tool_calls | default([], true) -%}
      {%- set call = call.function or call -%}
      {%- set state.last_call = call.name -%}
      {{- header("assistant to=" ~ call.name, channel="commentary") -}}
      {{- (call.arguments if call.arguments is string else call.arguments | tojson) ~ "<|call|>" -}}
    {%- else -%}
      {%- set state.last_call = none -%}
      {{- header("assistant", "final") ~ (message.content if message.content is string else message.content | tojson) ~ "<|end|>" -}}
    {%- endfor -%}
  {%- elif message.role == "tool" -%}
    {%- if state.last_call is none %}{{ raise_exception("A result without a call") }}{% endif -%}
    {%- set state.results = state.results + 1 -%}
    {{- header("%s #%02d" | format(state.last_call, state.results)) ~ message.content | tojson(ensure_ascii=true) ~ "<|end|>" -}}
  {%- else -%}
    {{- header(message.role) ~ (message.content if message.content is string else message.content | tojson(indent=1)) ~ "<|end|>" -}}
  {%- endif -%}
{%- endfor -%}
{{- "<|start|>assistant" if add_generation_prompt -}}
"""

# Of the kind of GLM, Qwen3-Coder and MiniMax: arguments as tags, results joined, thoughts only after the last question.
TAGGED = """\
[start]
{%- macro show(value) -%}
{%- if value is string %}{{ value }}{% elif value is mapping or (value is sequence and value is not string) %}{{ value | tojson(ensure_ascii=False) }}{% else %}{{ value }}{% endif -%}
{%- endmacro -%}
{%- macro visible(content) -%}
{%- if content is string %}{{ content }}{% elif content is iterable and content is not mapping -%}
{%- for part in content if part.type == "text" %}{{ part.text }}{% else %}(nothing){% endfor -%}
{%- elif content is none or content is undefined %}{% else %}{{ content | tojson }}{% endif -%}
{%- endmacro -%}
{%- if tools %}

<|system|>
{% for tool in tools %}
{{ tool.function | dictsort | map("join", ": ") | join("; ") }}
{% endfor %}
{% endif %}
{%- set ns = namespace(last=-1) -%}
{%- for m in messages %}{% if m.role == "user" %}{% set ns.last = loop.index0 %}{% endif %}{% endfor -%}
{%- for m in messages %}
{%- if m.role == "user" %}<|user|>
{{ visible(m.content) }}
{%- elif m.role == "assistant" -%}
<|assistant|>
{%- set thought = "" %}
{%- set text = visible(m.content) %}
{%- if m.reasoning_content is string %}
    {%- set thought = m.reasoning_content %}
{%- elif "</think>" in text %}
    {%- set thought = text.split("</think>")[0].rstrip("\\n").split("<think>")[-1].lstrip("\\n") %}
    {%- set text = text.split("</think>")[-1].lstrip("\\n") %}
{%- endif %}
{%- if loop.index0 > ns.last and thought %}{{ "\\n<think>" ~ thought.strip() ~ "</think>" }}{% else %}{{ "\\n<think></think>" }}{% endif %}
{%- if text.strip() %}{{ "\\n" ~ text.strip() }}{% endif %}
{%- for call in m.tool_calls or [] %}
{%- set f = call.function if call.function is defined else call %}
{{ "\\n<call>" ~ f.name }}
{%- if f.arguments is mapping %}{% for k, v in f.arguments.items() %}
<key>{{ k }}</key>
<value>{{ show(v) }}</value>
{%- endfor %}{% else %}{{ f.arguments | string | urlencode }}{% endif %}
</call>
{%- endfor %}
{%- elif m.role == "tool" %}
{%- if loop.first or loop.previtem.role != "tool" %}{{ "<|observation|>" }}{% endif %}
<result>{{ visible(m.content) }}</result>
{%- if loop.last or loop.nextitem.role != "tool" %}
{{ "" }}
{% endif %}
{%- else %}<|{{ m.role }}|>
{{ visible(m.content) | indent(2) }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{{- "\\n<think></think>" if enable_thinking is defined and not enable_thinking -}}{% endif -%}
"""

# Of the kind of Mistral and DeepSeek: turns must alternate, ids of calls have nine characters, flags in a namespace.
STRICT = """\
{%- if messages and messages[0]["role"] == "system" %}
    {%- set system_message, loop_messages = messages[0]["content"], messages[1:] %}
{%- else %}
    {%- set system_message, loop_messages = "", messages %}
{%- endif %}
{%- set users = loop_messages | selectattr("role", "equalto", "user") | list %}
{%- set ns = namespace(index=0, inside=false) %}
{%- for message in loop_messages | rejectattr("role", "in", ["tool", "developer"]) %}
    {%- if not (message.role == "assistant" and message.tool_calls) %}
        {%- if (message["role"] == "user") != (ns.index % 2 == 0) %}
            {{- raise_exception("Roles must alternate, but message %d of %d is of %s" | format(loop.index, loop.length, message.role)) }}
        {%- endif %}
        {%- set ns.index = ns.index + 1 %}
    {%- endif %}
{%- endfor %}
{{- bos_token }}
{%- for message in loop_messages %}
    {%- if message["role"] == "user" %}
        {%- if tools is not none and message == users[-1] %}
            {{- "[TOOLS]" }}{{- tools | tojson(separators=(",", ":"), sort_keys=true) }}{{- "[/TOOLS]" }}
        {%- endif %}
        {%- if loop.last and system_message %}
            {{- "[INST]" ~ system_message ~ "\\n\\n" ~ message["content"] ~ "[/INST]" }}
        {%- else %}
            {{- "[INST]" ~ message["content"] ~ "[/INST]" }}
        {%- endif %}
    {%- elif message.tool_calls is defined and message.tool_calls is not none and message.tool_calls|length > 0 %}
        {%- set ns.inside = true %}
        {{- "[CALLS][" }}
        {%- for tool_call in message.tool_calls %}
            {%- set out = tool_call.function|tojson %}
            {{- out[:-1] }}
            {%- if tool_call.id is not defined or tool_call.id|length != 9 %}
                {{- raise_exception("Tool call ids have nine characters!") }}
            {%- endif %}
            {{- ', "id": "' ~ tool_call.id ~ '"}' }}
            {{- ", " if not loop.last else "]" ~ eos_token }}
        {%- endfor %}
    {%- elif message["role"] == "assistant" %}
        {{- " " ~ message["content"]|trim ~ eos_token }}
        {%- set ns.inside = false %}
    {%- elif message["role"] in ("tool", "tool_results") %}
        {{- ("[RESULTS]" if ns.inside else "[MORE]") ~ {"content": message.content | string, "call_id": message.tool_call_id | default("none")} | tojson ~ "[/RESULTS]" }}
        {%- if not ns.inside %}{% continue %}{% endif %}
        {%- set ns.inside = false %}
    {%- else %}
        {{- raise_exception("Only user, assistant and tool, not " ~ message.role) }}
    {%- endif %}
{%- endfor %}
"""

FAMILIES = {"dated": DATED, "typed": TYPED, "tagged": TAGGED, "strict": STRICT}
