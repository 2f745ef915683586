/**
 * Reads `tokenizer_config.json` and the chat templates of a model.
 *
 * Templates are in the files `chat_template.jinja` and `additional_chat_templates/NAME.jinja`, or in the field
 * `chat_template`, as one text or a list of named texts. As in transformers, the files have priority. The template
 * `tool_use` is for conversations with tools and `default` for all others.
 */
import { basename } from "node:path";
import { z } from "zod";
import {
  BowlineError,
  errorMessage,
  formatSchema,
  formatValue,
  listNamedFields,
} from "../../core/index.ts";
import type { ChatMessage, ChatRenderOptions, ChatTemplate } from "../../spec/index.ts";
import { compileTemplate, type Template, TemplateRaisedError } from "../jinja/index.ts";
import type { FileTokenizer } from "../tokenizer/load-tokenizer.ts";
import type { ModelFiles } from "./model-files.ts";
import {
  collectOtherTokens,
  specialTokensFormat,
  tokenizerConfigFormat,
} from "./tokenizer-config-format.ts";

const CONFIG_FILE = "tokenizer_config.json";
const TEMPLATE_FILE = "chat_template.jinja";
const TEMPLATE_FOLDER = "additional_chat_templates";

const SPECIAL_TOKENS_FILE = "special_tokens_map.json";

const configSchema = formatSchema(tokenizerConfigFormat);
const specialTokensSchema = formatSchema(specialTokensFormat);
type ConfigFile = z.infer<typeof configSchema>;
type SpecialTokensFile = z.infer<typeof specialTokensSchema>;

/** The special tokens and chat templates of a model. */
export interface TokenizerConfig {
  /** The special tokens by role, such as `bos_token`. Templates use these names as variables. */
  readonly specialTokens: Readonly<Record<string, string>>;
  /** Special tokens without a role. */
  readonly listedTokens: readonly string[];
  /** The added tokens by id, as the config repeats them. */
  readonly addedTokens: ReadonlyMap<number, ListedToken>;
  /** The path of the file, for messages. */
  readonly path: string;
  /** Fields of both files that are not read. */
  readonly namedFields: readonly string[];
  /** The templates by name. A single template has the name `default`. */
  readonly templates: ReadonlyMap<string, NamedTemplate>;
}

type ListedToken = NonNullable<ConfigFile["added_tokens_decoder"]>[string];

interface NamedTemplate {
  readonly source: string;
  readonly path: string;
}

/**
 * Reads the config. Without the file, it has no special tokens. Throws a `checkpoint` error if the file is malformed.
 */
export function readTokenizerConfig(files: ModelFiles): TokenizerConfig {
  const path = files.displayPath(CONFIG_FILE);
  const config = parseFile(files, CONFIG_FILE, configSchema);
  const map = parseFile(files, SPECIAL_TOKENS_FILE, specialTokensSchema);
  const templates = readTemplateFiles(files);
  return {
    specialTokens: { ...tokensByRole(map), ...tokensByRole(config) },
    listedTokens: [map, config].flatMap((file) => [
      ...(file.additional_special_tokens ?? []),
      ...(file.extra_special_tokens ?? []),
    ]),
    addedTokens: new Map(
      Object.entries(config.added_tokens_decoder ?? {}).map(([id, token]) => [Number(id), token]),
    ),
    path,
    namedFields: [...listNamedFields(config), ...listNamedFields(map)],
    templates:
      templates.size > 0 ? templates : parseTemplatesField(config.chat_template ?? [], path),
  };
}

/**
 * Checks that the tokenizer has the special and added tokens of the config. transformers would add what is missing when
 * it loads the tokenizer, so the same text would get other ids. Throws a `checkpoint` error that names the token.
 */
export function checkTokens(config: TokenizerConfig, tokenizer: FileTokenizer): void {
  const fail = (what: string) => {
    throw new BowlineError(
      "checkpoint",
      `${config.path}: ${what}; transformers changes the tokenizer when it loads such files: load it there, save it, and use what it saved`,
    );
  };
  const named = Object.entries(config.specialTokens);
  for (const [role, token] of [...named, ...config.listedTokens.map((one) => ["a token", one])]) {
    if (tokenizer.specials.has(token!)) continue;
    fail(`${role} is ${formatValue(token)}, which is no special token of tokenizer.json`);
  }
  const added = new Map(tokenizer.addedTokens.map((token) => [token.id, token]));
  for (const [id, token] of config.addedTokens) {
    const known = added.get(id);
    const differing = ADDED_FIELDS.filter((field) => known?.[field] !== token[field]);
    if (differing.length === 0) continue;
    const there =
      known === undefined ? "has no such added token" : `differs in ${differing.join(", ")}`;
    fail(
      `added_tokens_decoder.${id} is ${formatValue(token.content)}, and tokenizer.json ${there}`,
    );
  }
}

const ADDED_FIELDS = [
  "content",
  "single_word",
  "lstrip",
  "rstrip",
  "normalized",
  "special",
] as const;

/** Compiles and tests the chat templates. Throws a `checkpoint` error if there is none or one is broken. */
export function compileChatTemplate(
  config: Pick<TokenizerConfig, "specialTokens" | "templates">,
  directory: string,
): ChatTemplate {
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
    readsDate: [...compiled.values()].some(({ readsDate }) => readsDate),
    readsVariable: (name) =>
      !OWN_VARIABLES.has(name) &&
      [...compiled.values()].some(({ variables }) => variables.has(name)),
  };
  if (compiled.has("default")) testChatTemplate(template);
  return template;
}

const PROBE_TOOL = {
  type: "function",
  function: {
    name: "probe",
    description: "Probes.",
    parameters: { type: "object", properties: {} },
  },
};

/**
 * Renders a question on some day. Some templates are only for conversations with tools. An error that the template
 * raises itself is ignored: it may require a system message.
 */
function testChatTemplate(template: ChatTemplate): void {
  const failsWith = (tools?: readonly unknown[]): unknown => {
    const options = { addGenerationPrompt: true, now: new Date(0), ...(tools && { tools }) };
    try {
      template.render([{ role: "user", content: "Hello" }], options);
      return undefined;
    } catch (error) {
      const isRaised = BowlineError.is(error) && error.cause instanceof TemplateRaisedError;
      return isRaised ? undefined : error;
    }
  };
  const error = failsWith();
  if (error !== undefined && failsWith([PROBE_TOOL]) !== undefined) throw error;
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
  field: NonNullable<ConfigFile["chat_template"]>,
  path: string,
): ReadonlyMap<string, NamedTemplate> {
  const named = typeof field === "string" ? [{ name: "default", template: field }] : field;
  return new Map(named.map(({ name, template }) => [name, { source: template, path }]));
}

/** Returns the tokens of a file by role, with those of other names. */
function tokensByRole(file: SpecialTokensFile | ConfigFile): Record<string, string> {
  const roles = Object.entries(file).filter(([name]) => name !== "NAME_token");
  const entries = [...roles, ...Object.entries(file.NAME_token)];
  return Object.fromEntries(
    entries.flatMap(([name, value]): [string, string][] =>
      name.endsWith("_token") && typeof value === "string" ? [[name, value]] : [],
    ),
  );
}

/** Reads a file through its table. A missing file is empty. Throws a `checkpoint` error that names the file. */
function parseFile<T>(files: ModelFiles, name: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(collectOtherTokens(readJsonObject(files, name) ?? {}));
  if (parsed.success) return parsed.data;
  throw new BowlineError("checkpoint", `${files.displayPath(name)}: ${errorMessage(parsed.error)}`);
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
