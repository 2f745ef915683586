/** The names of sampling fields in `config.json`, which two layers have to know. */

/**
 * Fields of `generation_config.json` that transformers also reads in `config.json` when that file is missing. The text
 * layer reads them, and the engine leaves them to it.
 */
export const SAMPLING_FIELDS = [
  "do_sample",
  "temperature",
  "top_k",
  "top_p",
  "min_p",
  "typical_p",
  "epsilon_cutoff",
  "eta_cutoff",
  "repetition_penalty",
  "encoder_repetition_penalty",
  "length_penalty",
  "no_repeat_ngram_size",
  "encoder_no_repeat_ngram_size",
  "exponential_decay_length_penalty",
  "bad_words_ids",
  "suppress_tokens",
  "begin_suppress_tokens",
  "forced_bos_token_id",
  "forced_eos_token_id",
  "remove_invalid_values",
  "max_length",
  "max_new_tokens",
  "min_length",
  "early_stopping",
  "num_beams",
  "num_beam_groups",
  "diversity_penalty",
  "num_return_sequences",
] as const;
