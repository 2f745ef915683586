/**
 * Reads `tokenizer_config.json` and the chat templates of a model.
 *
 * Templates are in the files `chat_template.jinja` and `additional_chat_templates/NAME.jinja`, or in the field
 * `chat_template`, as one text or a list of named texts. As in transformers, the files have priority. The template
 * `tool_use` is for conversations with tools and `default` for all others.
 */
import { basename } from "node:path";
import { z } from "zod";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { ChatMessage, ChatRenderOptions, ChatTemplate } from "../../spec/index.ts";
import { compileTemplate, type Template, TemplateRaisedError } from "../jinja/index.ts";
import type { ModelFiles } from "./model-files.ts";

const CONFIG_FILE = "tokenizer_config.json";
const TEMPLATE_FILE = "chat_template.jinja";
const TEMPLATE_FOLDER = "additional_chat_templates";

const token = z.union([z.string(), z.looseObject({ content: z.string() }), z.null()]);
const templatesField = z.union([
  z.string(),
  z.array(z.looseObject({ name: z.string(), template: z.string() })),
]);
const configSchema = z.looseObject({ chat_template: templatesField.nullish() });

/** The special tokens and chat templates of a model. */
export interface TokenizerConfig {
  /** The special tokens by role, such as `bos_token`. Templates use these names as variables. */
  readonly specialTokens: Readonly<Record<string, string>>;
  /** The templates by name. A single template has the name `default`. */
  readonly templates: ReadonlyMap<string, NamedTemplate>;
}

interface NamedTemplate {
  readonly source: string;
  readonly path: string;
}

/**
 * Reads the config. Without the file, it has no special tokens. Throws a `checkpoint` error if the file is malformed.
 */
export function readTokenizerConfig(files: ModelFiles): TokenizerConfig {
  const path = files.displayPath(CONFIG_FILE);
  const parsed = configSchema.safeParse(readJsonObject(files, CONFIG_FILE) ?? {});
  if (!parsed.success) {
    throw new BowlineError("checkpoint", `${path}: ${z.prettifyError(parsed.error)}`);
  }
  const specialTokensMap = readJsonObject(files, "special_tokens_map.json") ?? {};
  const templates = readTemplateFiles(files);
  return {
    specialTokens: { ...parseSpecialTokens(specialTokensMap), ...parseSpecialTokens(parsed.data) },
    templates:
      templates.size > 0 ? templates : parseTemplatesField(parsed.data.chat_template ?? [], path),
  };
}

/** Compiles and tests the chat templates. Throws a `checkpoint` error if there is none or one is broken. */
export function compileChatTemplate(config: TokenizerConfig, directory: string): ChatTemplate {
  if (config.templates.size === 0) {
    throw new BowlineError(
      "checkpoint",
      `${directory} has no chat template: expected ${TEMPLATE_FILE}, or chat_template in ${CONFIG_FILE}; in a GGUF file tokenizer.chat_template`,
    );
  }
  const compiled = new Map(
    [...config.templates].map(([name, { source, path }]) => [name, compileTemplate(source, path)]),
  );
  const template: ChatTemplate = {
    render: (messages, options = {}) =>
      chooseTemplate(compiled, options.tools, directory).render(
        createTemplateVariables(messages, options, config.specialTokens),
        options.now,
      ),
    readsVariable: (name) =>
      !OWN_VARIABLES.has(name) &&
      [...compiled.values()].some(({ variables }) => variables.has(name)),
  };
  if (compiled.has("default")) testChatTemplate(template);
  return template;
}

/**
 * Renders a question on some day. An error that the template raises itself is ignored: it may require a system message.
 */
function testChatTemplate(template: ChatTemplate): void {
  const options = { addGenerationPrompt: true, now: new Date(0) };
  try {
    template.render([{ role: "user", content: "Hello" }], options);
  } catch (error) {
    if (!(BowlineError.is(error) && error.cause instanceof TemplateRaisedError)) throw error;
  }
}

function chooseTemplate(
  compiled: ReadonlyMap<string, Template>,
  tools: ChatRenderOptions["tools"],
  directory: string,
): Template {
  const found = (tools ? compiled.get("tool_use") : undefined) ?? compiled.get("default");
  if (found) return found;
  const names = [...compiled.keys()].join(", ");
  throw new BowlineError(
    "checkpoint",
    `${directory} has chat templates ${names}, but none is named default`,
  );
}

/** The variables that each rendering sets, so that the caller's variables of these names have no effect. */
const OWN_VARIABLES = new Set(["messages", "tools", "documents", "add_generation_prompt"]);

function createTemplateVariables(
  messages: readonly ChatMessage[],
  { tools, addGenerationPrompt, variables }: ChatRenderOptions,
  specialTokens: TokenizerConfig["specialTokens"],
): Record<string, unknown> {
  return {
    ...specialTokens,
    ...variables,
    messages: messages.map((message) => addReasoningAliases(withoutNulls(message))),
    tools: tools ?? null,
    documents: null,
    add_generation_prompt: addGenerationPrompt ?? false,
  };
}

/**
 * Leaves out the fields of a message that are null, as transformers does: many templates would print `content: null`,
 * and expect a missing field.
 */
function withoutNulls(message: ChatMessage): ChatMessage {
  const fields = Object.entries(message).filter(([, value]) => value !== null);
  return Object.fromEntries(fields) as unknown as ChatMessage;
}

const REASONING = ["reasoning_content", "thinking", "reasoning"];

/** Adds the reasoning of a message under all names that templates use for it, as transformers does. */
function addReasoningAliases(message: ChatMessage): ChatMessage {
  const field = REASONING.find((name) => (message[name] ?? undefined) !== undefined);
  if (field === undefined) return message;
  const reasoning = message[field];
  return { thinking: reasoning, ...message, reasoning_content: reasoning };
}

function readTemplateFiles(files: ModelFiles): Map<string, NamedTemplate> {
  const found = new Map<string, NamedTemplate>();
  const add = (name: string, file: string) => {
    const source = files.read(file);
    if (source !== undefined) found.set(name, { source, path: files.displayPath(file) });
  };
  add("default", TEMPLATE_FILE);
  for (const name of files.list(TEMPLATE_FOLDER).filter((file) => file.endsWith(".jinja"))) {
    add(basename(name, ".jinja"), `${TEMPLATE_FOLDER}/${name}`);
  }
  return found;
}

function parseTemplatesField(
  field: z.infer<typeof templatesField>,
  path: string,
): ReadonlyMap<string, NamedTemplate> {
  const named = typeof field === "string" ? [{ name: "default", template: field }] : field;
  return new Map(named.map(({ name, template }) => [name, { source: template, path }]));
}

function parseSpecialTokens(file: object): Record<string, string> {
  const found = Object.entries(file).flatMap(([name, value]): [string, string][] => {
    const parsed = name.endsWith("_token") ? token.safeParse(value) : undefined;
    if (!parsed?.success || parsed.data === null) return [];
    return [[name, typeof parsed.data === "string" ? parsed.data : parsed.data.content]];
  });
  return Object.fromEntries(found);
}

/** Reads a JSON file, or returns undefined if it is missing. Throws a `checkpoint` error if it is not an object. */
function readJsonObject(files: ModelFiles, name: string): object | undefined {
  const text = files.read(name);
  if (text === undefined) return undefined;
  try {
    return z.looseObject({}).parse(JSON.parse(text));
  } catch (cause) {
    throw new BowlineError(
      "checkpoint",
      `${files.displayPath(name)} is not a JSON object: ${errorMessage(cause)}`,
      { cause },
    );
  }
}
