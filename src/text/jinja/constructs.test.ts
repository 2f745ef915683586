/**
 * Compares templates of one construct each with Jinja2 in the environment of transformers, in
 * tests/golden/template-constructs.json, made by make_templates.py.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BowlineError, parseExactJson, toPlainJson } from "../../core/index.ts";
import { compileTemplate } from "./index.ts";

interface Golden {
  readonly now: string;
  readonly cases: readonly { template: string; text?: string; error?: string; message?: string }[];
}
const path = new URL("../../../tests/golden/template-constructs.json", import.meta.url);
const exact = parseExactJson(readFileSync(path, "utf8")) as Map<string, never>;
const golden = toPlainJson(exact) as Golden;
const context = Object.fromEntries(exact.get("context") as unknown as Map<string, unknown>);

function render(template: string): string {
  return compileTemplate(template, "test").render(context, new Date(golden.now));
}

function messageOfError(template: string): string {
  try {
    return `no error: ${JSON.stringify(render(template))}`;
  } catch (error) {
    return BowlineError.is(error) && error.code === "checkpoint"
      ? error.message
      : `other: ${error}`;
  }
}

describe("Jinja2 and this interpreter agree on", () => {
  for (const { template, text, error, message } of golden.cases) {
    it(`${error ? "the error of " : ""}${JSON.stringify(template)}`, () => {
      if (text !== undefined) expect(render(template)).toBe(text);
      else {
        const got = messageOfError(template);
        expect(got).toMatch(/^test: the template (cannot be rendered|is broken): /);
        if (message !== undefined) expect(got).toContain(`it says: ${message}`);
      }
    });
  }
});

describe("what is not implemented is refused by name:", () => {
  it.each([
    ["{{ 'a'.upper }}", "printing a function"],
    ["{{ items | map('string') }}", "printing a generator"],
    ["{{ 'a'.encode('utf-8') }}", "the method encode() of texts"],
    ["{{ items | random }}", "the filter random"],
    ["{{ items | pprint }}", "the filter pprint"],
    ["{{ 'x' | wordwrap(3) }}", "the filter wordwrap"],
    ["{{ 'x' | urlize }}", "the filter urlize"],
    ["{{ '<b>' | striptags }}", "the filter striptags"],
    ["{{ ('<' | safe) * 2 }}", '"*" of text that was marked as safe'],
    ["{{ ('<' | safe) | upper }}", "a filter of text that was marked as safe"],
    ["{{ lipsum() }}", "the function lipsum"],
    ["{{ strftime_now('%Z') }}", "the directive %Z of strftime_now"],
    ["{{ self.title() }}", "the variable self"],
    ["{{ (-8) ** 0.5 }}", "a complex number"],
    ["{{ 2 ** 100000000 }}", "an integer of more than 16777216 bits"],
    ["{{ 'a' * 10 ** 9 }}", "a repetition with more than 16777216 items"],
    ["{% block a %}{% endblock %}", "the tag block"],
    ["{% autoescape true %}{% endautoescape %}", "the tag autoescape"],
    ["{% include 'a' %}", "the tag include"],
    ["{{ 'a' is sameas 'a' }}", "the test sameas of two equal numbers or texts"],
    ["{{ '%a' % 'x' }}", "the format %a"],
    ["{{ '一'.isnumeric() }}", "isnumeric() of Han characters"],
  ])("%s", (template, construct) => {
    expect(messageOfError(template)).toContain(`${construct}`);
    expect(messageOfError(template)).toContain("not supported");
  });

  it("a template that does not end is stopped", () => {
    const loops = "{% for a in range(99999) %}".repeat(3) + "{% endfor %}".repeat(3);
    expect(messageOfError(loops)).toContain("was stopped after 5000000 rounds");
  });

  it("a macro that calls itself for ever is stopped", () => {
    expect(messageOfError("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}")).toContain(
      "cannot be rendered",
    );
  });
});
