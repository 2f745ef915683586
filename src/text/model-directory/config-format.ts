/**
 * What the text layer reads of `config.json`: sizes, stop ids and, for models without a `generation_config.json`, how
 * to sample. transformers makes its generation config of these fields in the same case.
 */
import { z } from "zod";
import { computed, defineFormat, formatSchema, harmless } from "../../core/index.ts";
import { SAMPLING_FIELDS } from "../../spec/index.ts";

const size = z.number().int().positive().nullish();
const sampling = computed(z.unknown().optional(), "sampling, without generation_config.json");
const samplingRows = Object.fromEntries(SAMPLING_FIELDS.map((name) => [name, sampling])) as Record<
  (typeof SAMPLING_FIELDS)[number],
  typeof sampling
>;
const sizes = {
  vocab_size: computed(size, "rows of the embedding"),
  max_position_embeddings: computed(size, "context length"),
  eos_token_id: computed(z.unknown().optional(), "stop ids, when generation_config.json has none"),
  "*": harmless("see the tables before; for a model on a server, the server computes it"),
};
const textConfigFormat = defineFormat({ name: "text_config", unknown: "named", fields: sizes });

export const configTextFormat = defineFormat({
  name: "config.json: what is read with the texts",
  unknown: "named",
  fields: {
    ...sizes,
    text_config: computed(
      formatSchema(textConfigFormat).nullish(),
      "sizes and stop ids of a multimodal model",
    ),
    ...samplingRows,
  },
});
export const configTextSchema = formatSchema(configTextFormat);

/**
 * Returns the content of the `generation_config.json` that a `config.json` stands for, or undefined when it has no
 * field about sampling or cannot be read. Whoever reads it as a model says what is wrong with it.
 */
export function generationConfigFromConfig(text: string): string | undefined {
  const config = configTextSchema.safeParse(parseJson(text)).data;
  if (config === undefined) return undefined;
  const fields = SAMPLING_FIELDS.filter((name) => (config[name] ?? null) !== null);
  if (fields.length === 0) return undefined;
  const entries = fields.map((name) => [name, config[name]] as const);
  return JSON.stringify({
    eos_token_id: config.eos_token_id ?? undefined,
    ...Object.fromEntries(entries),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
