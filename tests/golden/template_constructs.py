"""Small templates, one construct of Jinja or Python each, which make_templates.py renders with CONTEXT."""

CONTEXT = {
    "text": " \n a b\tc \n",
    "word": "Straße",
    "none": None,
    "items": [3, 1, 2],
    "names": ["b", "A", "c", "a"],
    "people": [
        {"name": "Ann", "age": 30, "ok": True, "city": "Rome", "home": {"zip": 1}},
        {"name": "Bob", "age": 20, "ok": False, "city": "Oslo", "home": {"zip": 3}},
        {"name": "cleo", "age": 30, "ok": True, "city": "rome", "home": {"zip": 2}},
    ],
    "thing": {"b": 1, "a": [1, 2.5, None, True, "é\"\n\u2028<&>'\u007f"], "e": {}, "f": []},
    "numbers": {"big": 12345678901234567890, "one": 1.0, "huge": 1e22, "zero": -0.0, "small": 1e-7, "exp": 1e5},
    "order": {"10": 1, "2": 2, "__proto__": 3, "constructor": 4, "items": 5},
    "tree": [{"n": "a", "sub": [{"n": "b", "sub": []}, {"n": "c", "sub": [{"n": "d", "sub": []}]}]}],
    "yes": True,
    "half": 0.5,
    "wide": "\u00a0x\u3000",
    "emoji": "a😀b👩‍👩‍👧c",
    "messages": [
        {"role": "system", "content": "S"},
        {"role": "user", "content": [{"type": "text", "text": "T1"}, {"type": "image"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "f", "arguments": {"x": 1.0}}}]},
        {"role": "tool", "content": "{\"a\": 1}"},
    ],
}

PRINTING = """
{{ [1,none,true]|join('-') }}
{{ [none, true, 1.0, 'x', [1], {'a': none}, (1,), ()] }}
{{ (1,) }} {{ (1, 2) }} {{ () }} {{ 1, 2 }}
{{ 1.0 }} {{ 1e16 }} {{ 1e15 }} {{ 1e-4 }} {{ 1e-5 }} {{ 123456789.123 }} {{ 0.1 + 0.2 }} {{ -0.0 }} {{ 1e300 * 1e10 }}
{{ 1_000 }} {{ 0x1F }} {{ 0b101 }} {{ 0o17 }} {{ 1_0.5e1_0 }} {{ 00 }}
{{ numbers }}|{{ numbers | tojson }}|{{ numbers.big + 1 }}|{{ numbers.big * numbers.big }}
{{ order }}|{{ order | tojson }}|{{ order.items() | list }}|{{ order['items'] }}|{{ order.keys() | list }}
{{ "it's" }}|{{ ["it's", 'q"', "both'\\""] }}|{{ ['\\n\\t\\x00\\x7f\\xa0é😀\\u2028'] }}
{{ 'a\\qb' }}|{{ '\\101\\x41\\u0041\\U00000041' }}|{{ 'a' 'b' "c" }}
{{ none }}{{ true }}{{ True }}{{ None }}{{ false }}{{ False }}
{{ 'a' ~ 1 ~ 1.0 ~ none ~ true ~ [1] }}
{{ range(3) }}{{ range(1, 7, 2) }}{{ range(3)[1] }}{{ range(5)[1:3] }}
{{ thing.keys() }}|{{ thing.values() }}|{{ {'a': 1}.items() }}
{{ namespace(a=1) }}|{{ cycler is defined }}
{{ missing }}|{{ [missing] }}|{{ missing ~ 'x' }}
{{ {1: 2, 1.0: 3, true: 4} }}|{{ {(1, 2): 3} }}|{{ {none: 1} | tojson }}
{{ {'a': 1, 'b': 2, 'a': 3} }}
{% print 1, 'a' %}|{% print none %}
{{ 'x' if false }}|{{ ('x' if false) is defined }}
{{ messages | tojson }}
"""

NUMBERS = """
{{ 7 // 2 }} {{ -7 // 2 }} {{ 7 // -2 }} {{ -7 % 3 }} {{ 7 % -3 }} {{ 7.5 // 2 }} {{ -7.5 // 2 }} {{ -7.5 % 2 }} {{ 7.5 % -2 }}
{{ 3 / 2 }} {{ 4 / 2 }} {{ 1 / 3 }} {{ 10 ** 20 / 3 }} {{ 2 ** 100 }} {{ 2 ** -1 }} {{ 2 ** 0.5 }} {{ (2 ** 200) / (2 ** 199) }}
{{ 2 ** 3 ** 2 }} {{ -2 ** 2 }} {{ 2 * 3 + 4 * 5 - 6 / 3 }} {{ 1 - 2 - 3 }} {{ 2 ** -2 }}
{{ 1 + true }} {{ true + true }} {{ 1.5 + 1 }} {{ 1 == 1.0 }} {{ true == 1 }} {{ 9007199254740993 == 9007199254740992.0 }}
{{ 'a' * 3 }} {{ 3 * 'ab' }} {{ [1] * 2 }} {{ (1, 2) * 2 }} {{ 'a' * -1 }} {{ [1] + [2] }} {{ (1,) + (2,) }}
{{ 1 < 2 < 3 }} {{ 1 < 3 < 2 }} {{ 3 > 2 >= 2 }} {{ 1 == 1 != 2 }} {{ 1 < 2 == true }}
{{ 'a' < 'b' }} {{ 'Z' < 'a' }} {{ [1, 2] < [1, 3] }} {{ (1, 2) < (1, 2, 3) }} {{ '😀' > '\uffff' }}
{{ 5 is odd }} {{ -1 is odd }} {{ 2.0 is even }} {{ 6 is divisibleby 3 }} {{ 6 is divisibleby(4) }}
{{ 1.25 | round(1) }} {{ 2.5 | round }} {{ 3.5 | round }} {{ 0.5 | round }} {{ 2.675 | round(2) }} {{ 1234.5 | round(-2) }} {{ 42 | round }} {{ 25 | round(-1) }} {{ 35 | round(-1) }}
{{ 42.55 | round(1, 'floor') }} {{ 42.51 | round(1, 'ceil') }} {{ 42 | round(method='floor') }} {{ -1.5 | round(0, 'ceil') }}
{{ 3.7 | int }} {{ -3.7 | int }} {{ (-3.7) | int }} {{ '42' | int }} {{ ' 42 ' | int }} {{ '42.7' | int }} {{ 'x' | int }} {{ 'x' | int(7) }} {{ '0x1A' | int(base=16) }} {{ '1A' | int(0, 16) }} {{ none | int }} {{ [] | int(3) }} {{ '1_000' | int }} {{ '٣' | int }} {{ true | int }}
{{ '3.5' | float }} {{ 'x' | float }} {{ 'x' | float(none) }} {{ 2 | float }} {{ '1e3' | float }} {{ 'inf' | float }} {{ 'nan' | float }} {{ ' -2. ' | float }}
{{ -5 | abs }} {{ (-5) | abs }} {{ 5.5 | abs }} {{ true | abs }}
{{ 1.0 | string }} {{ 5 | string | length }} {{ 1e5 | tojson }} {{ 1e16 | tojson }} {{ 12345678901234567890 | tojson }}
{{ 999 | filesizeformat }} {{ 1000 | filesizeformat }} {{ 123456789 | filesizeformat }} {{ 1024 | filesizeformat(true) }} {{ 1 | filesizeformat }} {{ '1500' | filesizeformat }}
{{ items | sum }} {{ [1.5, 2] | sum }} {{ people | sum('age') }} {{ people | sum(attribute='age', start=100) }} {{ [] | sum }} {{ [[1], [2]] | sum(start=[]) }}
{{ 1 .real }} {{ (5).numerator }} {{ (2.0).is_integer() }} {{ (2.5).is_integer() }}
{{ not 1 }} {{ not '' }} {{ not not [] }} {{ not none }} {{ 1 and 2 }} {{ 0 and 2 }} {{ 0 or 'x' }} {{ '' or [] }}
{{ 0.1 }} {{ 1/3 }} {{ 1e21 }} {{ 123456789012345680.0 }} {{ 2.2250738585072014e-308 }} {{ 1.7976931348623157e308 }}
{{ +5 }} {{ -5 }} {{ - 5 }} {{ +true }} {{ -true }} {{ -2.5 }}
"""

STRINGS = """
{{ 'a,b,c'.split(',') }} {{ 'a,b,c'.split(',', 1) }} {{ ' a  b '.split() }} {{ ' a  b c '.split(none, 1) }} {{ ''.split() }} {{ ''.split(',') }} {{ 'a b c'.rsplit(' ', 1) }} {{ ' a b  c '.rsplit(maxsplit=1) }} {{ 'aXXb'.split('XX') }} {{ 'a,b'.split(sep=',') }} {{ 'aaa'.rsplit('aa', 1) }}
{{ 'xxaxx'.strip('x') }} {{ '  a '.strip() }}| {{ 'abcba'.lstrip('ab') }} {{ 'abc'.rstrip('bc') }} {{ ' a '.lstrip() }}|{{ wide.strip() }}|{{ '\\x1c a'.strip() }}
{{ 'abc'.startswith('a') }} {{ 'abc'.startswith(('x', 'a')) }} {{ 'abc'.endswith('c') }} {{ 'abc'.startswith('b', 1) }} {{ 'abc'.endswith('b', 0, 2) }} {{ 'abc'.startswith('') }} {{ 'abc'.startswith('', 4) }}
{{ 'aXbXc'.replace('X', '-') }} {{ 'aXbXc'.replace('X', '-', 1) }} {{ 'abc'.replace('', '-') }} {{ 'abc'.replace('', '-', 2) }} {{ 'aaa' | replace('a', 'b', 2) }} {{ 121 | replace(1, 3) }}
{{ 'abcabc'.find('c') }} {{ 'abc'.find('x') }} {{ 'abcabc'.rfind('c') }} {{ 'abc'.index('b') }} {{ emoji.find('b') }} {{ 'abc'.find('c', 1, 2) }} {{ 'abc'.find('', 3) }} {{ 'abc'.find('', 4) }} {{ 'abc'.find('a', -2) }}
{{ 'abab'.count('ab') }} {{ 'aaa'.count('aa') }} {{ 'abc'.count('') }} {{ emoji.count('') }} {{ 'abc'.count('b', 1) }}
{{ 'abc'.count('', 3, 1) }} {{ 'abc'.count('', 3) }} {{ 'abc'.count('', 4) }} {{ 'abcabc'.count('b', 2, -1) }} {{ 'abc'.find('', 3, 1) }}
{{ '٦' | int }} {{ '१२३' | int }} {{ '𝟗𝟘' | int }} {{ '୪' | int }}
{{ 'straße'.upper() }} {{ 'ÀÉ'.lower() }} {{ 'ΑΣ'.lower() }} {{ 'ΑΣ'.capitalize() }} {{ 'hELLO wORLD'.capitalize() }} {{ 'ǆx'.capitalize() }} {{ 'ßa'.capitalize() }}
{{ "they're bill's".title() }} {{ 'élan vital'.title() }} {{ 'éa a' | title }} {{ "don't x-ray (abc) [d] {e} <f>" | title }} {{ 'ÉCOLE' | title }} {{ 'ǆx ßx' | title }} {{ 'ǆx ßx'.title() }} {{ '1a b2c'.title() }}
{{ 'Ab'.swapcase() }} {{ '42'.zfill(5) }} {{ '-42'.zfill(5) }} {{ '+4'.zfill(1) }} {{ 'abc'.center(7) }}|{{ 'abc'.center(8, '*') }}|{{ 'ab'.center(5, '*') }}|{{ 'a'.ljust(3) }}|{{ 'a'.rjust(3, '.') }}
{{ 'a-b-c'.partition('-') }} {{ 'abc'.partition('-') }} {{ 'a-b-c'.rpartition('-') }} {{ 'abc'.rpartition('-') }}
{{ 'prefix-a'.removeprefix('prefix-') }} {{ 'a.txt'.removesuffix('.txt') }} {{ 'a'.removesuffix('') }}
{{ 'a\\nb\\r\\nc'.splitlines() }} {{ 'a\\n'.splitlines(true) }} {{ 'a\\x0bb\\x1cc\\u2028d'.splitlines() }} {{ ''.splitlines() }} {{ 'a\\rb'.splitlines(keepends=true) }}
{{ ','.join(['a', 'b']) }} {{ ', '.join(names) }} {{ ''.join('abc') }} {{ '-'.join(names | map('upper')) }}
{{ 'abc'.isalpha() }} {{ 'a1'.isalnum() }} {{ '12'.isdigit() }} {{ '²'.isdigit() }} {{ '²'.isdecimal() }} {{ '½'.isnumeric() }} {{ ' '.isspace() }} {{ ''.isspace() }} {{ 'Ab'.istitle() }} {{ 'AB'.isupper() }} {{ 'aB'.islower() }} {{ 'a_1'.isidentifier() }} {{ '1a'.isidentifier() }} {{ 'é'.isascii() }} {{ 'a\\n'.isprintable() }} {{ 'Ab Cd'.istitle() }} {{ 'ab1'.islower() }}
{{ 'abc'[0] }}{{ 'abc'[-1] }}{{ 'abc'[5] is defined }}{{ 'abc'[::-1] }}{{ 'abcdef'[1:5:2] }}{{ 'abcdef'[-2:] }}{{ 'abcdef'[:-2] }}{{ 'abcdef'[4:1:-1] }}{{ emoji[1] }}{{ emoji[1:3] }}{{ emoji | length }}{{ 'abc'[10:] }}|{{ 'abc'[-10:2] }}{{ 'abc'[2:-10:-1] }}
{{ '%s and %d' % ('x', 3) }} {{ '%5.2f|%-5s|%05d|%x|%X|%o|%e|%g|%c|%%|%r' % (3.14159, 'ab', 42, 255, 255, 8, 12345.678, 0.0001, 'z', 'q') }}
{{ '%(a)s-%(b)03d' % {'a': 1, 'b': 2} }} {{ '%s' % none }} {{ '%s' % [1, 2] }} {{ '%.3s|' % 'abcdef' }} {{ '%+d % d' % (5, 5) }} {{ '%*d' % (5, 3) }} {{ '%.0f %.0f %.2f' % (0.5, 2.5, 0.125) }} {{ '%#x %#o' % (255, 8) }} {{ '%d' % 3.9 }} {{ '%i' % true }}
{{ '%g %g %g %g' % (100000, 1000000, 1e-5, 0.5) }} {{ '%.3g %G %#g' % (1234.5, 1e-10, 1.0) }} {{ '%E' % 0 }} {{ '%f' % (1/3) }} {{ '%s' % 'a' }} {{ '%r' % [none] }} {{ '%5s%%' % 'a' }}
{{ '%s, %s!' | format('Hi', 'you') }} {{ '%(x)s' | format(x=3) }} {{ 'plain' | format }} {{ '%s' | format(none) }}
{{ '{} {}'.format('a', 1) }} {{ '{1} {0}'.format('a', 'b') }} {{ '{x}'.format(x=1) }} {{ '{0[a]} {0.b}'.format({'a': 1, 'b': 2}) }} {{ '{:>5}|{:<5}|{:^5}|{:*^7}'.format('a', 'b', 'c', 'd') }} {{ '{{}}'.format() }} {{ '{!r}'.format('a') }}
{{ '{:.2f} {:5d} {:05d} {:,} {:x} {:%} {:e} {:+d} {:b}'.format(3.14159, 42, 42, 1234567, 255, 0.25, 1234.5, 5, 5) }} {{ '{:_}'.format(1234567) }} {{ '{:>{}}'.format('a', 4) }} {{ '{:#x}'.format(255) }} {{ '{:g}'.format(0.1) }} {{ '{}'.format(1.0) }} {{ '{:,.2f}'.format(1234567.891) }} {{ '{:s}'.format('x') }}
{{ 'abc' in 'xabcx' }} {{ '' in 'a' }} {{ 'x' not in 'abc' }} {{ 'a' in names }} {{ 1 in [true] }} {{ 'b' in thing }} {{ 2 in range(3) }} {{ 'a' in missing }} {{ none in [none] }}
{{ 'a\\tb'.expandtabs(4) }} {{ 'x' | center(5) }}| {{ 'line one\\nline two\\n\\nx' | indent }}|{{ 'a\\nb' | indent(2, true) }}|{{ 'a\\n\\nb' | indent('> ', blank=true) }}|{{ '' | indent(2, first=true) }}|
{{ 'foo bar baz qux' | truncate(9) }} {{ 'foo bar baz qux' | truncate(9, true) }} {{ 'foo bar baz qux' | truncate(11) }} {{ 'foo bar baz qux' | truncate(11, false, '...', 0) }} {{ 'abcdefghij' | truncate(5, leeway=0, end='') }}
{{ 'hello big world' | wordcount }} {{ "it's a-b" | wordcount }} {{ '' | wordcount }}
{{ 'a b/c?ü&' | urlencode }} {{ {'a b': 1, 'c': 'ü/'} | urlencode }} {{ [('x', 'y z')] | urlencode }} {{ 5 | urlencode }}
{{ '<a href="x">' | e }} {{ '<b>' | escape }} {{ '<b>' | safe }} {{ '<b>' | forceescape }} {{ ('<b>' | e) is escaped }} {{ 'x' is escaped }} {{ "a'b&" | e | string }} {{ ('<' | e) ~ '<' }} {{ ['<' | e, '<'] | join }}
{{ ('<' | safe) + '<' }} {{ '<' + ('<' | safe) }} {{ ('<' | safe) + ('<' | safe) }} {{ [1] | tojson | safe + '>' }}
{{ {'a': 1, 'b': none, 'c': '<"'} | xmlattr }} {{ {'x': missing} | xmlattr }}| {{ {'a': 1} | xmlattr(false) }}
{{ 'aBc' | upper }} {{ 'aBc' | lower }} {{ 'aBc' | capitalize }} {{ none | upper }} {{ 1.0 | lower }} {{ missing | upper }}| {{ '  x ' | trim }}| {{ 'xxaxx' | trim('x') }} {{ none | trim }} {{ 'x' | string }} {{ 'abc' | list }} {{ 'abc' | first }} {{ 'abc' | last }} {{ 'abc' | reverse }} {{ emoji | reverse }}
{{ 'a' is lower }} {{ 'A' is upper }} {{ 'Aa' is lower }} {{ 1 is lower }} {{ 'é' is lower }} {{ 'É' is upper }}
{{ text.strip().split('\\n')[-1].lstrip('\\n') }}|{{ '</think>x</think> y'.split('</think>')[-1].lstrip() }}|{{ ('<think>a</think>b'.split('</think>')[0].rstrip('\\n').split('<think>')[-1]).lstrip('\\n') }}
{{ 'abc'.foo is defined }} {{ 'abc'['foo'] is defined }} {{ 'abc'.upper is defined }} {{ 'abc'['upper']() }} {{ 'a'.join is callable }}
"""

CONTAINERS = """
{{ items | sort }} {{ items | sort(reverse=true) }} {{ names | sort }} {{ names | sort(case_sensitive=true) }} {{ names | sort(true) }} {{ people | sort(attribute='age') | map(attribute='name') | list }} {{ people | sort(attribute='age,name', reverse=true) | map(attribute='name') | list }} {{ thing | sort }}
{{ people | groupby('city') }} | {{ people | groupby('age') | map('first') | list }}
{% for city, group in people | groupby('city') %}{{ city }}:{{ group | map(attribute='name') | join('+') }};{% endfor %}
{% for g in people | groupby('city', case_sensitive=true) %}{{ g.grouper }}={{ g.list | length }} {{ g[0] }};{% endfor %}
{{ people | groupby('home.zip') | length }} {{ people | groupby('nope', default='d') | length }}
{{ people | map(attribute='name') | list }} {{ people | map(attribute='home.zip') | list }} {{ people | map(attribute='nope', default='d') | list }} {{ names | map('upper') | list }} {{ items | map('string') | list }} {{ [1, none] | map('string') | join }} {{ ['a-b'] | map('replace', '-', '+') | list }} {{ people | map('tojson') | first }} {{ [[1, 2], [3]] | map('join', '-') | list }} {{ [3, 4] | map(attribute='real') | list }}
{{ people | selectattr('ok') | map(attribute='name') | list }} {{ people | rejectattr('ok') | list | length }} {{ people | selectattr('age', '>', 20) | list | length }} {{ people | selectattr('name', 'equalto', 'Ann') | list | length }} {{ people | selectattr('nope', 'defined') | list }} {{ messages | selectattr('role', 'in', ['user', 'tool']) | map(attribute='role') | list }} {{ people | selectattr('home.zip', 'odd') | list | length }}
{{ items | select('odd') | list }} {{ items | reject('odd') | list }} {{ [0, 1, '', 'a', none] | select | list }} {{ [0, 1, ''] | reject | list }} {{ items | select('>', 1) | list }} {{ items | select('in', [1, 2]) | list }} {{ items | select('divisibleby', 3) | list }} {{ ['a', 1] | select('string') | list }}
{{ [1, 2, 3, 4, 5] | batch(2) | list }} {{ [1, 2, 3] | batch(2, 'x') | list }} {{ [1, 2, 3, 4, 5] | slice(3) | list }} {{ [1, 2, 3, 4] | slice(3, 'x') | list }}
{{ [1, 1.0, true, 'a', 'A', 2] | unique | list }} {{ names | unique | list }} {{ names | unique(true) | list }} {{ people | unique(attribute='age') | map(attribute='name') | list }}
{{ items | min }} {{ items | max }} {{ names | min }} {{ names | max }} {{ people | max(attribute='age') }} {{ [] | max is defined }} {{ ['b', 'A'] | min(case_sensitive=true) }}
{{ items | first }} {{ items | last }} {{ [] | first is defined }} {{ [] | last }} {{ {} | first is defined }} {{ thing | first }} {{ thing | last }} {{ (1, 2) | last }} {{ range(4) | last }}
{{ items | reverse | list }} {{ (items | reverse) is string }} {{ thing | reverse | list }} {{ (items | map('string') | reverse) | join }}
{{ items | join }} {{ items | join(', ') }} {{ people | join(', ', attribute='name') }} {{ people | join(attribute='name') }} {{ 'abc' | join('-') }} {{ thing | join('|') }} {{ [1.0, none] | join(1) }}
{{ items | length }} {{ thing | length }} {{ missing | length }} {{ (1, 2) | count }} {{ range(5) | length }} {{ thing.items() | length }} {{ '' | length }}
{{ thing | dictsort }} {{ {'b': 1, 'A': 2, 'a': 0} | dictsort }} {{ {'b': 1, 'A': 2} | dictsort(true) }} {{ {'b': 1, 'a': 2} | dictsort(by='value', reverse=true) }}
{{ thing | items | list }} {{ missing | items | list }} {% for k, v in {'a': 1} | items %}{{ k }}={{ v }}{% endfor %}
{{ thing.get('b') }} {{ thing.get('z') }} {{ thing.get('z', 'd') }} {{ thing.get('z', none) }} {{ thing['b'] }} {{ thing.b }} {{ thing['z'] is defined }}
{{ thing.keys() | list }} {{ thing.values() | list | length }} {% for k, v in thing.items() %}{{ k }}{% endfor %} {{ 'a' in thing.keys() }} {{ ('b', 1) in thing.items() }} {{ 1 in thing.values() }} {{ thing.copy() == thing }}
{{ dict(a=1, b=2) }} {{ dict([('a', 1)]) }} {{ dict({'a': 1}, b=2) }} {{ dict() }} {{ dict.fromkeys(['a', 'b'], 0) }} {{ dict(**{'x': 1}) }} {{ dict(thing, b=5).b }}
{{ items[0] }} {{ items[-1] }} {{ items[9] is defined }} {{ items[1:] }} {{ items[::-1] }} {{ items[:-1] }} {{ items[-2:] }} {{ items[::2] }} {{ items[5:] }} {{ items.0 }} {{ items[true] }} {{ (1, 2, 3)[1:] }} {{ items[none:2] }}
{{ items.index(1) }} {{ items.count(3) }} {{ (1, 2).index(2) }} {{ items.copy() }} {{ [1, 2] == [1, 2] }} {{ (1,) == [1] }} {{ {'a': 1} == {'a': 1.0} }} {{ [1] != [2] }} {{ {'a': 1, 'b': 2} == {'b': 2, 'a': 1} }}
{% set x = items | select('odd') %}{{ x | list }}{{ x | list }} {% if items | select('>', 9) %}true{% else %}false{% endif %}
{% set it = items | map('string') %}{{ it | first }}{{ it | first }}{{ it | first }}{{ it | first is defined }}
{{ people | attr('name') is defined }} {{ 'abc' | attr('upper') is defined }} {{ ('abc' | attr('upper'))() }} {{ {'get': 1} | attr('get') is callable }} {{ {'x': 1} | attr('x') is defined }}
{{ [] is defined }} {{ items is sequence }} {{ thing is sequence }} {{ thing is mapping }} {{ missing is sequence }} {{ items is iterable }} {{ 5 is iterable }} {{ 'a' is iterable }} {{ missing is iterable }} {{ range(2) is sequence }} {{ thing.keys() is sequence }} {{ (items | map('string')) is iterable }} {{ none is iterable }}
{{ none is none }} {{ 1 is number }} {{ 1.0 is float }} {{ true is integer }} {{ 1 is integer }} {{ true is boolean }} {{ true is true }} {{ 1 is true }} {{ false is false }} {{ 'a' is string }} {{ true is number }} {{ none is sameas none }} {{ true is sameas 1 }} {{ namespace is callable }} {{ missing is callable }} {{ thing is callable }}
{{ 1 is eq 1 }} {{ 1 is equalto 2 }} {{ 1 is ne 2 }} {{ 1 is lt 2 }} {{ 1 is gt 2 }} {{ 1 is ge 1 }} {{ 1 is le 0 }} {{ 1 is in [1] }} {{ 1 is not in [2] }} {{ 1 is lessthan 2 }} {{ 2 is greaterthan 1 }} {{ 'upper' is filter }} {{ 'nope' is filter }} {{ 'odd' is test }} {{ 'nope' is test }} {{ 'e' is filter }}
{{ missing is undefined }} {{ missing is defined }} {{ none is defined }} {{ missing is none }} {{ missing == missing }} {{ missing == none }} {{ missing is string }} {{ missing is mapping }}
{{ missing | default('d') }} {{ none | default('d') }} {{ none | default('d', true) }} {{ '' | d('x', boolean=true) }} {{ missing | default }}| {{ 0 | default(1, true) }} {{ thing.zz | default('y') }} {{ none | default(none, true) }} {{ missing | default(none) }}
{{ messages[1].content | selectattr('type', 'equalto', 'text') | map(attribute='text') | join }} {{ messages[-1]['content'] }} {{ messages[2].tool_calls[0].function.arguments | tojson }} {{ messages[2].tool_calls | length }} {{ messages | map(attribute='role') | join(',') }} {{ messages[1].content[0].text }} {{ messages[0].content.text is defined }}
{% set ns = namespace(found=false, n=0) %}{% for m in messages %}{% if m.role == 'tool' %}{% set ns.found = true %}{% endif %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.found }}{{ ns.n }} {{ ns.zz is defined }} {{ ns['n'] }}
{% set ns = namespace({'a': 1}, b=2) %}{{ ns.a }}{{ ns.b }}{% set ns.a, ns.b = 5, 6 %}{{ ns.a }}{{ ns.b }}
{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.reset() }}{{ c.next() }} {% set j = joiner('|') %}{{ j() }}{{ j() }}{{ j() }}
{% set a, b = 1, 2 %}{{ a }}{{ b }} {% set (a, b), c = [(1, 2), 3] %}{{ a }}{{ b }}{{ c }} {% set a = 1, %}{{ a }}
{{ [1, 2,] }} {{ {'a': 1,} }} {{ [[1, [2]], []] }} {{ {'a': {'b': [1]}}.a.b[0] }}
{{ [x] is defined }}{{ {'k': x} }}
"""

STATEMENTS = """
{% for x in items %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.depth }}{{ loop.depth0 }} {% endfor %}
{% for x in items %}{{ loop.previtem }}<{{ x }}<{{ loop.nextitem }} {{ loop.nextitem is defined }} {% endfor %}
{% for x in items %}{{ loop.cycle('a', 'b') }}{{ loop.changed(x > 1) }} {% endfor %}{% for x in items %}{{ loop }}{% endfor %}
{% for x in items | select('odd') %}{{ loop.index }}/{{ loop.length }}{{ loop.last }} {% endfor %}
{% for x in items | map('string') %}{{ x }}{{ ',' if not loop.last }}{% endfor %}
{% for x in items if x > 1 %}{{ loop.index }}:{{ x }}/{{ loop.length }} {% else %}none{% endfor %}
{% for x in items if x > 9 %}{{ x }}{% else %}none{% endfor %}{% for x in [] %}{% else %}empty{% endfor %}{% for x in missing %}a{% else %}b{% endfor %}
{% for x in items %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %} {% for x in items %}{{ x }}{% if x == 1 %}{% break %}{% endif %}{% endfor %}
{% for x in items %}{% if x == 3 %}{% break %}{% endif %}{% else %}else{% endfor %} {% for x in items %}{% continue %}{% else %}else{% endfor %} {% for x in items %}{% if x == 2 %}{% break %}{% endif %}{% else %}else{% endfor %}
{% for x in items %}{% for y in items %}{% if y == x %}{% break %}{% endif %}{{ loop.index }}{% endfor %}{{ loop.index }};{% endfor %}
{% for x in items recursive %}{{ x }}{% endfor %}{% for n in tree recursive %}{{ n.n }}{{ loop.depth }}[{{ loop(n.sub) }}]{% endfor %}
{% for n in tree recursive %}{{ loop.index }}{{ n.n }}{% if n.sub %}({{ loop(n.sub) }}){% endif %}{% else %}!{% endfor %}
{% for k, v in thing.items() %}{{ k }}{% endfor %}{% for k in thing %}{{ k }}{% endfor %}{% for (a, b) in [(1, 2)] %}{{ a }}{{ b }}{% endfor %}{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}
{% for c in 'a😀b' %}{{ c }}.{% endfor %}{% for x in (1, 2) %}{{ x }}{% endfor %}{% for x in 1, 2 %}{{ x }}{% endfor %}{% for x in range(3) %}{{ x }}{% endfor %}
{% set x = 0 %}{% for i in items %}{% set x = x + i %}{{ x }} {% endfor %}{{ x }}
{% for i in items %}{% if i == 1 %}{% set y = 'set' %}{% endif %}{{ y is defined }}{% endfor %}{{ y is defined }}
{% for i in items %}{{ word }}{% set word = 'w' %}{{ word }} {% endfor %}{{ word }}
{% for i in items %}{{ half }}{% endfor %}{% set half = 9 %}{{ half }}
{% if false %}{% set half = 1 %}{% endif %}{{ half }} {% if true %}{% set half = 1 %}{% endif %}{{ half }}
{% if false %}{% set zz = 1 %}{% endif %}{{ zz is defined }} {% if true %}{% set zz = 1 %}{% endif %}{{ zz }}
{% for i in items %}{% if loop.first %}{% set half = i %}{% endif %}{{ half }} {% endfor %}{{ half }}
{% for i in items %}{% set i = i * 2 %}{{ i }}{% endfor %} {% for i in items %}{% for i in 'ab' %}{{ i }}{% endfor %}{{ i }}{% endfor %}
{% set items = [9] %}{% for i in items %}{{ i }}{% endfor %}{{ items }}
{% if items %}a{% endif %}{% if [] %}b{% elif none %}c{% elif yes %}d{% else %}e{% endif %}{% if missing %}f{% else %}g{% endif %}{% if 0.0 %}h{% endif %}{% if '0' %}i{% endif %}{% if {} %}j{% endif %}{% if ' ' %}k{% endif %}
{% macro f(a, b='B', c=none) %}[{{ a }}{{ b }}{{ c }}]{% endmacro %}{{ f(1) }}{{ f(1, 2) }}{{ f(1, c=3) }}{{ f(c=1, a=2) }}{{ f() }}{{ f(b=missing) }}
{% macro f() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ f(1, 2, x=3) }}{{ f() }}
{% macro f(a, a2=a) %}{{ a2 }}{% endmacro %}{{ f(7) }} {% macro g(x) %}{{ x is defined }}{{ x }}{% endmacro %}{{ g() }}
{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(3) }}
{% macro f() %}{{ caller() }}{% endmacro %}{% call f() %}body{{ word }}{% endcall %} {% macro g() %}{{ caller is defined }}{% endmacro %}{{ g() }}
{% macro f(xs) %}{% for x in xs %}{{ caller(x) }}{% endfor %}{% endmacro %}{% call(v) f(items) %}<{{ v }}>{% endcall %}
{% macro f(x) %}{{ word }}{{ x }}{% set word = 'inner' %}{{ word }}{% endmacro %}{{ f(1) }}{{ word }}
{% macro f() %}{{ half }}{% endmacro %}{{ f() }}{% set half = 3 %}{{ f() }}
{% for i in items %}{% macro f() %}{{ i }}{% endmacro %}{{ f() }}{% endfor %}{{ f is defined }}
{% macro f(a) %}x{% endmacro %}{{ f.name }} {{ f.arguments }} {{ f.catch_kwargs }} {{ f.catch_varargs }} {{ f.caller }} {{ f }}
{% macro f() %}  a  {% endmacro %}{{ f() | trim }}|{{ f() | length }}{{ f() is string }}
{% set x %}<{{ word }}>{% endset %}{{ x }}{{ x | length }} {% set x | upper %}abc{% endset %}{{ x }} {% set x | replace('a', 'b') | upper %}aca{% endset %}{{ x }}
{% filter upper %}abc{{ word }}{% endfilter %} {% filter replace('a', 'b') | indent(2, true) %}a{{ '\\n' }}a{% endfilter %}
{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}{{ a is defined }} {% with %}{% set q = 1 %}{{ q }}{% endwith %}{{ q is defined }} {% with word = 'w', copy = word %}{{ word }}{{ copy }}{% endwith %}{{ word }}
{% generation %}kept{{ word }}{% set gg = 1 %}{% endgeneration %}{{ gg is defined }}{% for x in items %}{% generation %}{{ loop.index }}{{ x }}{% endgeneration %}{% endfor %}
{# comment {{ x }} {% if %} #}a{#- b -#} c {#+ d +#} e
{{ 'a' if yes else 'b' }}{{ 'a' if none else 'b' if yes else 'c' }}{{ (1 if yes else 2) + 1 }}{{ 'x' if missing is defined else 'y' }}
{{ 1 if 0 }}|{{ ['a' if yes, 'b'] }}
{{ strftime_now('%Y-%m-%d %H:%M:%S %B %b %A %a %y %j %p %I %%') }} {{ strftime_now('%d %B, %Y') }} {{ strftime_now is defined }}
{{ strftime_now('%-d %-m %-H %-I %-j %e %F %T %D %R %h %C %u %w %U %W %k %l %x %X %c %r') }}
{% if 'nope' is filter %}{{ 1 | nope }}{% else %}ok{% endif %}{% if true %}ok{% else %}{{ 1 | nope }}{% endif %}{{ 'a' if true else 1 | nope }}
{% set loop = 1 %}{{ loop }}{% for x in items if loop %}{{ x }}{% endfor %}
{% for x in items %}{% if x is odd %}{% set r = 'odd' %}{% else %}{% set r = 'even' %}{% endif %}{{ r }} {% endfor %}
{% set ns = namespace() %}{% set ns.x = [] %}{% for i in items %}{% set ns.x = ns.x + [i] %}{% endfor %}{{ ns.x }}
{% set x = namespace(y=namespace(z=1)) %}{{ x.y.z }}
{%- set f = 'a'.upper -%}{{ f() }}{%- set g = thing.get -%}{{ g('b') }}
{% for m in messages %}{{ '<' ~ m.role ~ '>' }}{% if m.content is string %}{{ m.content }}{% elif m.content is iterable %}{% for p in m.content %}{{ p.text if p.type == 'text' }}{% endfor %}{% endif %}{% endfor %}
{{ f(1) if f is defined else 'no f' }}{{ (yes and none) is none }}{{ [1, 2][0:1] }}{{ (items)[0] }}{{ ((1)) }}
{%- macro tool(t) %}{{ t.name }}({% for k in t.p %}{{ k }}{{ ', ' if not loop.last }}{% endfor %}){% endmacro -%}{{ tool({'name': 'f', 'p': {'a': 1, 'b': 2}}) }}
"""

WHITESPACE = [
    "  {%- if yes %}  a\n  {% endif %}  b\n    {% if yes %}\n  c\n{% endif %}\nd  {{- 1 -}}  e\n",
    "a\n{# note #}\nb {#- note -#} c\n  {# indented #}\nd",
    "a\n\n{% if yes %}\n\nb\n{% endif %}\n\nc\n\n",
    "a \n {%- if yes -%} \n b \n {%- endif -%} \n c",
    "a\n  {%+ if yes %}\n  b\n  {%+ endif +%}\nc",
    "a\n  {{ 1 }}  \n  {{- 2 }}\n {{ 3 -}}  \n b",
    "a\r\nb\rc\r\n{% if yes %}\r\nd\r\n{% endif %}\r\ne\r\n",
    "{% if yes %}x{% endif %}\n",
    "x\n\n",
    "\n",
    "",
    "{% set x = 1 %}\n\n  {% set y = 2 %}  \n{{ x }}",
    "{% for i in items %}\n  {{ i }}\n{% endfor %}\nend",
    "{% for i in items -%}\n  {{ i }}\n{%- endfor %}\nend",
    "  \t{% if yes %}\n\t  a{% endif %}\n",
    "\u00a0{% if yes %}a{% endif %}",
    "a\x0b {%- if yes %}b{% endif %}",
    "{{ 'a\nb' }}|{{ 'a\r\nb' }}|{{ \"tab\there\" }}",
    "{{ {'a': {'b': 1}}.a.b }}{{ {} }}{{ [{}] }}",
    "{% raw %}\n a \n{% endraw %}\n b",
    "a\n  {% raw %}\n{{ x }}\n  {% endraw %}\nb",
    "{%- raw %} a {% endraw -%} b",
    "a {# x -#} \n b {#- y #}\nc\n  {#+ z #}\nd",
    "{{1}}{%if yes%}{{-2-}}{%endif%}",
    "{% if yes: %}a{% endif %}",
    "a {{ '}}' }} b {{ '%}' }} {% set x = '{{' %}{{ x }}",
    "{{\n  'multi'\n  ~\n  'line'\n}}",
    "{% macro f() %}\n  a\n{% endmacro %}\n[{{ f() }}]",
    "{% set x %}\n  a\n{% endset %}\n[{{ x }}]",
    "{%- for i in items %}{{- i }}{{ ' ' }}{%- endfor -%}\n\n",
]

JSON = """
{{ thing | tojson }}
{{ thing | tojson(indent=2) }}
{{ thing | tojson(indent=0) }}
{{ thing | tojson(indent='--') }}
{{ thing | tojson(ensure_ascii=true, sort_keys=true, separators=(',', ':')) }}
{{ thing | tojson(true) }}
{{ thing | tojson(false, 4) }}
{{ thing | tojson(separators=(',', ': '), indent=1) }}
{{ [] | tojson(indent=2) }}{{ {} | tojson(indent=2) }}{{ [[]] | tojson(indent=2) }}{{ none | tojson }}{{ 'ü' | tojson }}{{ 1.0 | tojson }}{{ yes | tojson }}{{ (1, 2) | tojson }}
{{ {1: 2, none: 3, true: 4, 1.5: 5} | tojson }}{{ {'b': 1, 'a': 2} | tojson(sort_keys=true) }}
{{ '\\x00\\x1f\\x7f\\x08\\x0c/\\\\"' | tojson }}{{ '😀é' | tojson(ensure_ascii=true) }}{{ "<&>'" | tojson }}
{{ messages | tojson | length }}{{ thing | tojson is string }}{{ (thing | tojson)[0] }}
{{ numbers | tojson(indent=2) }}{{ [1e400, -1e400] | tojson }}{{ 1e-7 | tojson }}
{{ order | tojson(sort_keys=true) }}
"""

ERRORS = """
{{ raise_exception('No: ' + word) }}
{{ raise_exception('a' ~ none) }}
{{ none + 'x' }}
{{ ('<' | safe) + 1 }}
{{ 'a' + 1 }}
{{ 1 + 'a' }}
{{ [1] + (2,) }}
{{ missing.field }}
{{ missing['field'] }}
{{ missing() }}
{{ missing + 1 }}
{{ missing < 1 }}
{{ 1 / 0 }}
{{ 1 // 0 }}
{{ 1 % 0 }}
{{ 1.0 / 0 }}
{{ none.strip() }}
{{ thing.nope() }}
{{ thing.nope.more }}
{{ items.append(1) }}
{{ thing.update({}) }}
{{ thing.pop('a') }}
{{ thing.setdefault('a', 1) }}
{{ items.sort() }}
{{ 'a'.__class__.__name__ }}
{{ 'a'.__class__() }}
{{ missing | tojson }}
{{ {'a': missing} | tojson }}
{{ namespace | tojson }}
{{ [namespace(a=1)] | tojson }}
{% for x in none %}{{ x }}{% endfor %}
{% for x in 5 %}{{ x }}{% endfor %}
{% for a, b in [1] %}{% endfor %}
{% for a, b in [(1, 2, 3)] %}{% endfor %}
{{ none | length }}
{{ 5 | length }}
{{ (items | map('string')) | length }}
{{ (items | map('string')) | last }}
{{ items | sort(attribute='x.y') | list }}
{{ [1, 'a'] | sort }}
{{ [1, none] | max }}
{{ 1 < 'a' }}
{{ none < 1 }}
{{ [] < {} }}
{{ 1 in 'abc' }}
{{ 1 in 5 }}
{{ 'abc'.index('x') }}
{{ [1].index(2) }}
{{ 'a'.split('') }}
{{ 'a'.join([1]) }}
{{ 'abc'.replace('a') }}
{{ 'abc'.startswith(1) }}
{{ 'abc'.upper(1) }}
{{ 'abc'.strip(chars='a') }}
{{ 'abc'.center() }}
{{ 'abc'.nope() }}
{{ '%d' % 'a' }}
{{ '%s %s' % 'a' }}
{{ '%s' % ('a', 'b') }}
{{ '%y' % 1 }}
{{ '%(a)s' % 1 }}
{{ 'plain' % 1 }}
{{ '{}'.format() }}
{{ '{x}'.format() }}
{{ '{:d}'.format('a') }}
{{ '{'.format() }}
{{ '{0} {}'.format(1, 2) }}
{{ '%s' | format('a', x=1) }}
{{ {[]: 1} }}
{{ {}[[]] }}{{ thing[{}] }}{{ [1]['a'] }}
{{ items | nope }}
{{ items is nope }}
{% for x in items %}{{ x | nope }}{% endfor %}
{% for x in [] %}{{ x | nope }}{% endfor %}
{% macro f() %}{{ 1 | nope }}{% endmacro %}a
{% if false %}{% for x in items %}{{ x | nope }}{% endfor %}{% endif %}
{{ items | join(1, 2, 3) }}
{{ items | first(1) }}
{{ items | map('nope') | list }}
{{ items | select('nope') | list }}
{{ items | batch }}
{{ 'x' | round }}
{{ 2 | round(0, 'up') }}
{{ 'x' | dictsort }}
{{ items | sum(start='') }}
{{ 'x' | abs }}
{{ 5 | list }}
{{ 5 | join }}
{{ 5 | items | list }}
{{ range() }}
{{ range('a') }}
{{ range(1000001) }}
{{ range(1, 5, 0) }}
{{ range(1.5) }}
{{ namespace(_a=1) }}
{% set ns = namespace() %}{% set ns._a = 1 %}
{% set ns = namespace() %}{{ ns.a.b }}
{% set thing.x = 1 %}
{% set nope.x = 1 %}
{% set a, b = 1 %}
{% set a, b = [1] %}
{% set a, b = [1, 2, 3] %}
{{ cycler() }}
{% for x in items %}{{ loop(x) }}{% endfor %}
{% for x in items %}{{ loop.cycle() }}{% endfor %}
{% macro f(a) %}{% endmacro %}{{ f(1, 2) }}
{% macro f(a) %}{% endmacro %}{{ f(b=1) }}
{% macro f(a) %}{% endmacro %}{{ f(1, a=2) }}
{% macro f(a, b) %}{{ a.x }}{% endmacro %}{{ f() }}
{% macro f() %}x{% endmacro %}{% call f() %}y{% endcall %}
{% macro f() %}{{ caller() }}{% endmacro %}{{ f() }}
{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}
{{ strftime_now() }}
{{ raise_exception() }}
{{ 'abc'[1:2:0] }}
{{ items[0][1:] }}
{{ thing[1:2] }}
{{ items['a':] }}
{{ -'a' }}
{{ -none }}
{{ 'a' - 'b' }}
{{ 'a' * 'b' }}
{{ 'a' * 1.5 }}
{{ [] * none }}
{{ {} + {} }}
{{ 5() }}
{{ 'a'() }}
{{ dict(1) }}
{{ dict([1]) }}
{{ f(**5) }}
{{ dict(**{1: 2}) }}
{{ dict(a=1, **{'a': 2}) }}
{% if x %}
{% endif %}
{% for x in %}{% endfor %}
{% for x items %}{% endfor %}
{% else %}
{% nope %}
{% break %}
{% for x in items %}{% macro f() %}{% break %}{% endmacro %}{% endfor %}
{% for loop in items %}{% endfor %}
{% for x in items %}{% set loop = 1 %}{% endfor %}
{% set true = 1 %}
{% set 1 = 1 %}
{% set a.b.c = 1 %}
{% macro f(a=1, b) %}{% endmacro %}
{% call 5 %}{% endcall %}
{{ }}
{{ 1 2 }}
{{ a b }}
{{ (1 }}
{{ 1) }}
{{ [1, }}
{{ {'a' 1} }}
{{ {'a': 1 }}
{{ 'abc }}
{{ a. }}
{{ a.'b' }}
{{ a | }}
{{ a | 1 }}
{{ a is }}
{{ a is b is c }}
{{ a ? b }}
{{ a && b }}
{{ !a }}
{{ a === b }}
{{ f(a=1, 2) }}
{{ f(*a, *b) }}
{{ f(**a, b) }}
{{ 1 if }}
{{ not }}
{{ 1 + }}
{{ '\\x4' }}
{{ '\\u12' }}
{# unclosed
{% raw %}
{% raw %}{{ x }}
{% with a %}{% endwith %}
{% include 'x' %}
{% extends 'x' %}
{% import 'x' as y %}
{% do 1 %}
{% generation %}
{% filter %}a{% endfilter %}
{% set x %}a
{{ a[1:2:3:4] }}
{{ 1.2.3 }}
"""


def lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


RAW_BLOCK = "{% raw %}{{ x }}{% if %}{# c #}{% endraw %}|{%- raw -%}  a  {%- endraw -%}  |{% raw %}\nb\n{% endraw %}\nc"
CONSTRUCTS = [
    *lines(PRINTING),
    *lines(NUMBERS),
    *lines(STRINGS),
    *lines(CONTAINERS),
    *lines(STATEMENTS),
    RAW_BLOCK,
    *WHITESPACE,
    *lines(JSON),
    *lines(ERRORS),
]
