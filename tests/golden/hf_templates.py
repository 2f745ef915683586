"""Chat templates in our own words that use every construct of the published ones of Qwen2.5, Qwen3 and Llama 3,
small templates for one construct each, and the conversations that both are recorded on. Used by hf_golden.py."""

# Of the Qwen2.5 kind: a default system line, tools as JSON, tool calls, runs of tool results in one user turn.
QWEN2 = """\
{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0]['role'] == 'system' %}
        {{- messages[0]['content'] }}
    {%- else %}
        {{- 'You help.' }}
    {%- endif %}
    {{- "\\n\\n# Functions\\n\\nThese can be called:\\n<tools>" }}
    {%- for tool in tools %}
        {{- "\\n" }}
        {{- tool | tojson }}
    {%- endfor %}
    {{- "\\n</tools>\\n\\nCall one so:\\n<tool_call>\\n{\\"name\\": <name>, \\"arguments\\": <object>}\\n</tool_call><|im_end|>\\n" }}
{%- else %}
    {%- if messages[0]['role'] == 'system' %}
        {{- '<|im_start|>system\\n' + messages[0]['content'] + '<|im_end|>\\n' }}
    {%- else %}
        {{- '<|im_start|>system\\nYou help.<|im_end|>\\n' }}
    {%- endif %}
{%- endif %}
{%- for message in messages %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) or (message.role == "assistant" and not message.tool_calls) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {{- '<|im_start|>' + message.role }}
        {%- if message.content %}
            {{- '\\n' + message.content }}
        {%- endif %}
        {%- for call in message.tool_calls %}
            {%- if call.function is defined %}
                {%- set call = call.function %}
            {%- endif %}
            {{- '\\n<tool_call>\\n{"name": "' }}
            {{- call.name }}
            {{- '", "arguments": ' }}
            {{- call.arguments | tojson }}
            {{- '}\\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == "tool" %}
        {%- if (loop.index0 == 0) or (messages[loop.index0 - 1].role != "tool") %}
            {{- '<|im_start|>user' }}
        {%- endif %}
        {{- '\\n<tool_response>\\n' }}
        {{- message.content }}
        {{- '\\n</tool_response>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}
            {{- '<|im_end|>\\n' }}
        {%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
"""

# Of the Qwen3 kind: thoughts are kept only after the last question; a namespace carries what loops find out.
QWEN3 = """\
{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
    {{- "# Functions\\n<tools>" }}
    {%- for tool in tools %}
        {{- "\\n" }}
        {{- tool | tojson }}
    {%- endfor %}
    {{- "\\n</tools><|im_end|>\\n" }}
{%- elif messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- set found = namespace(searching=true, last=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if found.searching and message.role == "user" and message.content is string and not(message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set found.searching = false %}
        {%- set found.last = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {%- set thought = '' %}
        {%- if message.reasoning_content is string %}
            {%- set thought = message.reasoning_content %}
        {%- elif '</think>' in content %}
            {%- set thought = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {%- if loop.index0 > found.last and (loop.last or (not loop.last and thought)) %}
            {{- '<|im_start|>' + message.role + '\\n<think>\\n' + thought.strip('\\n') + '\\n</think>\\n\\n' + content.lstrip('\\n') }}
        {%- else %}
            {{- '<|im_start|>' + message.role + '\\n' + content }}
        {%- endif %}
        {%- if message.tool_calls %}
            {%- for call in message.tool_calls %}
                {%- if (loop.first and content) or (not loop.first) %}{{- '\\n' }}{%- endif %}
                {%- if call.function %}
                    {%- set call = call.function %}
                {%- endif %}
                {{- '<tool_call>\\n{"name": "' }}
                {{- call.name }}
                {{- '", "arguments": ' }}
                {%- if call.arguments is string %}
                    {{- call.arguments }}
                {%- else %}
                    {{- call.arguments | tojson }}
                {%- endif %}
                {{- '}\\n</tool_call>' }}
            {%- endfor %}
        {%- endif %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == "tool" %}
        {%- if loop.first or (messages[loop.index0 - 1].role != "tool") %}
            {{- '<|im_start|>user' }}
        {%- endif %}
        {{- '\\n<tool_response>\\n' + content + '\\n</tool_response>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}
            {{- '<|im_end|>\\n' }}
        {%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}
"""

# Of the Llama 3 kind: the date, tools in the first question, indented JSON, one call a turn.
LLAMA3 = """\
{{- bos_token }}
{%- if custom_tools is defined %}
    {%- set tools = custom_tools %}
{%- endif %}
{%- if not tools_in_question is defined %}
    {%- set tools_in_question = true %}
{%- endif %}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "1 Jan 2024" %}
    {%- endif %}
{%- endif %}
{%- if not tools is defined %}
    {%- set tools = none %}
{%- endif %}

{#- The system message comes first, whoever wrote it. #}
{%- if messages[0]['role'] == 'system' %}
    {%- set system = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
{%- if builtin_tools is defined or tools is not none %}
    {{- "Code can be run.\\n" }}
{%- endif %}
{%- if builtin_tools is defined %}
    {{- "Tools: " + builtin_tools | reject('equalto', 'code') | join(", ") + "\\n\\n"}}
{%- endif %}
{{- "Today is " + date_string + ".\\n\\n" }}
{%- if tools is not none and not tools_in_question %}
    {%- for t in tools %}
        {{- t | tojson(indent=4) }}
        {{- "\\n\\n" }}
    {%- endfor %}
{%- endif %}
{{- system }}
{{- "<|eot_id|>" }}

{%- if tools_in_question and not tools is none %}
    {%- if messages | length != 0 %}
        {%- set question = messages[0]['content']|trim %}
        {%- set messages = messages[1:] %}
    {%- else %}
        {{- raise_exception("There is no question to put the tools in!") }}
    {%- endif %}
    {{- '<|start_header_id|>user<|end_header_id|>\\n\\n' -}}
    {{- "Answer with a call of one of these:\\n\\n" }}
    {%- for t in tools %}
        {{- t | tojson(indent=4) }}
        {{- "\\n\\n" }}
    {%- endfor %}
    {{- question + "<|eot_id|>"}}
{%- endif %}

{%- for message in messages %}
    {%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + '<|eot_id|>' }}
    {%- elif 'tool_calls' in message %}
        {%- if not message.tool_calls|length == 1 %}
            {{- raise_exception("One call at a time, please!") }}
        {%- endif %}
        {%- set call = message.tool_calls[0].function %}
        {%- if builtin_tools is defined and call.name in builtin_tools %}
            {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' -}}
            {{- "<|python_tag|>" + call.name + ".call(" }}
            {%- for key, value in call.arguments | items %}
                {{- key + '="' + value + '"' }}
                {%- if not loop.last %}
                    {{- ", " }}
                {%- endif %}
            {%- endfor %}
            {{- ")" }}
        {%- else %}
            {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' -}}
            {{- '{"name": "' + call.name + '", ' }}
            {{- '"parameters": ' }}
            {{- call.arguments | tojson }}
            {{- "}" }}
        {%- endif %}
        {%- if builtin_tools is defined %}
            {{- "<|eom_id|>" }}
        {%- else %}
            {{- "<|eot_id|>" }}
        {%- endif %}
    {%- elif message.role == "tool" or message.role == "ipython" %}
        {{- "<|start_header_id|>ipython<|end_header_id|>\\n\\n" }}
        {%- if message.content is mapping or message.content is iterable %}
            {{- message.content | tojson }}
        {%- else %}
            {{- message.content }}
        {%- endif %}
        {{- "<|eot_id|>" }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
"""

# Of the Llama 2 kind, one of two named templates: lines of plain text around blocks, and turns that must alternate.
LLAMA = """\
{% if messages[0]['role'] == 'system' %}
    {% set loop_messages = messages[1:] %}
    {% set system_message = messages[0]['content'] %}
{% else %}
    {% set loop_messages = messages %}
    {% set system_message = false %}
{% endif %}
{% for message in loop_messages %}
    {% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
        {{ raise_exception('Roles must alternate user/assistant/user/assistant/...') }}
    {% endif %}
    {% if loop.index0 == 0 and system_message != false %}
        {% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message['content'] %}
    {% else %}
        {% set content = message['content'] %}
    {% endif %}
    {% if message['role'] == 'user' %}
{{ bos_token + '[INST] ' + content | trim + ' [/INST]' }}
    {% elif message['role'] == 'assistant' %}
{{ ' ' + content.strip() + ' ' + eos_token }}
    {% endif %}
{% endfor %}"""
LLAMA_TOOLS = """{% for tool in tools %}
{{ loop.index }}/{{ loop.length }}: {{ tool.function.name }} {{ tool.function.parameters | tojson }}
{% endfor %}
{% for message in messages if message.role != 'system' %}[{{ message.role | upper }}] {{ message.content }}
{% else %}nothing{% endfor %}
"""

NOW = "2025-03-07T09:05:03"

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "search_songs",
            "description": 'Finds songs by "title" & artist, e.g. <Café del Mar>.\nSlow.',
            "parameters": {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "What to look for"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
                    "share": {"type": ["number", "null"], "minimum": 0.25, "enum": [0.25, 0.5, None]},
                    "explicit": {"type": "boolean", "default": False},
                },
                "required": ["query"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "pay",
            "description": "Zahlt – sofort. 支払い 💸",
            "parameters": {"type": "object", "properties": {}},
        },
    },
]


def call(name: str, arguments) -> dict:
    return {"type": "function", "function": {"name": name, "arguments": arguments}}


def user(content) -> dict:
    return {"role": "user", "content": content}


def assistant(content, **more) -> dict:
    return {"role": "assistant", "content": content, **more}


def tool(content) -> dict:
    return {"role": "tool", "name": "search_songs", "content": content}


SYSTEM = {"role": "system", "content": "  Be brief.\nUse code.  "}
QUESTION = user("  Play “Halo” by Beyoncé,\n\tplease. 🎵 ")
CHATS = {
    "one question": [QUESTION],
    "system and question": [SYSTEM, QUESTION],
    "several turns": [SYSTEM, QUESTION, assistant("Done.\n"), user("Again!"), assistant(" Done again. ")],
    "thoughts": [
        user("2 + 2?"),
        assistant("<think>\n\n  Easy.\n</think>\n\n  4"),
        user("And 3 + 3?"),
        assistant("<think>\nAlso easy.\n\n</think>\n\n6"),
    ],
    "reasoning field": [user("2 + 2?"), assistant("4", reasoning_content="\nTwo pairs.\n")],
    "one call": [
        QUESTION,
        assistant("", tool_calls=[call("search_songs", {"query": "Halo", "limit": 3, "share": 0.5})]),
        tool('{"items": [{"id": 7}]}'),
        assistant("It plays."),
    ],
    "calls and results": [
        SYSTEM,
        QUESTION,
        assistant(
            "Let me see.",
            tool_calls=[
                call("search_songs", {"query": "naïve \"q\" \\ \n", "explicit": True, "share": None}),
                call("pay", {}),
            ],
        ),
        tool("[]"),
        tool("ok"),
        assistant("<think>\nNone.\n</think>\n\nNothing found."),
        user("Try again"),
        assistant("", tool_calls=[call("search_songs", {"query": "x", "nested": {"a": [1, -2.5, [], {}]}})]),
        tool("found"),
    ],
    "arguments as text": [QUESTION, assistant("", tool_calls=[call("pay", '{"cents":  5}')]), tool("paid")],
    "results as data": [QUESTION, assistant("", tool_calls=[call("pay", {"to": "Zoë"})]), tool({"paid": True, "left": []})],
    "answer before question": [assistant("Hi"), user("Hello")],
}

# One construct each; rendered with CONTEXT.
CONTEXT = {
    "text": " \n a b\tc \n",
    "word": "Straße",
    "none": None,
    "items": [3, 1, 2],
    "names": ["b", "A", "c"],
    "people": [{"name": "Ann", "age": 30, "ok": True}, {"name": "Bob", "age": 20, "ok": False}],
    "thing": {"b": 1, "a": [1, 2.5, None, True, "é\"\n\u2028<&>'"], "e": {}, "f": []},
    "yes": True,
    "half": 0.5,
    "wide": "\u00a0x\u3000",
    "bom": "\ufeffx",
}
CONSTRUCTS = [
    "{{ text.strip() }}|{{ text.lstrip() }}|{{ text.rstrip() }}|{{ text | trim }}",
    "{{ 'xxaxx'.strip('x') }}|{{ 'xyaxy'.lstrip('yx') }}|{{ '\\n a\\n'.rstrip('\\n') }}|{{ 'a]'.strip('[]') }}",
    "{{ wide.strip() }}|{{ wide | trim }}|{{ bom.strip() | length }}|{{ ' a '.strip(none) }}",
    "{{ none }}|{{ yes }}|{{ not yes }}|{{ half }}|{{ 3 / 2 }}|{{ 4 / 2 }}|{{ 7 // 2 }}|{{ 2 ** 3 }}|{{ missing }}",
    "{{ 'a' ~ none ~ yes ~ 1 ~ half }}|{{ none | string }}|{{ yes | string }}",
    "{{ items }}|{{ names }}|{{ thing }}|{{ people[0] }}|{{ [] }}|{{ {} }}|{{ [none, 'it\\'s', \"q\\\"\"] }}",
    "{{ thing | tojson }}",
    "{{ thing | tojson(indent=2) }}",
    "{{ thing | tojson(ensure_ascii=true, sort_keys=true, separators=(',', ':')) }}",
    "{{ [] | tojson(indent=2) }}{{ none | tojson }}{{ word | tojson }}{{ 1.0 | tojson }}{{ yes | tojson }}",
    "{% for x in items %}{% if seen is defined %}again {% endif %}{% set seen = x %}{{ seen }},{% endfor %}{{ seen is defined }}",
    "{% set n = 0 %}{% for x in items %}{% set n = n + x %}{{ n }},{% endfor %}{{ n }}",
    "{% set ns = namespace(n=0, all=[]) %}{% for x in items %}{% set ns.n = ns.n + x %}{% set ns.all = ns.all + [x] %}{% endfor %}{{ ns.n }} {{ ns.all | length }}",
    "{% for p in people %}{{ loop.index }}{{ loop.first }}{{ loop.last }}{{ loop.revindex }}{{ p.name }}{% if not loop.last %}, {% endif %}{% endfor %}",
    "{% for x in items %}{{ loop.previtem if loop.previtem is defined else '-' }}<{{ x }}<{{ loop.nextitem | default('-') }} {% endfor %}",
    "{% for x in items if x > 1 %}{{ x }}{% else %}none{% endfor %}{% for x in [] %}{% else %}empty{% endfor %}",
    "{% for x in items %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% if x == 2 %}{% break %}{% endif %}{% endfor %}",
    "{% for k, v in thing.items() %}{{ k }}={{ v is string }},{% endfor %}{% for k in thing %}{{ k }}{% endfor %}{% for k, v in thing | dictsort %}{{ k }}{% endfor %}",
    "{% macro hi(name, end='!') %}Hi {{ name }}{{ end }}{% endmacro %}{{ hi('Ann') }}{{ hi('Bob', end='?') }}",
    "{{ items[-1] }}{{ items[1:] | length }}{{ items[::-1][0] }}{{ word[1:4] }}{{ word[::-1] }}{{ items | first }}{{ items | last }}",
    "{{ items | join('-') }}|{{ names | sort | join }}|{{ people | map(attribute='name') | join(', ') }}|{{ items | sort | reverse | list | length }}",
    "{{ people | selectattr('ok') | map(attribute='name') | join }}|{{ people | rejectattr('name', 'equalto', 'Ann') | map(attribute='age') | join }}",
    "{{ names | reject('equalto', 'b') | join(',') }}|{{ items | select('odd') | join(',') }}|{{ names | map('upper') | join }}|{{ items | max }}|{{ items | sum }}",
    "{{ 'a,b,c'.split(',', 1)[1] }}|{{ ' a  b '.split() | length }}|{{ 'aXbX'.replace('X', '-') }}|{{ 'ab' | replace('a', 'c') }}|{{ 'abc'.find('c') }}",
    "{{ 'aBc'.upper() }}{{ 'aBc' | lower }}{{ 'ab cd' | title }}{{ 'aB' | capitalize }}{{ word | length }}{{ '😀' | length }}",
    "{{ 'ab'.startswith('a') and 'ab'.endswith(('x', 'b')) }}|{{ 'a' in 'cat' }}|{{ 1 in items }}|{{ 'b' in thing }}|{{ 'z' not in thing }}",
    "{{ yes is true }}{{ none is none }}{{ thing is mapping }}{{ items is sequence }}{{ word is iterable }}{{ 3 is odd }}{{ missing is undefined }}{{ 1 is number }}",
    "{{ thing.get('b') }}{{ thing.get('zz', 'no') }}{{ thing['a'][1] }}{{ thing.keys() | list | length }}{{ thing.missing is defined }}",
    "{{ 'x' if none else 'y' }}|{{ 'x' if none }}|{{ none or 'z' }}|{{ missing | default('d') }}|{{ '' | default('e', true) }}",
    "  {%- if yes %}  a\n  {% endif %}  b\n    {% if yes %}\n  c\n{% endif %}\nd  {{- 1 -}}  e\n",
    "a\n{# note #}\nb {#- note -#} c\n  {# indented #}\nd",
    "{% set x %}<{{ word }}>{% endset %}{{ x }}{{ x | length }}",
    "{%- filter upper %}abc{% endfilter %}|{{ range(3) | list | join(',') }}|{{ range(1, 6, 2) | join(',') }}",
    "{% generation %}kept{% endgeneration %} {{ strftime_now('%Y-%m-%d %H:%M:%S %B %b %A %a %y %j %p %I %%') }}",
    "{{ none == missing }}{{ 0 == '' }}{{ 1 == 1.0 }}{{ '1' == 1 }}{{ [1] == [1] }}{{ {'a': 1} == {'a': 1} }}{{ yes == 1 }}{{ none == false }}",
    "{{ 'line one\nline two' | indent(2) }}|{{ 'a\n\nb' | indent(width=2, first=true) }}",
    "{{ '%s and %d' | format('x', 3) }}|{{ 7 % 3 }}|{{ -7 // 2 }}|{{ '5' | int + 1 }}|{{ 3.7 | int }}|{{ 2 | float }}|{{ 1.25 | round(1) }}",
    "{{ raise_exception('No: ' + word) }}",
    "{{ none + 'x' }}",
    "{{ 'a' + 1 }}",
    "{{ 1 + 2 }}{{ 0.5 + 1.5 }}{{ 'a' + 'b' }}{{ ([1] + [none]) }}",
    "{{ missing.field }}",
    "{{ missing['field'] is defined }}",
    "{{ [][0].field }}",
    "{{ [][0] is defined }}{{ {}.field is defined }}",
    "{% for x in missing %}{{ x }}{% else %}nothing{% endfor %}",
    "{% for x in none %}{{ x }}{% endfor %}",
    "{% for c in word %}{{ c }}.{% endfor %}",
    "{{ none.strip() }}",
    "{{ missing | tojson }}",
    "{% if x %}",
    "{{ text | nonsense }}",
]
