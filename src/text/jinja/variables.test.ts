import { expect, test } from "vitest";
import { compileTemplate } from "./template.ts";

const listVariables = (source: string) => [...compileTemplate(source, "test").variables].sort();

test.each([
  ["{{ a }}{{ b.c }}{{ d['e'] }}{{ f[g] }}", ["a", "b", "d", "f", "g"]],
  ["{% set a = 1 %}{{ a }}", []],
  ["{% set a = a | default(1) %}{{ a }}", ["a"]],
  ["{% if not a is defined %}{% set a = true %}{% endif %}{{ a }}", ["a"]],
  ["{% if b %}{% set a = 1 %}{% else %}{% set a = 2 %}{% endif %}{{ a }}", ["b"]],
  ["{% if b %}{% set a = 1 %}{% endif %}{{ a }}", ["a", "b"]],
  [
    "{% for m in messages %}{{ m.x }}{{ loop.index0 }}{% set y = m %}{{ y }}{% endfor %}{{ y }}",
    ["messages", "y"],
  ],
  ["{% for k, v in items if v and w %}{{ k }}{% endfor %}", ["items", "w"]],
  ["{% set ns = namespace(n=first) %}{% set ns.n = second %}{{ ns.n }}", ["first", "second"]],
  [
    "{% macro show(x, y=z) %}{{ x }}{{ y }}{{ w }}{% endmacro %}{{ show(v, y=u) }}",
    ["u", "v", "w", "z"],
  ],
  [
    "{{ raise_exception(text | trim) if flag is true else [p, {'k': q}] }}",
    ["flag", "p", "q", "text"],
  ],
  ["{{ a is not none and strftime_now(format) }}", ["a", "format"]],
])("the variables of %s are %j", (source, names) => {
  expect(listVariables(source)).toEqual(names);
});
