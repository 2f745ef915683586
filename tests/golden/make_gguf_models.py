"""GGUF files of the checkpoints in this folder, made with the `gguf` package as llama.cpp's converter makes them.

Writes gguf-qwen2.gguf (bfloat16) and gguf-llama.gguf (float16), with the numbers of hf-qwen2 and hf-llama, so what
transformers computes with those (hf-logprobs.json, hf-tokenizers.json) holds for these too. The script checks that
transformers reads the same numbers from them. Also gguf-variants.json: changes of keys, and what a reader has to do:

    same     ids, log-probs and stops are those of the original
    named    the same, and the reader names the key
    refused  llama.cpp would compute something else, or the file is broken

    pip install torch transformers gguf && python tests/golden/make_gguf_models.py
"""

import json
import pathlib

import gguf
import numpy as np
import torch
import transformers

HERE = pathlib.Path(__file__).parent
LAYER_NAMES = {
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}
MODEL_NAMES = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}


def gguf_name(name: str) -> str:
    module, kind = name.rsplit(".", 1)
    if module in MODEL_NAMES:
        return f"{MODEL_NAMES[module]}.{kind}"
    layer, inside = module.removeprefix("model.layers.").split(".", 1)
    return f"blk.{layer}.{LAYER_NAMES[inside]}.{kind}"


def interleaved(rows: np.ndarray, heads: int) -> np.ndarray:
    """The converter's order for llama: the two rows of a rotary pair are adjacent."""
    rest = rows.shape[1:]
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rest).swapaxes(1, 2).reshape(rows.shape)


def add_tensors(writer: gguf.GGUFWriter, model, kind: str, config) -> None:
    for name, parameter in sorted(model.named_parameters()):
        values = parameter.detach().float().numpy()
        if kind == "llama" and ("q_proj" in name or "k_proj" in name):
            values = interleaved(values, config.num_attention_heads if "q_" in name else config.num_key_value_heads)
        if values.ndim == 1:
            writer.add_tensor(gguf_name(name), values)
        else:
            dtype = gguf.GGMLQuantizationType.F16 if kind == "llama" else gguf.GGMLQuantizationType.BF16
            writer.add_tensor(gguf_name(name), gguf.quantize(np.ascontiguousarray(values), dtype), raw_dtype=dtype)


def add_tokenizer(writer: gguf.GGUFWriter, folder: pathlib.Path, kind: str, rows: int) -> None:
    file = json.loads((folder / "tokenizer.json").read_text())
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    tokens, types = [f"[PAD{i}]" for i in range(rows)], [int(gguf.TokenType.UNUSED)] * rows
    for token, i in file["model"]["vocab"].items():
        is_byte = kind == "llama" and token.startswith("<0x")
        tokens[i], types[i] = token, int(gguf.TokenType.BYTE if is_byte else gguf.TokenType.NORMAL)
    for added in file["added_tokens"]:
        special = gguf.TokenType.CONTROL if added["special"] else gguf.TokenType.USER_DEFINED
        special = gguf.TokenType.UNKNOWN if added["content"] == "<unk>" else special
        tokens[added["id"]], types[added["id"]] = added["content"], int(special)
    merges = [m if isinstance(m, str) else " ".join(m) for m in file["model"]["merges"]]
    writer.add_tokenizer_model("llama" if kind == "llama" else "gpt2")
    writer.add_tokenizer_pre("default" if kind == "llama" else "qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    if kind == "llama":
        ranks = {m.replace(" ", ""): rank for rank, m in reversed(list(enumerate(merges)))}
        writer.add_token_scores([float(-ranks.get(token, len(merges))) for token in tokens])
        writer.add_bos_token_id(tokens.index("<s>"))
        writer.add_unk_token_id(tokens.index("<unk>"))
        writer.add_add_space_prefix(True)
    else:
        writer.add_token_merges(merges)
        writer.add_pad_token_id(tokens.index("<|endoftext|>"))
    writer.add_eos_token_id(tokens.index("</s>" if kind == "llama" else "<|im_end|>"))
    writer.add_add_bos_token(kind == "llama")
    writer.add_chat_template(settings["chat_template"])


def write_file(kind: str) -> None:
    folder, path = HERE / f"hf-{kind}", HERE / f"gguf-{kind}.gguf"
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    config = model.config
    writer = gguf.GGUFWriter(path, kind)
    writer.add_type(gguf.GGUFType.MODEL)
    writer.add_name(f"Tiny {kind}")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16 if kind == "llama" else gguf.LlamaFileType.MOSTLY_BF16)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    if kind == "llama":
        writer.add_rope_dimension_count(config.head_dim)
        writer.add_vocab_size(config.vocab_size)
    add_tokenizer(writer, folder, kind, config.vocab_size)
    add_tensors(writer, model, kind, config)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    check(model, path)


def check(model, path: pathlib.Path) -> None:
    """transformers, which reads GGUF on its own, finds the same numbers."""
    read = transformers.AutoModelForCausalLM.from_pretrained(HERE, gguf_file=path.name, dtype=torch.float32)
    tokens = torch.arange(5, 60)[None]
    with torch.no_grad():
        gap = float((model(tokens).logits - read(tokens).logits).abs().max())
    print(f"{path.name}: {path.stat().st_size} bytes, logits differ by {gap:.1g} from the original's")
    assert gap < 1e-4


def variants() -> list[dict]:
    out = []
    types = {"string": str, "bool": bool}

    def kind_of(value) -> str:
        if isinstance(value, list):
            return "strings" if isinstance(value[0], str) else "int32s"
        names = [name for name, of in types.items() if isinstance(value, of)]
        return names[0] if names else "uint32" if isinstance(value, int) else "float32"

    def add(expect: str, keys: dict | None = None, file: str = "qwen2", **more) -> None:
        entries = [dict(key=k.replace("ARCH", file), kind=kind_of(v), value=v) for k, v in (keys or {}).items()]
        remove = [key.replace("ARCH", file) for key in more.pop("remove", [])]
        out.append(dict(expect=expect, file=file, **({"set": entries} if entries else {}),
                        **({"remove": remove} if remove else {}), **more))

    for file in ("qwen2", "llama"):
        add("same", file=file)
        for shard in (1, 2, 3):
            add("same", file=file, shards=3, named=shard)
        add("refused", file=file, shards=3, named=1, missing=2)
        add("same", {"split.count": 1, "split.no": 0}, file)
    # Kinds of tokens: 3 is control, 4 user-defined, 1 normal.
    add("same", retype=[3, 4])
    add("same", retype=[3, 4], remove=["tokenizer.ggml.eos_token_id"])
    add("same", retype=[3, 4], remove=["tokenizer.ggml.padding_token_id"])
    # Positions.
    scaling = "ARCH.rope.scaling."
    add("same", {scaling + "type": "none"})
    add("same", {scaling + "type": "linear", scaling + "factor": 1.0})
    add("same", {scaling + "type": "linear", scaling + "factor": 0.0})
    add("refused", {scaling + "type": "linear", scaling + "factor": 4.0})
    add("refused", {scaling + "factor": 2.0})
    add("refused", {"ARCH.rope.scale_linear": 2.0})
    add("refused", {scaling + "type": "yarn", scaling + "factor": 4.0, scaling + "original_context_length": 64})
    add("refused", {scaling + "type": "longrope"})
    add("refused", {scaling + "attn_factor": 1.5})
    add("same", {scaling + "attn_factor": 1.0, scaling + "original_context_length": 64, scaling + "finetuned": True})
    add("refused", {scaling + "yarn_ext_factor": 1.0})
    add("refused", {scaling + "yarn_log_multiplier": 0.1})
    add("same", {scaling + "yarn_beta_fast": 32.0, scaling + "yarn_beta_slow": 1.0})
    add("refused", {"ARCH.rope.dimension_count": 4})
    add("same", {"ARCH.rope.dimension_count": 8})
    add("refused", {"ARCH.rope.dimension_sections": [2, 1, 1, 0]})
    # Attention, scales, experts.
    for file in ("qwen2", "llama"):
        add("refused", {"ARCH.attention.scale": 0.5}, file)
        add("refused", {"ARCH.logit_scale": 2.0}, file)
        add("refused", {"ARCH.expert_count": 8, "ARCH.expert_used_count": 2}, file)
        add("refused", {"ARCH.attention.sliding_window": 4}, file)
        add("refused", {"ARCH.attention.value_length": 4}, file)
    add("same", {"ARCH.logit_scale": 1.0, "ARCH.residual_scale": 1.0, "ARCH.embedding_scale": 1.0})
    add("refused", {"ARCH.residual_scale": 0.5})
    add("refused", {"ARCH.embedding_scale": 5.0})
    add("refused", {"ARCH.final_logit_softcapping": 30.0})
    add("refused", {"ARCH.attn_logit_softcapping": 50.0})
    add("same", {"ARCH.final_logit_softcapping": 0.0, "ARCH.attn_logit_softcapping": 0.0, "ARCH.attention.clamp_kqv": 0.0})
    add("refused", {"ARCH.attention.clamp_kqv": 8.0})
    add("refused", {"ARCH.attention.max_alibi_bias": 8.0})
    add("same", {"ARCH.expert_count": 0, "ARCH.expert_used_count": 0})
    add("same", {"ARCH.attention.sliding_window": 4096})
    add("same", {"ARCH.attention.sliding_window": 0})
    add("refused", {"ARCH.attention.causal": False})
    add("same", {"ARCH.attention.causal": True})
    add("refused", {"ARCH.use_parallel_residual": True})
    add("same", {"ARCH.attention.head_count_kv": [2, 2], "ARCH.feed_forward_length": [48, 48]})
    add("refused", {"ARCH.attention.head_count_kv": [2, 1]})
    add("refused", {"ARCH.attention.head_count": 2})
    add("refused", {"ARCH.nextn_predict_layers": 1})
    add("same", {"ARCH.vocab_size": 7, "ARCH.pooling_type": 1})
    add("same", {"llama.tensor_data_layout": "Meta AI original pth"}, "llama")
    add("refused", {"llama.tensor_data_layout": "reference"}, "llama")
    add("refused", {"ARCH.no_such_key": 1})
    add("same", {"ARCH.rope.freq_base": 10000.0}, remove=[])
    add("same", remove=["ARCH.rope.freq_base"])
    add("refused", remove=["ARCH.attention.layer_norm_rms_epsilon"])
    # Other keys.
    add("same", {"general.author": "A", "general.base_model.0.name": "B", "general.tags": ["c"], "general.file_type": 7})
    add("same", {"quantize.imatrix.file": "x.dat", "quantize.imatrix.entries_count": 3})
    add("named", {"acme.note": "x"})
    add("named", {"llama.rope.freq_base": 500.0})
    add("refused", {"general.type": "adapter"})
    add("refused", {"adapter.type": "lora", "adapter.lora.alpha": 8.0})
    add("refused", {"clip.has_vision_encoder": True})
    add("refused", {"general.quantization_version": 1})
    add("refused", {"general.architecture": "qwen2moe"})
    # Texts.
    add("refused", {"tokenizer.ggml.add_eos_token": True})
    add("same", {"tokenizer.ggml.add_eos_token": False, "tokenizer.ggml.add_space_prefix": False})
    add("refused", {"tokenizer.ggml.add_sep_token": True})
    add("refused", {"tokenizer.ggml.add_bos_token": True})
    add("same", remove=["tokenizer.ggml.add_bos_token"])
    add("refused", {"tokenizer.ggml.pre": "no-such-cut"})
    add("refused", {"tokenizer.ggml.model": "bert"})
    add("refused", {"tokenizer.ggml.remove_extra_whitespaces": True})
    add("refused", {"tokenizer.ggml.precompiled_charsmap": [1, 2]})
    add("refused", {"tokenizer.ggml.no_such_key": True})
    add("same", {"tokenizer.ggml.fim_pre_token_id": 5, "tokenizer.ggml.mask_token_id": 6})
    add("same", {"tokenizer.chat_templates": ["tool_use"], "tokenizer.chat_template.tool_use": "x"})
    add("named", {"general.sampling.mirostat": 2, "general.sampling.mirostat_tau": 5.0})
    add("named", {"general.sampling.penalty_repeat": 1.5, "general.sampling.penalty_last_n": 64})
    add("same", {"general.sampling.penalty_repeat": 1.0, "general.sampling.mirostat": 0})
    add("refused", {"general.sampling.no_such_key": 1})
    # The remaining rows of the tables.
    for key in ("embedding_length", "block_count", "context_length"):
        add("refused", remove=[f"ARCH.{key}"])
    add("refused", {"ARCH.block_count": 3})
    add("refused", {"ARCH.embedding_length": 64})
    add("same", {"ARCH.attention.key_length": 8, "ARCH.context_length": 512})
    add("refused", {"ARCH.attention.key_length": 16})
    add("refused", {"ARCH.rope.scaling.yarn_attn_factor": 2.0})
    add("same", {"ARCH.attention.layer_norm_epsilon": 0.5})
    add("refused", {"general.alignment": 48})
    add("refused", {"diffusion.shift_logits": True})
    add("refused", {"xielu.beta": 0.5})
    add("same", {"imatrix.chunk_count": 3, "mradermacher.quantize_version": "2"})
    add("refused", {"split.tensors.count": 3})
    for key in ("tokens", "merges"):
        add("refused", remove=[f"tokenizer.ggml.{key}"])
    add("refused", file="llama", remove=["tokenizer.ggml.scores"])
    add("refused", {"tokenizer.ggml.token_type": [1, 2]})
    add("same", {"tokenizer.ggml.eot_token_id": 332, "tokenizer.ggml.eom_token_id": 330})
    add("refused", {"tokenizer.huggingface.json": "{}"})
    add("refused", {"tokenizer.chat_template": "{% if %}"})
    add("refused", {"tokenizer.ggml.normalizer.lowercase": True})
    add("refused", {"tokenizer.ggml.suppress_tokens": [3]})
    add("same", {f"tokenizer.ggml.{name}_token_id": 7 for name in ("seperator", "cls", "prefix", "suffix", "middle")})
    add("same", {"tokenizer.rwkv.world": "x"})
    add("named", {"general.sampling.sequence": "top_k;temperature"})
    add("named", {"general.sampling.xtc_probability": 0.5, "general.sampling.xtc_threshold": 0.1})
    add("same", {"general.sampling.temp": 0.5, "general.sampling.mirostat_eta": 0.1})
    add("same", {"general.sampling.top_k": 0, "general.sampling.top_p": 1.0, "general.sampling.min_p": 0.0})
    for key in ("bos_token_id", "eos_token_id", "unknown_token_id", "add_bos_token", "add_space_prefix"):
        add("same", file="llama", remove=[f"tokenizer.ggml.{key}"])
    return out


def main() -> None:
    for kind in ("qwen2", "llama"):
        write_file(kind)
    made = f"gguf {__import__('importlib.metadata').metadata.version('gguf')}, transformers {transformers.__version__}"
    (HERE / "gguf-variants.json").write_text(json.dumps(dict(made=made, variants=variants())) + "\n")
    print(len(variants()), "variants")


if __name__ == "__main__":
    main()
