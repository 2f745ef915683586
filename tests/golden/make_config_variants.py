"""What transformers computes with changed fields of config.json: config-variants.json beside this script.

A variant is a tiny model with one or a few changed fields. The weights are not stored: both sides make them from the
integer formula of make_decoder.py, for the names in alphabetical order. Every variant has the log-probs of one row
of tokens, or the error of transformers. `expect` is what a reader has to do:

    computed  its log-probs are those of transformers
    refused   it must not load the model
    named     its log-probs are those of transformers, and it names the field

    pip install torch transformers && python tests/golden/make_config_variants.py
"""

import json
import logging
import pathlib
import shutil
import tempfile

import torch
import transformers
from safetensors.torch import load_file, save_file

from make_decoder import weight

HERE = pathlib.Path(__file__).parent
SHAPE = dict(
    vocab_size=64,
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    head_dim=8,
    intermediate_size=48,
    max_position_embeddings=64,
    rms_norm_eps=1e-6,
)
LLAMA3 = dict(
    rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16
)
LLAMA3_THETA = dict(LLAMA3, rope_theta=10000.0)
BASES = {
    "qwen2": dict(SHAPE, model_type="qwen2", architectures=["Qwen2ForCausalLM"], tie_word_embeddings=True,
                  rope_parameters=dict(rope_type="default", rope_theta=10000.0)),
    "qwen3": dict(SHAPE, model_type="qwen3", architectures=["Qwen3ForCausalLM"], tie_word_embeddings=False,
                  rope_parameters=dict(rope_type="default", rope_theta=10000.0)),
    "llama": dict(SHAPE, model_type="llama", architectures=["LlamaForCausalLM"], tie_word_embeddings=False,
                  rope_parameters=dict(rope_type="default", rope_theta=10000.0)),
}
REMOVED = "removed"
TOKENS = [3, 60, 17, 17, 9, 41, 28, 5, 5, 5, 33, 50, 12, 63, 0, 21, 44, 9, 41, 28, 37, 2, 58, 17, 30, 6, 6, 49, 11, 3]


def variants() -> list[dict]:
    out = []

    def add(expect: str, family: str, extra: dict | None = None, weights: dict | None = None, /, **fields) -> None:
        out.append(dict(expect=expect, family=family, fields=fields, weights=weights or {}, files=extra or {}))

    qwen2, qwen3, llama = "qwen2", "qwen3", "llama"
    for family in BASES:
        add("computed", family)
        add("computed", family, rope_parameters=dict(rope_type="default", rope_theta=500.0))
        add("computed", family, rope_parameters=REMOVED, rope_theta=500.0, rope_scaling=None)
        add("computed", family, rms_norm_eps=0.05)
        add("computed", family, rope_parameters=LLAMA3_THETA)
        add("refused", family, is_causal=False)
        add("refused", family, hidden_act="gelu")
        add("refused", family, partial_rotary_factor=0.5)
        add("refused", family, per_layer_config={"1": dict(rms_norm_eps=0.5)})
    # Rotary positions.
    add("computed", llama, rope_scaling=LLAMA3, rope_parameters=REMOVED, rope_theta=500.0)
    add("computed", llama, rope_scaling=LLAMA3)
    add("computed", llama, rope_scaling={}, rope_parameters=LLAMA3_THETA)
    add("computed", llama, rope_parameters=dict(LLAMA3, rope_theta=500.0), rope_theta=10000.0)
    add("computed", llama, rope_parameters=LLAMA3, rope_theta=500.0)
    add("computed", llama, rope_scaling={**LLAMA3, "type": "llama3", "rope_type": "llama3"}, rope_theta=500.0)
    add("computed", llama, rope_scaling={("type" if k == "rope_type" else k): v for k, v in LLAMA3.items()})
    add("computed", llama, rope_parameters={k: v for k, v in LLAMA3_THETA.items() if k[:4] != "orig"})
    add("computed", llama, rope_parameters=dict(rope_type="default", rope_theta=500.0, factor=4.0, beta_fast=32))
    add("computed", llama, rope_parameters=REMOVED)
    add("refused", llama, rope_parameters=LLAMA3_THETA, original_max_position_embeddings=8)
    add("refused", llama, rope_parameters=dict(rope_type="linear", rope_theta=10000.0, factor=4.0))
    add("refused", llama, rope_parameters=dict(rope_type="dynamic", rope_theta=10000.0, factor=4.0))
    add("refused", llama, rope_parameters=dict(rope_type="yarn", rope_theta=10000.0, factor=4.0,
                                               original_max_position_embeddings=16))
    add("refused", llama, rope_parameters=dict(rope_type="longrope", rope_theta=10000.0, factor=4.0,
                                               short_factor=[2.0] * 4, long_factor=[3.0] * 4,
                                               original_max_position_embeddings=16))
    add("refused", llama, rope_parameters=dict(rope_type="proportional", rope_theta=10000.0,
                                               partial_rotary_factor=0.5))
    add("refused", llama, rope_parameters=dict(rope_type="default", rope_theta=500.0, partial_rotary_factor=0.5))
    add("refused", qwen3, rope_parameters=dict(full_attention=dict(rope_type="default", rope_theta=500.0)))
    add("refused", llama, rope_parameters=dict(rope_type="default", rope_theta=500.0, mrope_section=[2, 1, 1]))
    add("refused", llama, rope_interleaved=True)
    add("computed", llama, rope_interleaved=False, use_mrope=False)
    # Shapes.
    add("computed", llama, {}, dict(num_hidden_layers=1), num_hidden_layers=1)
    add("refused", llama, num_hidden_layers=1)
    add("refused", llama, num_hidden_layers=3)
    add("computed", llama, head_dim=None)
    add("computed", llama, head_dim=REMOVED)
    add("computed", llama, {}, dict(num_key_value_heads=4), num_key_value_heads=None)
    add("computed", llama, {}, dict(num_key_value_heads=4), num_key_value_heads=REMOVED)
    add("computed", qwen3, {}, dict(head_dim=16), head_dim=16)
    add("refused", qwen3, head_dim=REMOVED)
    add("refused", qwen2, num_key_value_heads=REMOVED)
    add("refused", llama, head_dim=16)
    add("refused", llama, vocab_size=65)
    add("refused", llama, intermediate_size=40)
    add("computed", llama, max_position_embeddings=512)
    # Heads and embeddings.
    add("refused", llama, tie_word_embeddings=True)
    add("computed", llama, {}, dict(tie_word_embeddings=True), tie_word_embeddings=True)
    add("refused", qwen2, tie_word_embeddings=REMOVED)
    add("computed", qwen2, {}, dict(tie_word_embeddings=False), tie_word_embeddings=REMOVED)
    # Biases.
    for family in BASES:
        add("refused" if family != qwen2 else "computed", family, attention_bias=True)
        add("refused" if family == llama else "computed", family, mlp_bias=True)
        add("computed", family, attention_bias=False, mlp_bias=False)
    add("refused", qwen2, qkv_bias=False)
    add("refused", llama, qkv_bias=True)
    # Windows.
    window = dict(sliding_window=4, max_window_layers=0)
    add("computed", qwen2, use_sliding_window=False, **window)
    add("refused", qwen2, use_sliding_window=True, **window)
    add("refused", qwen3, use_sliding_window=True, **window)
    add("refused", qwen2, layer_types=["full_attention", "sliding_attention"], use_sliding_window=True, **window)
    add("computed", qwen2, layer_types=["full_attention", "full_attention"])
    add("named", llama, sliding_window=4)
    add("refused", llama, attention_chunk_size=4)
    # The weights' file.
    other = {"other.safetensors": {"model.norm.weight": 2.0}}
    add("refused", llama, other, transformers_weights="other.safetensors")
    add("computed", llama, other, transformers_weights="model.safetensors")
    stale = {"model-00001-of-00001.safetensors": {"model.norm.weight": 2.0}, "model.safetensors.index.json": {}}
    add("computed", llama, stale)
    add("refused", llama, quantization_config=dict(quant_method="fp8"))
    # What changes nothing.
    add("computed", llama, hidden_act="swish")
    add("computed", llama, pretraining_tp=2)
    add("computed", qwen2, attention_dropout=0.5, initializer_range=0.5)
    add("computed", qwen2, torch_dtype="bfloat16")
    add("computed", llama, dtype="float16")
    add("computed", llama, use_cache=False, gradient_checkpointing=True)
    add("computed", llama, chunk_size_feed_forward=4)
    add("computed", llama, bos_token_id=7, pad_token_id=5, eos_token_id=[1, 2])
    add("computed", qwen3, temperature=0.1, top_k=3, repetition_penalty=1.5, max_length=5, do_sample=True)
    add("computed", qwen3, suppress_tokens=[3], forced_eos_token_id=1, num_beams=4)
    add("computed", llama, id2label={"0": "a"}, label2id=dict(a=0), problem_type="regression")
    add("computed", llama, output_hidden_states=True, output_attentions=True)
    add("computed", llama, is_decoder=True, _name_or_path="org/name")
    add("computed", llama, pruned_heads={})
    add("refused", llama, pruned_heads={"0": [1]})
    add("refused", llama, is_encoder_decoder=True)
    add("refused", llama, add_cross_attention=True)
    # What transformers ignores and another program may not.
    for fields in (dict(logits_scaling=2.0), dict(embedding_multiplier=3.0), dict(final_logit_softcapping=5.0),
                   dict(query_pre_attn_scalar=64), dict(num_experts=4, num_experts_per_tok=2), dict(use_qk_norm=True),
                   dict(auto_map={"AutoModelForCausalLM": "modeling_x.X"}), dict(no_such_field=1)):
        add("named", llama, **fields)
    # The remaining rows of the tables.
    add("computed", llama, use_sliding_window=True, max_window_layers=0)
    add("computed", qwen3, qkv_bias=None)
    for name in ("fusion_config", "distributed_config", "text_config", "vision_config", "audio_config",
                 "compression_config", "quantization"):
        add("refused", llama, **{name: dict(bits=4)})
    for name in ("use_bidirectional_attention", "tie_encoder_decoder"):
        add("refused", llama, **{name: True})
        add("computed", llama, **{name: False})
    for name in ("attn_implementation", "_attn_implementation", "_attn_implementation_internal",
                 "experts_implementation", "_experts_implementation_internal"):
        add("computed", qwen3, **{name: "sdpa" if "attn" in name else "eager"})
    add("computed", llama, torchscript=False, return_dict=True)
    add("computed", llama, hidden_dropout=0.5, resid_pdrop=0.5, embd_pdrop=0.5, classifier_dropout=0.5)
    add("computed", llama, initializer_factor=3.0, init_std=0.5)
    add("computed", llama, transformers_version="4.1.0", _commit_hash="0", name_or_path="x", tokenizer_class="X",
        unsloth_fixed=True, unsloth_version="2025.1", is_llama_config=True, **{"transformers.js_config": dict(dtype="q4")})
    add("computed", llama, num_labels=3, finetuning_task="x", task_specific_params=dict(x=dict(top_k=1)),
        decoder_start_token_id=3, sep_token_id=4)
    add("computed", llama, max_new_tokens=3, min_length=30, early_stopping=True, num_beam_groups=2,
        diversity_penalty=0.5, top_p=0.1, min_p=0.5, typical_p=0.5, epsilon_cutoff=0.1, eta_cutoff=0.1)
    add("computed", llama, encoder_repetition_penalty=2.0, length_penalty=2.0, no_repeat_ngram_size=2,
        encoder_no_repeat_ngram_size=2, exponential_decay_length_penalty=[2, 2.0], bad_words_ids=[[3]],
        begin_suppress_tokens=[4], forced_bos_token_id=3, remove_invalid_values=True)
    add("computed", llama, num_return_sequences=2, do_sample=True)
    add("computed", llama, output_scores=True, return_dict_in_generate=True, num_assistant_tokens=3,
        num_assistant_tokens_schedule="constant", assistant_confidence_threshold=0.5, assistant_lookbehind=3,
        target_lookbehind=3)
    add("computed", llama, rope_parameters=dict(rope_type="default", rope_theta=500.0, attention_factor=2.0,
                                                beta_slow=2, mscale=2.0, mscale_all_dim=2.0, truncate=False))
    # Other models.
    add("refused", llama, model_type="mistral", architectures=["MistralForCausalLM"])
    add("refused", llama, architectures=["MistralForCausalLM"])
    add("refused", qwen2, model_type="qwen2_moe")
    return out


def merged(base: dict, fields: dict) -> dict:
    both = {**base, **fields}
    return {name: value for name, value in both.items() if value != REMOVED}


def write_weights(config: dict, path: pathlib.Path) -> None:
    """Weights of the formula in the shapes of a config, under the names of the model's own parameters."""
    classes = dict(qwen2=transformers.Qwen2Config, qwen3=transformers.Qwen3Config, llama=transformers.LlamaConfig)
    config = classes[config["model_type"]](**config)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    parameters = sorted(model.named_parameters())
    tensors = {
        name: torch.from_numpy(weight(index, p.numel(), "norm" in name)).reshape(p.shape)
        for index, (name, p) in enumerate(parameters)
    }
    save_file(tensors, path, metadata=dict(format="pt"))


def write_files(folder: pathlib.Path, files: dict) -> None:
    """Copies of the weights with some tensors scaled, and an index of the shards among them."""
    shards = {name: scales for name, scales in files.items() if name.endswith(".safetensors")}
    for name, scales in shards.items():
        tensors = load_file(folder / "model.safetensors")
        save_file({k: v * scales.get(k, 1.0) for k, v in tensors.items()}, folder / name, metadata=dict(format="pt"))
    if "model.safetensors.index.json" in files:
        names = load_file(folder / "model.safetensors")
        index = dict(metadata={}, weight_map={k: next(iter(shards)) for k in names})
        (folder / "model.safetensors.index.json").write_text(json.dumps(index))


def logprobs(folder: pathlib.Path) -> dict:
    try:
        model = transformers.AutoModelForCausalLM.from_pretrained(
            folder, dtype=torch.float32, attn_implementation="eager"
        ).eval()
        tokens = torch.tensor([TOKENS])
        with torch.no_grad():
            logits = model(tokens, return_dict=True).logits[0, :-1]
        picked = torch.log_softmax(logits, -1).gather(1, tokens[0, 1:, None])[:, 0]
        return dict(logprobs=[float(f"{x:.6g}") for x in picked.tolist()])
    except Exception as error:  # noqa: BLE001
        return dict(error=type(error).__name__)


def main() -> None:
    logging.disable(logging.CRITICAL)
    transformers.utils.logging.disable_progress_bar()
    transformers.logging.set_verbosity_error()
    bases, out = {}, []
    for variant in variants():
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            base = BASES[variant["family"]]
            torch.manual_seed(1)
            write_weights(merged(base, variant["weights"]), folder / "model.safetensors")
            write_files(folder, variant["files"])
            (folder / "config.json").write_text(json.dumps(merged(base, variant["fields"])))
            result = logprobs(folder)
        if not variant["fields"] and not variant["files"]:
            bases[variant["family"]] = result["logprobs"]
        reference = bases[variant["family"]]
        if "logprobs" in result:
            gap = max(abs(a - b) for a, b in zip(result["logprobs"], reference))
            result = dict(same=True) if gap < 1e-6 and variant["fields"] else result
            result = dict(different=True) if variant["expect"] == "refused" and "logprobs" in result else result
            print(f"{variant['expect']:9} {variant['family']} {variant['fields']}: {gap:.2g} from the base")
        else:
            print(f"{variant['expect']:9} {variant['family']} {variant['fields']}: {result['error']}")
        out.append({**{k: v for k, v in variant.items() if v}, **result})
    made = f"torch {torch.__version__.split('+')[0]}, transformers {transformers.__version__}"
    golden = dict(made=made, removed=REMOVED, bases=BASES, tokens=TOKENS, variants=out)
    (HERE / "config-variants.json").write_text(json.dumps(golden) + "\n")
    print(len(out), "variants")


if __name__ == "__main__":
    main()
