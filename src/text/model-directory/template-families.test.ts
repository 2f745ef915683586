/**
 * Compares conversations under chat templates of several families with transformers, in
 * tests/golden/template-chats.json. make_templates.py says how to record published templates, which are not stored
 * here; `BOWLINE_CHAT_CASES` names such a file.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseExactJson, toPlainJson } from "../../core/index.ts";
import type { ChatMessage, ChatTemplate } from "../../spec/index.ts";
import { compileChatTemplate } from "./tokenizer-config.ts";

interface TemplateCase {
  readonly label: string;
  /** The number of tools, which are the last ones of all. */
  readonly tools: number;
  readonly more: { readonly add_generation_prompt?: boolean };
  readonly text?: string;
  /** The beginning of the text's SHA-256, where the text is not stored. */
  readonly hash?: string;
  /** What the template raises, or an empty text for an error of Jinja. */
  readonly error?: string;
}
interface RecordedTemplates {
  readonly now: string;
  readonly tools: readonly unknown[];
  readonly chats: Readonly<Record<string, readonly ChatMessage[]>>;
  readonly templates: Readonly<
    Record<string, { template: string; special: Record<string, string>; cases: TemplateCase[] }>
  >;
}

/** Reads a file. What is in a message or a tool keeps its numbers and the order of its keys. */
function readRecorded(path: string): RecordedTemplates {
  const exact = parseExactJson(readFileSync(path, "utf8"));
  const isKept = (place: string) => /^(chats\.[^.]+\.\d+\..|tools\.\d+$)/.test(place);
  return toPlainJson(exact, isKept) as RecordedTemplates;
}

function render(template: ChatTemplate, recorded: RecordedTemplates, testCase: TemplateCase) {
  const { add_generation_prompt: addGenerationPrompt = false, ...variables } = testCase.more;
  return template.render(recorded.chats[testCase.label]!, {
    addGenerationPrompt,
    variables,
    now: new Date(recorded.now),
    ...(testCase.tools > 0 && { tools: recorded.tools.slice(-testCase.tools) }),
  });
}

function expectSameAsRecorded(
  template: ChatTemplate,
  recorded: RecordedTemplates,
  testCase: TemplateCase,
): void {
  const { text, hash, error } = testCase;
  const run = () => render(template, recorded, testCase);
  if (text !== undefined) expect(run()).toBe(text);
  else if (hash !== undefined) {
    expect(createHash("sha256").update(run()).digest("hex").slice(0, 16)).toBe(hash);
  } else expect(run).toThrow(error ? `it says: ${error}` : /cannot be rendered|is broken/);
}

function describeTemplates(path: string): void {
  const recorded = readRecorded(path);
  for (const [name, { template: source, special, cases }] of Object.entries(recorded.templates)) {
    const templates = new Map([["default", { source, path: name }]]);
    it(`${name}: ${cases.length} renderings are those of transformers`, () => {
      // A template that fails under every conversation, also in transformers, cannot be loaded.
      const canLoad = cases.some(({ error }) => error === undefined);
      const load = () => compileChatTemplate({ specialTokens: special, templates }, name);
      if (!canLoad) {
        expect(() => render(load(), recorded, cases[0]!)).toThrow(/cannot be rendered/);
        return;
      }
      const template = load();
      for (const testCase of cases) expectSameAsRecorded(template, recorded, testCase);
    });
  }
}

describe("the template of the kind", () => {
  describeTemplates(
    fileURLToPath(new URL("../../../tests/golden/template-chats.json", import.meta.url)),
  );
});

const published = process.env["BOWLINE_CHAT_CASES"];
describe.skipIf(published === undefined)("the published template", () => {
  if (published !== undefined) describeTemplates(published);
  else it("is compared where a file is named", () => undefined);
});
