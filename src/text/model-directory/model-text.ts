/**
 * The tokenizer, the chat template and the stop ids of a model.
 *
 * It is read from the folder or GGUF file of a downloaded model, or from a checkpoint of a run, which contains copies
 * of these files.
 */
import { BowlineError } from "../../core/index.ts";
import type { ChatTemplate } from "../../spec/index.ts";
import { type FileTokenizer, loadTokenizer } from "../tokenizer/load-tokenizer.ts";
import { type GenerationDefaults, readGenerationConfig } from "./generation-config.ts";
import { type ModelFiles, openModelFiles } from "./model-files.ts";
import { checkTokens, compileChatTemplate, readTokenizerConfig } from "./tokenizer-config.ts";

/** The tokenizer, chat template and sampling defaults of a model. */
export interface ModelText {
  readonly tokenizer: FileTokenizer;
  /** The content of `tokenizer.json`. */
  readonly tokenizerJson: string;
  readonly specialTokens: Readonly<Record<string, string>>;
  /** Fields of `tokenizer_config.json` and `special_tokens_map.json` that are not read. */
  readonly namedTokenizerFields: readonly string[];
  readonly hasChatTemplate: boolean;
  /** Returns the chat template. Throws a `checkpoint` error if the model has none. */
  chatTemplate(): ChatTemplate;
  readonly generation: GenerationDefaults;
  /** The contents of the other files by name. Checkpoints of models that are trained from this one contain them. */
  readonly files: Readonly<Record<string, string>>;
}

const TOKENIZER_FILE = "tokenizer.json";
const GENERATION_FILE = "generation_config.json";
const KEPT_FILES = [
  "tokenizer_config.json",
  "special_tokens_map.json",
  "chat_template.jinja",
  GENERATION_FILE,
];

/**
 * Reads the tokenizer and chat template of a model from a folder or a GGUF file. `vocabularySize` is the number of rows
 * of the embedding, and `configStopIds` are the stop ids of `config.json`. Throws a `checkpoint` error if a file is
 * missing, invalid or belongs to another model.
 */
export function readModelText(
  path: string,
  vocabularySize: number,
  configStopIds?: unknown,
): ModelText {
  return modelTextFromFiles(openModelFiles(path), vocabularySize, configStopIds);
}

/**
 * Reads the tokenizer and chat template of a folder that belongs to the model at `modelPath`, such as an adapter. Its
 * sampling defaults are those of the model when the folder has none. Throws like `readModelText`.
 */
export function readModelTextOfFolders(
  folder: string,
  modelPath: string,
  vocabularySize: number,
  configStopIds?: unknown,
): ModelText {
  const own = openModelFiles(folder);
  const model = openModelFiles(modelPath);
  const filesOf = (name: string) =>
    name === GENERATION_FILE && own.read(name) === undefined ? model : own;
  const files: ModelFiles = {
    ...own,
    read: (name) => filesOf(name).read(name),
    displayPath: (name) => filesOf(name).displayPath(name),
  };
  return modelTextFromFiles(files, vocabularySize, configStopIds);
}

/** Reads the tokenizer and chat template of a model from open files, like `readModelText`. */
export function modelTextFromFiles(
  files: ModelFiles,
  vocabularySize: number,
  configStopIds?: unknown,
): ModelText {
  const tokenizerJson = readTokenizerJson(files);
  const tokenizer = loadTokenizer(tokenizerJson);
  if (tokenizer.vocabularySize > vocabularySize) {
    throw new BowlineError(
      "checkpoint",
      `${files.displayPath(TOKENIZER_FILE)} belongs to another model: it has ${tokenizer.vocabularySize} ids, but the embedding has ${vocabularySize} rows`,
    );
  }
  const config = readTokenizerConfig(files);
  checkTokens(config, tokenizer);
  // The template is compiled now, so that a broken one is reported before it is needed.
  const template = config.templates.size > 0 ? compileChatTemplate(config, files.path) : undefined;
  const end = tokenizer.specials.get(config.specialTokens["eos_token"] ?? "");
  const generation = readGenerationConfig(files, vocabularySize, [configStopIds, end]);
  return {
    tokenizer,
    tokenizerJson,
    specialTokens: config.specialTokens,
    namedTokenizerFields: config.namedFields,
    hasChatTemplate: template !== undefined,
    chatTemplate: () => template ?? compileChatTemplate(config, files.path),
    generation,
    files: collectKeptFiles(files, generation),
  };
}

function readTokenizerJson(files: ModelFiles): string {
  const text = files.read(TOKENIZER_FILE);
  if (text !== undefined) return text;
  const slow = ["tokenizer.model", "vocab.json"].find((name) => files.read(name) !== undefined);
  const advice = slow
    ? `${slow} is not supported; save the model with a fast tokenizer, which writes ${TOKENIZER_FILE}`
    : `a model folder needs this file`;
  throw new BowlineError(
    "checkpoint",
    `${files.displayPath(TOKENIZER_FILE)} is missing: ${advice}`,
  );
}

/** Returns the files that a checkpoint keeps. A missing `generation_config.json` is created from the stop ids. */
function collectKeptFiles(
  files: ModelFiles,
  { stopIds }: GenerationDefaults,
): Record<string, string> {
  const kept = Object.fromEntries(
    KEPT_FILES.flatMap((name) => {
      const text = files.read(name);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
  kept[GENERATION_FILE] ??= `${JSON.stringify({ eos_token_id: stopIds })}\n`;
  return kept;
}
