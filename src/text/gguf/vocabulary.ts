/** Reads and checks the keys of a GGUF file's vocabulary. */
import { z } from "zod";
import { BowlineError, type GgufValue } from "../../core/index.ts";

/** The metadata of a GGUF file by key. */
export type Metadata = ReadonlyMap<string, GgufValue>;

/** The values of `tokenizer.ggml.token_type`. */
export const TOKEN_TYPES = {
  /** A token that merges form. */
  normal: 1,
  /** The token for characters that are not in the vocabulary. */
  unknown: 2,
  /** A special token, which text never becomes. */
  control: 3,
  /** An added word, which text may contain. */
  added: 4,
  /** A row of the embedding without a token. */
  unused: 5,
  /** A single byte, such as `<0x41>`. */
  byte: 6,
} as const;

/** The vocabulary of a GGUF file: tokens and their types by id. */
export interface Vocabulary {
  readonly model: string;
  readonly tokens: readonly string[];
  readonly types: readonly number[];
  readonly merges: readonly string[] | undefined;
  readonly scores: readonly number[] | undefined;
}

const schema = z.object({
  model: z.string(),
  tokens: z.array(z.string()).min(1),
  token_type: z.array(z.number().int()).optional(),
  merges: z.array(z.string()).optional(),
  scores: z.array(z.number()).optional(),
});

/** Reads and checks a vocabulary. `path` is only for messages. Throws a `checkpoint` error that names the key. */
export function readVocabulary(metadata: Metadata, path: string): Vocabulary {
  const fields = Object.keys(schema.shape);
  const found = fields.map((name) => [name, metadata.get(`tokenizer.ggml.${name}`)]);
  const parsed = schema.safeParse(Object.fromEntries(found));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const key = `tokenizer.ggml.${issue?.path.join(".") ?? ""}`;
    throw new BowlineError("checkpoint", `${path}: ${key}: ${issue?.message ?? "is malformed"}`);
  }
  const { model, tokens, token_type, merges, scores } = parsed.data;
  const types = token_type ?? tokens.map(() => TOKEN_TYPES.normal);
  for (const [name, list] of Object.entries({ token_type: types, scores })) {
    if (list === undefined || list.length === tokens.length) continue;
    throw new BowlineError(
      "checkpoint",
      `${path}: tokenizer.ggml.${name} has ${list.length} elements, but there are ${tokens.length} tokens`,
    );
  }
  return { model, tokens, types, merges, scores };
}

/** Returns the id of the token with a role, such as `eos_token_id`, or undefined if no token has that role. */
export function readRoleTokenId(
  metadata: Metadata,
  role: string,
  { tokens }: Vocabulary,
  path: string,
): number | undefined {
  const id = metadata.get(`tokenizer.ggml.${role}`);
  if (id === undefined) return undefined;
  if (typeof id === "number" && Number.isInteger(id) && id >= 0 && id < tokens.length) return id;
  throw new BowlineError(
    "checkpoint",
    `${path}: tokenizer.ggml.${role} is ${String(id).slice(0, 40)}, but there are ${tokens.length} tokens`,
  );
}
