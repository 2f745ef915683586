/**
 * The fields of `tokenizer_config.json` and `special_tokens_map.json`, as transformers 5 and earlier versions write
 * them. How text is encoded is in `tokenizer.json`. These files add chat templates and the roles of special tokens.
 */
import { z } from "zod";
import { computed, defineFormat, harmless, harmlessIf } from "../../core/index.ts";

/** A token as its text, or as an object with its text. */
const token = z.union([z.string(), z.looseObject({ content: z.string() })]).transform((value) => {
  return typeof value === "string" ? value : value.content;
});
const tokenList = z.union([
  z.array(token),
  z.record(z.string(), token).transform((tokens) => Object.values(tokens)),
]);
const role = computed(
  token.nullish(),
  "templates use the token by this name; it must be a special token of tokenizer.json",
);
const listed = computed(tokenList.nullish(), "each must be a special token of tokenizer.json");

const roles = {
  bos_token: role,
  eos_token: role,
  unk_token: role,
  sep_token: role,
  pad_token: role,
  cls_token: role,
  mask_token: role,
  NAME_token: computed(
    z.record(z.string(), token.nullable()),
    "templates use the token by its name",
  ),
  additional_special_tokens: listed,
  extra_special_tokens: listed,
} as const;

export const specialTokensFormat = defineFormat({
  name: "special_tokens_map.json",
  unknown: "named",
  fields: roles,
});

const listedToken = z.looseObject({
  content: z.string(),
  single_word: z.boolean().default(false),
  lstrip: z.boolean().default(false),
  rstrip: z.boolean().default(false),
  normalized: z.boolean().default(true),
  special: z.boolean().default(false),
});
const elsewhere = "tokenizer.json says how text is encoded";
const around = "texts are encoded without tokens around them";
const length = "texts are never cut or padded";
const origin = "it says where the tokenizer comes from";

export const tokenizerConfigFormat = defineFormat({
  name: "tokenizer_config.json",
  // transformers passes what it does not know to the code of a model, which is not run here.
  unknown: "named",
  fields: {
    chat_template: computed(
      z
        .union([z.string(), z.array(z.looseObject({ name: z.string(), template: z.string() }))])
        .nullish(),
      "the chat template, or several with names; files of templates have priority",
    ),
    ...roles,
    added_tokens_decoder: computed(
      z.record(z.string(), listedToken).nullish(),
      "each must be the same in tokenizer.json",
    ),
    split_special_tokens: harmlessIf(
      z.literal(false),
      "false",
      "special tokens of a rendered template become tokens",
    ),
    clean_up_tokenization_spaces: harmless("decoding never removes spaces"),
    clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output: harmlessIf(
      z.literal(false),
      "false",
      "decoding never removes spaces",
    ),
    tokenizer_class: harmless(elsewhere),
    backend: harmless(elsewhere),
    add_prefix_space: harmless(elsewhere),
    legacy: harmless(elsewhere),
    do_lower_case: harmless(elsewhere),
    strip_accents: harmless(elsewhere),
    tokenize_chinese_chars: harmless(elsewhere),
    sp_model_kwargs: harmless(elsewhere),
    spaces_between_special_tokens: harmless("only old tokenizers in Python read it"),
    errors: harmless("bytes that are not UTF-8 become U+FFFD"),
    add_bos_token: harmless(around),
    add_eos_token: harmless(around),
    use_default_system_prompt: harmless("the chat template says what it writes"),
    model_max_length: harmless("the context of the model counts"),
    max_length: harmless(length),
    padding_side: harmless(length),
    pad_to_multiple_of: harmless(length),
    pad_token_type_id: harmless(length),
    truncation_side: harmless(length),
    truncation_strategy: harmless(length),
    stride: harmless(length),
    model_input_names: harmless("models here read ids only"),
    auto_map: harmless("no code of a model is run"),
    name_or_path: harmless(origin),
    processor_class: harmless(origin),
    init_inputs: harmless(origin),
    vocab_file: harmless(origin),
    tokenizer_file: harmless(origin),
    special_tokens_map_file: harmless(origin),
    is_local: harmless(origin),
    local_files_only: harmless(origin),
    files_loaded: harmless(origin),
  },
});

const ROLE_NAMES = new Set(Object.keys(roles));

/** Collects the fields of tokens with other names, such as `image_token`, in the field `NAME_token`. */
export function collectOtherTokens(file: object): Record<string, unknown> {
  const isOther = (name: string) => name.endsWith("_token") && !ROLE_NAMES.has(name);
  const isToken = (value: unknown) => value === null || token.safeParse(value).success;
  const entries = Object.entries(file);
  const others = entries.filter(([name, value]) => isOther(name) && isToken(value));
  const rest = entries.filter(([name, value]) => !(isOther(name) && isToken(value)));
  const known = rest.filter(([name]) => name !== "NAME_token");
  return { ...Object.fromEntries(known), NAME_token: Object.fromEntries(others) };
}
