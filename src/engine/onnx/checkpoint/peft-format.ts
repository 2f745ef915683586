/**
 * The fields of `adapter_config.json`, as PEFT 0.21 and earlier versions write it. What a field does is decided by what
 * PEFT computes with a saved adapter, not by how the adapter was trained.
 */
import { z } from "zod";
import { computed, defineFormat, harmless, harmlessIf, refused } from "../../../core/index.ts";

const isFalse = z.literal(false);
const emptyList = z.array(z.unknown()).length(0);
const emptyObject = z.record(z.string(), z.never());
const names = z.array(z.string());

/**
 * Initializations after which PEFT leaves the base as it is. `pissa`, `pissa_niter_N`, `olora`, `corda` and `loftq`
 * take a part of each base weight away, also when a saved adapter is loaded.
 */
const HARMLESS_INITIALIZATIONS = ["gaussian", "eva", "orthogonal", "mica", "lora_ga"] as const;

const inFile = "it says where the adapter comes from";
const preparation = "only the start of training reads it";
const variant = "this variant of LoRA is not computed";

export const peftFormat = defineFormat({
  name: "PEFT's adapter_config.json",
  // PEFT skips what it does not know, and a newer PEFT may compute something else because of it.
  unknown: "refused",
  fields: {
    peft_type: computed(z.literal("LORA"), "only LoRA adapters are run"),
    r: computed(z.number().int().positive().default(8), "rank"),
    lora_alpha: computed(z.number().positive().default(8), "the scale is alpha / r"),
    use_rslora: computed(z.boolean().nullish(), "the scale is alpha / sqrt(r)"),
    base_model_name_or_path: computed(z.string().nullish(), "the base, when you name none"),
    target_modules: computed(
      z.union([z.string(), names.min(1)]),
      "names, a pattern for whole paths, or all-linear; the same modules in all layers",
    ),
    exclude_modules: computed(z.union([z.string(), names]).nullish(), "names or a pattern"),
    init_lora_weights: harmlessIf(
      z.union([z.boolean(), z.enum(HARMLESS_INITIALIZATIONS)]),
      `true, false, ${HARMLESS_INITIALIZATIONS.join(", ")}`,
      "the others (PiSSA, OLoRA, CorDA, LoftQ) change the base when PEFT loads the adapter; convert it with path_initial_model_for_weight_conversion",
    ),
    task_type: harmlessIf(z.literal("CAUSAL_LM"), "CAUSAL_LM", "only language models are run"),
    bias: harmlessIf(z.literal("none"), "none", "biases are not adapted"),
    lora_bias: harmlessIf(isFalse, "false", "biases are not adapted"),
    modules_to_save: harmlessIf(emptyList, "an empty list", "whole modules are not replaced"),
    trainable_token_indices: harmlessIf(
      z.union([emptyList, emptyObject]),
      "an empty list",
      "embeddings are not adapted",
    ),
    layers_to_transform: harmlessIf(
      emptyList,
      "an empty list",
      "all layers are adapted in the same way",
    ),
    rank_pattern: harmlessIf(emptyObject, "an empty object", "all modules have one rank"),
    alpha_pattern: harmlessIf(emptyObject, "an empty object", "all modules have one alpha"),
    target_parameters: harmlessIf(emptyList, "an empty list", "only modules are adapted"),
    layer_replication: refused("layers are not repeated"),
    megatron_config: refused("Megatron's layers are not run"),
    enable_lora: refused(variant),
    use_dora: harmlessIf(isFalse, "false", variant),
    use_qalora: harmlessIf(isFalse, "false", variant),
    use_bdlora: harmlessIf(isFalse, "false", variant),
    alora_invocation_tokens: harmlessIf(emptyList, "an empty list", variant),
    arrow_config: refused(variant),
    kasa_config: refused(variant),
    monteclora_config: refused(variant),
    velora_config: refused(variant),
    fan_in_fan_out: harmless("PEFT sets it to false for these models"),
    layers_pattern: harmlessIf(
      z.union([z.literal(""), emptyList]),
      "an empty list",
      "all layers are adapted in the same way",
    ),
    ensure_weight_tying: harmless("it matters only for adapted embeddings"),
    lora_dropout: harmless("only training with PEFT reads it"),
    merge_weights: harmless("only training with PEFT reads it"),
    inference_mode: harmless("only training with PEFT reads it"),
    runtime_config: harmless("where PEFT keeps tensors"),
    megatron_core: harmless("it matters only with megatron_config"),
    qalora_group_size: harmless("it matters only with use_qalora"),
    loftq_config: harmless(preparation),
    eva_config: harmless(preparation),
    corda_config: harmless(preparation),
    lora_ga_config: harmless(preparation),
    revision: harmless(inFile),
    auto_mapping: harmless(inFile),
    peft_version: harmless(inFile),
  },
});
