/**
 * The AI SDK's interface of a language model, version 3, copied here. `ai` 6 and 7 accept any object of this shape, so
 * no package is needed for it. Only what a session reads or writes is declared. The rest of the interface (files,
 * sources, tools that a provider runs) is `unknown`.
 */

/** Metadata by provider name. What a model puts on a part comes back on the same part as `providerOptions`. */
export type V3Metadata = Record<string, Record<string, V3Json | undefined>>;

export type V3Json =
  | null
  | string
  | number
  | boolean
  | V3Json[]
  | { [key: string]: V3Json | undefined };

export interface V3Warning {
  type: "unsupported";
  feature: string;
  details?: string;
}

export interface V3TextPart {
  type: "text" | "reasoning";
  text: string;
  providerOptions?: V3Metadata | undefined;
}

export interface V3ToolCallPart {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  /** The input is an object here. In a model's answer it is a string. */
  input: unknown;
  providerOptions?: V3Metadata | undefined;
}

export type V3ToolOutput =
  | { type: "text" | "error-text"; value: string }
  | { type: "json" | "error-json"; value: unknown }
  | { type: "execution-denied"; reason?: string | undefined }
  | { type: "content"; value: { type: string; text?: string }[] };

export interface V3ToolResultPart {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: V3ToolOutput;
}

/** Parts that no session accepts: files, and answers to requests for approval. */
export interface V3OtherPart {
  type: "file" | "tool-approval-response";
}

export type V3Message =
  | { role: "system"; content: string }
  | { role: "user"; content: (V3TextPart | V3OtherPart)[] }
  | {
      role: "assistant";
      content: (V3TextPart | V3ToolCallPart | V3ToolResultPart | V3OtherPart)[];
      providerOptions?: V3Metadata | undefined;
    }
  | { role: "tool"; content: (V3ToolResultPart | V3OtherPart)[] };

export type V3Tool =
  | { type: "function"; name: string; description?: string | undefined; inputSchema: object }
  | { type: "provider"; id: string; name: string };

export type V3ToolChoice =
  | { type: "auto" | "none" | "required" }
  | { type: "tool"; toolName: string };

export interface V3CallOptions {
  prompt: V3Message[];
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
  stopSequences?: string[] | undefined;
  topP?: number | undefined;
  topK?: number | undefined;
  presencePenalty?: number | undefined;
  frequencyPenalty?: number | undefined;
  responseFormat?: { type: "text" } | { type: "json"; schema?: object | undefined } | undefined;
  seed?: number | undefined;
  tools?: V3Tool[] | undefined;
  toolChoice?: V3ToolChoice | undefined;
  abortSignal?: AbortSignal | undefined;
  headers?: Record<string, string | undefined> | undefined;
  providerOptions?: V3Metadata | undefined;
}

export type V3Content =
  | { type: "text" | "reasoning"; text: string; providerMetadata?: V3Metadata }
  | {
      type: "tool-call";
      toolCallId: string;
      toolName: string;
      input: string;
      providerMetadata?: V3Metadata;
    };

export interface V3FinishReason {
  unified: "stop" | "length" | "tool-calls";
  raw: string | undefined;
}

export interface V3Usage {
  inputTokens: { total: number; noCache: number; cacheRead: number; cacheWrite: undefined };
  outputTokens: { total: number; text: number; reasoning: number };
}

export interface V3ResponseMetadata {
  id: string;
  timestamp: Date;
  modelId: string;
}

export interface V3GenerateResult {
  content: V3Content[];
  finishReason: V3FinishReason;
  usage: V3Usage;
  warnings: V3Warning[];
  providerMetadata: V3Metadata;
  response: V3ResponseMetadata;
}

export type V3StreamPart =
  | { type: "stream-start"; warnings: V3Warning[] }
  | ({ type: "response-metadata" } & V3ResponseMetadata)
  | { type: "text-start" | "reasoning-start"; id: string; providerMetadata?: V3Metadata }
  | { type: "text-delta" | "reasoning-delta"; id: string; delta: string }
  | { type: "text-end" | "reasoning-end"; id: string; providerMetadata?: V3Metadata }
  | { type: "tool-input-start"; id: string; toolName: string }
  | { type: "tool-input-delta"; id: string; delta: string }
  | { type: "tool-input-end"; id: string }
  | Extract<V3Content, { type: "tool-call" }>
  | {
      type: "finish";
      usage: V3Usage;
      finishReason: V3FinishReason;
      providerMetadata: V3Metadata;
    }
  | { type: "error"; error: unknown };

/** The model interface that `generateText({ model })` and related functions of `ai` 6 and 7 accept. */
export interface LanguageModelV3 {
  readonly specificationVersion: "v3";
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  doGenerate(options: V3CallOptions): Promise<V3GenerateResult>;
  doStream(options: V3CallOptions): Promise<{ stream: ReadableStream<V3StreamPart> }>;
}
