/**
 * All tables of outside formats, in the order in which the page about formats shows them. A new table is added here,
 * and `npx vitest run tests/properties/formats-page.test.ts -u` writes the page.
 */
import type { FormatTable } from "../../src/core/index.ts";
import { ggufFormat } from "../../src/engine/onnx/checkpoint/gguf/gguf-format.ts";
import {
  configFormat,
  familyFormats,
  indexFormat,
  ropeFormat,
  safetensorsFormat,
} from "../../src/engine/onnx/checkpoint/huggingface-format.ts";
import { peftFormat } from "../../src/engine/onnx/checkpoint/peft-format.ts";
import { recordingFormats } from "../../src/server/agent/recording-format.ts";
import {
  ENVIRONMENT_FORMATS,
  HARBOR_FORMATS,
  TAU2_FORMATS,
  VERIFIERS_FORMATS,
} from "../../src/server/environment/index.ts";
import { chatFormats } from "../../src/server/gateway/chat/format.ts";
import { googleFormats } from "../../src/server/gateway/google/format.ts";
import { messagesFormats } from "../../src/server/gateway/messages/format.ts";
import { responsesFormats } from "../../src/server/gateway/responses/format.ts";
import { openenvFormats } from "../../src/server/openenv/formats.ts";
import { tinkerFormats } from "../../src/server/tinker/request-formats.ts";
import { ggufTextFormat } from "../../src/text/gguf/gguf-text-format.ts";
import { configTextFormat } from "../../src/text/model-directory/config-format.ts";
import { generationFormat } from "../../src/text/model-directory/generation-format.ts";
import {
  specialTokensFormat,
  tokenizerConfigFormat,
} from "../../src/text/model-directory/tokenizer-config-format.ts";
import { TOKENIZER_FORMATS } from "../../src/text/tokenizer/format/tokenizer-format.ts";

export interface FormatSection {
  readonly title: string;
  readonly tables: readonly FormatTable[];
}

export const formatSections: readonly FormatSection[] = [
  {
    title: "Files of a model",
    tables: [
      configFormat,
      ...Object.values(familyFormats),
      ropeFormat,
      configTextFormat,
      indexFormat,
      safetensorsFormat,
      peftFormat,
      ggufFormat,
      ggufTextFormat,
    ],
  },
];

/** Tables of tokenizers. They fill a page of the site that is not part of the package. */
export const tokenizerSections: readonly FormatSection[] = [
  {
    title: "Roles, templates and sampling",
    tables: [tokenizerConfigFormat, specialTokensFormat, generationFormat],
  },
  { title: "From text to tokens and back", tables: TOKENIZER_FORMATS },
];

/** Tables of requests. They fill a page of the site that is not part of the package. */
export const requestSections: readonly FormatSection[] = [
  { title: "OpenAI's chat completions", tables: chatFormats },
  { title: "OpenAI's responses", tables: responsesFormats },
  { title: "Anthropic's messages", tables: messagesFormats },
  { title: "Google's generateContent", tables: googleFormats },
  { title: "The Tinker protocol", tables: tinkerFormats },
  { title: "OpenEnv and MCP", tables: openenvFormats },
  {
    title: "Environments and results of harnesses",
    tables: [...ENVIRONMENT_FORMATS, ...VERIFIERS_FORMATS, ...HARBOR_FORMATS, ...TAU2_FORMATS],
  },
  { title: "Recorded conversations", tables: recordingFormats },
];
