/** Compares rendered templates with those of transformers in tests/golden/hf-constructs.json, made by hf_golden.py. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BowlineError } from "../../core/index.ts";
import { compileTemplate } from "./index.ts";

interface RecordedTemplates {
  readonly now: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly cases: readonly { template: string; text?: string; error?: string }[];
}
const path = new URL("../../../tests/golden/hf-constructs.json", import.meta.url);
const golden = JSON.parse(readFileSync(path, "utf8")) as RecordedTemplates;

function renderTemplate(template: string): string {
  return compileTemplate(template, "test").render(golden.context, new Date(golden.now));
}

function messageOfRejection(template: string): string {
  try {
    return `no error: ${JSON.stringify(renderTemplate(template))}`;
  } catch (error) {
    return BowlineError.is(error) && error.code === "checkpoint"
      ? error.message
      : `other: ${error}`;
  }
}

describe("a template is rendered as in Python:", () => {
  for (const { template, text, error } of golden.cases) {
    it(template, () => {
      if (text !== undefined) expect(renderTemplate(template)).toBe(text);
      else
        expect(messageOfRejection(template)).toContain(
          error ? `it says: ${error}` : "test: the template ",
        );
    });
  }
});
