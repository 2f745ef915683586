/** Schemas and rows of format tables that several dialects share. */
import { z } from "zod";
import {
  computed,
  type ExactJson,
  harmless,
  named,
  namedUnless,
  refused,
} from "../../core/index.ts";

/** The names of functions that every provider accepts. */
export const toolName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, "expected a name of letters, digits, _ and -");
export const jsonSchema = z.record(z.string(), z.unknown());
/**
 * An object that the chat template writes: arguments or the schema of a tool. `parseJson` leaves it as a map, which
 * keeps the source of its numbers.
 */
export const exactObject = z.union(
  [z.instanceof(Map<string, ExactJson>), z.record(z.string(), z.unknown())],
  { error: "expected an object" },
);
export const positiveInteger = z.int().min(1);
export const nonEmptyText = z.string().min(1, "expected a text that is not empty");
export const isFalse = z.literal(false);
export const isZero = z.literal(0);
export const emptyList = z.array(z.unknown()).length(0);

/** Returns the schema of a text or a list of parts, which returns a list. A text becomes a part of the type `text`. */
export function textOrParts<S extends z.ZodType>(part: S, error: string) {
  return z.preprocess(
    (content) => (typeof content === "string" ? [{ type: "text", text: content }] : content),
    z.array(part, { error }),
  );
}

/** Returns the schema of a choice of tools in OpenAI's dialects, which write a named function in different ways. */
export const toolChoiceSchema = <S extends z.ZodType>(namedFunction: S) =>
  z.union([z.enum(["auto", "none", "required"]), namedFunction], {
    error: 'expected "auto", "none", "required" or the name of a function',
  });

/** Fields of the JSON Schema that an answer has to have, in OpenAI's dialects. */
export const answerSchemaFields = {
  schema: computed(jsonSchema.nullish(), "shown to the model"),
  name: harmless("the model sees the schema alone"),
  description: named("the model sees the schema alone"),
} as const;

const filters = "the embedded engine obeys it; named by a session that trains and by other engines";

export const temperatureField = computed(
  z.number().min(0).max(2).nullish(),
  "named by a session that trains, unless it is the method's",
);
export const topPField = computed(z.number().min(0).max(1).nullish(), filters);
export const topKField = computed(z.int().min(-1).nullish(), `0 and -1 mean no limit; ${filters}`);
export const minPField = computed(z.number().min(0).max(1).nullish(), filters);
export const seedField = computed(z.int().nullish(), "named by a session that trains");
export const templateVariablesField = computed(
  z.record(z.string(), z.unknown()).nullish(),
  "variables of the chat template; those that it does not read are named",
);

const byProvider = "it is about the provider's accounts and machines, not about the answer";
const cache = "prompts are cached in any case";

/** Fields of OpenAI's requests, in both of its dialects, that are not about the answer. */
export const providerFields = {
  model: harmless("the model that is served answers, whatever it is called"),
  user: harmless(byProvider),
  safety_identifier: harmless(byProvider),
  service_tier: harmless(byProvider),
  prompt_cache_key: harmless(cache),
  prompt_cache_options: harmless(cache),
  prompt_cache_retention: harmless(cache),
  moderation: named("nothing is moderated"),
  top_logprobs: namedUnless(isZero, "0", "only the sampled token's log-prob is known"),
} as const;

/** Fields of vLLM and of other servers that speak OpenAI's dialects. */
export const extendedSamplingFields = {
  top_k: topKField,
  min_p: minPField,
  chat_template_kwargs: templateVariablesField,
  repetition_penalty: namedUnless(z.literal(1), "1", "no penalties are computed"),
} as const;

export const cacheField = harmless(cache);
export const byProviderField = harmless(byProvider);
export const providerTools = refused("tools that a provider runs are not supported");
export const strictField = namedUnless(isFalse, "false", "arguments are not constrained");
