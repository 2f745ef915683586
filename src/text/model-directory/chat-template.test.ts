/**
 * Compares rendered chats with `apply_chat_template` of transformers in tests/golden/hf-chats.json, by hf_golden.py.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { BowlineError } from "../../core/index.ts";
import type { ChatMessage, ChatTemplate } from "../../spec/index.ts";
import { openModelFiles } from "./model-files.ts";
import { compileChatTemplate, readTokenizerConfig } from "./tokenizer-config.ts";

interface TemplateCase {
  readonly label: string;
  readonly tools: boolean;
  readonly more: { readonly add_generation_prompt?: boolean };
  readonly text?: string;
  readonly error?: string;
}
interface RecordedChats {
  readonly now: string;
  readonly tools: readonly unknown[];
  readonly chats: Readonly<Record<string, readonly ChatMessage[]>>;
}
const goldenPath = (name: string) =>
  fileURLToPath(new URL(`../../../tests/golden/${name}`, import.meta.url));
const parseJsonFile = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

function expectRendering(
  template: ChatTemplate,
  recorded: RecordedChats,
  testCase: TemplateCase,
): void {
  const { add_generation_prompt: addGenerationPrompt = false, ...variables } = testCase.more;
  const render = () =>
    template.render(recorded.chats[testCase.label]!, {
      addGenerationPrompt,
      variables,
      now: new Date(recorded.now),
      ...(testCase.tools ? { tools: recorded.tools } : {}),
    });
  if (testCase.text !== undefined) expect(render()).toBe(testCase.text);
  else expect(render).toThrow(testCase.error ? `it says: ${testCase.error}` : /cannot be rendered/);
}

const describeCase = ({ label, tools, more }: TemplateCase) =>
  `${label}${tools ? " with tools" : ""} ${JSON.stringify(more)}`;

const recorded = parseJsonFile(goldenPath("hf-chats.json")) as RecordedChats & {
  readonly checkpoints: Readonly<Record<string, readonly TemplateCase[]>>;
};
describe.each(Object.keys(recorded.checkpoints))("the chat template of %s renders", (name) => {
  const directory = goldenPath(`hf-${name}`);
  const template = compileChatTemplate(readTokenizerConfig(openModelFiles(directory)), directory);
  for (const testCase of recorded.checkpoints[name]!) {
    it(describeCase(testCase), () => expectRendering(template, recorded, testCase));
  }
});

const folder = mkdtempSync(join(tmpdir(), "bowline-templates-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function messageOfRejection(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (BowlineError.is(error) && error.code === "checkpoint") return error.message;
    throw error;
  }
  throw new Error("the template was accepted");
}

/** Returns the error for a folder whose tokenizer_config.json has only this chat template. */
function rejectionOfTemplate(chat_template: unknown): string {
  writeFileSync(join(folder, "tokenizer_config.json"), JSON.stringify({ chat_template }));
  return messageOfRejection(() =>
    compileChatTemplate(readTokenizerConfig(openModelFiles(folder)), folder),
  );
}

it.each([
  ["missing", null, /has no chat template: expected chat_template.jinja, or chat_template in/],
  ["of a wrong type", 3, /tokenizer_config.json: /],
  ["of invalid syntax", "{% if x %}", /tokenizer_config.json: the template is broken/],
  ["using an unknown filter", "{{ messages | shuffle }}", /cannot be rendered: .*shuffle/],
  ["using an unknown function", "{{ now() }}", /cannot be rendered/],
  [
    "named something else than default",
    [{ name: "rag", template: "x" }],
    /templates rag, but none is named/,
  ],
])(
  "a chat template that is %s is rejected with an error that names the problem",
  (_, template, message) => {
    if (Array.isArray(template)) {
      writeFileSync(
        join(folder, "tokenizer_config.json"),
        JSON.stringify({ chat_template: template }),
      );
      const opened = compileChatTemplate(readTokenizerConfig(openModelFiles(folder)), folder);
      expect(messageOfRejection(() => opened.render([]))).toMatch(message);
    } else expect(rejectionOfTemplate(template)).toMatch(message);
  },
);

it("without a time there is no strftime_now, so a template uses its own date", () => {
  const directory = goldenPath("hf-llama3");
  const template = compileChatTemplate(readTokenizerConfig(openModelFiles(directory)), directory);
  const messages = [{ role: "user", content: "Hi" }];
  expect(template.render(messages)).toContain("Today is 1 Jan 2024.");
  expect(template.render(messages, { now: new Date(recorded.now) })).toContain("07 Mar 2025");
});
