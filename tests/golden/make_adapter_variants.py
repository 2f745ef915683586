"""What PEFT computes with changed fields of adapter_config.json: adapter-variants.json beside this script.

The bases are those of make_config_variants.py. An adapter has tensors of the same integer formula, which are numbered on
from the base's. `expect` is what a reader has to do: compute the log-probs of PEFT, or refuse the adapter.

    pip install torch transformers peft scipy && python tests/golden/make_adapter_variants.py
"""

import json
import logging
import pathlib
import tempfile
import warnings

import peft
import torch
import transformers
from safetensors.torch import load_file, save_file

from make_config_variants import BASES, TOKENS, write_weights
from make_decoder import weight

HERE = pathlib.Path(__file__).parent
TARGETS = ["q_proj", "v_proj", "down_proj"]
ALL = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
PREFIX = "base_model.model.model.layers."
#: The part of a layer, output and input width of each projection of the base.
MODULES = dict(q_proj=("self_attn", 32, 32), k_proj=("self_attn", 16, 32), v_proj=("self_attn", 16, 32),
               o_proj=("self_attn", 32, 32), gate_proj=("mlp", 48, 32), up_proj=("mlp", 48, 32),
               down_proj=("mlp", 32, 48))
UNSLOTH = (r"(?:.*?(?:language|text).*?(?:self_attn|attention|attn|mlp).*?(?:q_proj|v_proj|down_proj).*?)"
           r"|(?:\bmodel\.layers\.[\d]{1,}\.(?:self_attn|attention|attn|mlp)\.(?:(?:q_proj|v_proj|down_proj)))")


def variants() -> list[dict]:
    out = []

    def add(expect: str, family: str = "qwen2", targets: list | None = None, rank: int = 4, layers: list | None = None,
            more: dict | None = None, **fields) -> None:
        out.append(dict(expect=expect, family=family, targets=targets or TARGETS, rank=rank, layers=layers or [0, 1],
                        more=more or {}, fields=fields))

    for family in BASES:
        add("computed", family)
        add("computed", family, use_rslora=True)
    add("computed", lora_alpha=16)
    add("computed", lora_alpha=0.5)
    add("computed", rank=2, r=2)
    add("computed", rank=2, r=2, use_rslora=True, lora_alpha=3)
    # Which modules.
    add("computed", targets=ALL, target_modules="all-linear")
    add("computed", target_modules=r".*\.(q_proj|v_proj|down_proj)")
    add("computed", target_modules=r"model\.layers\.\d+\.(self_attn\.[qv]_proj|mlp\.down_proj)")
    add("computed", target_modules=UNSLOTH)
    add("computed", target_modules=["self_attn.q_proj", "self_attn.v_proj", "mlp.down_proj"])
    add("computed", target_modules=[*TARGETS, "c_attn"])
    add("computed", target_modules=[f"model.layers.{i}.{MODULES[m][0]}.{m}" for i in (0, 1) for m in TARGETS])
    add("computed", targets=["q_proj", "v_proj"], exclude_modules=["down_proj"])
    add("computed", targets=["q_proj", "v_proj"], exclude_modules=r".*\.mlp\..*")
    add("computed", targets=[m for m in ALL if m != "k_proj"], target_modules="all-linear", exclude_modules=["k_proj"])
    add("computed", exclude_modules=["lm_head"])
    add("refused", targets=["q_proj"], layers=[0], target_modules=["model.layers.0.self_attn.q_proj"])
    add("refused", targets=["q_proj"], layers=[0], target_modules=r".*layers\.0\.self_attn\.q_proj")
    add("refused", target_modules=["q_proj", "v_proj"])
    add("refused", target_modules=[*TARGETS, "k_proj"])
    add("refused", target_modules=[*TARGETS, "input_layernorm"])
    add("refused", target_modules=r".*(proj|act_fn)", targets=ALL)
    add("refused", target_modules=["nothing"])
    add("refused", target_modules=r".*\.(q_proj|v_proj|down_proj)\Z")
    add("refused", target_modules=[*TARGETS, "lm_head"],
        more={"base_model.model.lm_head.lora_A.weight": [4, 32], "base_model.model.lm_head.lora_B.weight": [64, 4]})
    add("refused", target_modules=[*TARGETS, "embed_tokens"],
        more={"base_model.model.model.embed_tokens.lora_embedding_A": [4, 64],
              "base_model.model.model.embed_tokens.lora_embedding_B": [32, 4]})
    add("refused", layers=[0], layers_to_transform=[0])
    add("computed", layers_to_transform=[])
    add("refused", layers_pattern="layers")
    add("computed", layers_pattern=None)
    add("refused", target_parameters=["model.layers.0.self_attn.k_proj.weight"])
    add("computed", target_parameters=[])
    # Ranks and scales.
    add("refused", rank_pattern=dict(q_proj=2))
    add("refused", alpha_pattern=dict(q_proj=24))
    add("computed", rank_pattern={}, alpha_pattern={})
    # Variants of LoRA.
    magnitudes = {f"{PREFIX}{i}.{MODULES[m][0]}.{m}.lora_magnitude_vector": [MODULES[m][1]]
                  for i in (0, 1) for m in TARGETS}
    biases = {f"{PREFIX}{i}.{MODULES[m][0]}.{m}.lora_B.bias": [MODULES[m][1]] for i in (0, 1) for m in TARGETS}
    add("refused", more=magnitudes, use_dora=True)
    add("refused", more=biases, lora_bias=True)
    add("refused", use_dora=True)
    add("refused", bias="lora_only", more={f"{PREFIX}{i}.self_attn.q_proj.bias": [32] for i in (0, 1)})
    add("refused", bias="all", more={f"{PREFIX}{i}.self_attn.k_proj.bias": [16] for i in (0, 1)})
    add("refused", use_qalora=True)
    add("refused", alora_invocation_tokens=[9, 41])
    add("refused", use_bdlora=dict(target_modules_bd_a=["q_proj"], nblocks=2))
    add("refused", kasa_config=dict(beta=0.1))
    add("refused", velora_config=dict(num_groups=8))
    add("refused", monteclora_config=dict(num_samples=2))
    add("refused", arrow_config=dict(top_k=1))
    add("refused", layer_replication=[[0, 2], [0, 2]])
    add("refused", megatron_config=dict(hidden_size=32))
    add("refused", modules_to_save=["lm_head"], more={"base_model.model.lm_head.weight": [64, 32]})
    add("computed", modules_to_save=[])
    add("refused", trainable_token_indices=[1, 2],
        more={"base_model.model.model.embed_tokens.token_adapter.trainable_tokens_delta": [2, 32]})
    # Initializations.
    for name in ("pissa", "pissa_niter_4", "olora", "corda", "no_such"):
        add("refused", init_lora_weights=name)
    add("refused", init_lora_weights="loftq", loftq_config=dict(loftq_bits=4, loftq_iter=1))
    for name in (True, False, "gaussian", "eva", "orthogonal", "mica", "lora_ga"):
        add("computed", init_lora_weights=name)
    # What changes nothing.
    add("computed", fan_in_fan_out=True)
    add("computed", lora_dropout=0.5, inference_mode=False)
    add("computed", loftq_config=dict(loftq_bits=4), qalora_group_size=8, megatron_core="other")
    add("computed", eva_config=dict(rho=3.0))
    add("computed", corda_config=dict(corda_method="kpm"))
    add("computed", lora_ga_config=dict(direction="ArBr"))
    add("computed", ensure_weight_tying=True)
    add("computed", runtime_config=dict(ephemeral_gpu_offload=False))
    add("computed", revision="v2", peft_version="9.9", base_model_name_or_path="org/other", task_type=None)
    add("computed", auto_mapping=dict(base_model_class="Qwen2ForCausalLM", parent_library="transformers"))
    add("computed", merge_weights=False)
    add("refused", enable_lora=[True, False])
    add("refused", task_type="SEQ_CLS")
    add("refused", peft_type="LOHA")
    add("refused", no_such_field=1)
    add("computed", no_such_field=None)
    return out


def tensors(variant: dict, first: int) -> dict:
    shapes = dict(variant["more"])
    for layer in variant["layers"]:
        for name in variant["targets"]:
            part, width_out, width_in = MODULES[name]
            shapes[f"{PREFIX}{layer}.{part}.{name}.lora_A.weight"] = [variant["rank"], width_in]
            shapes[f"{PREFIX}{layer}.{part}.{name}.lora_B.weight"] = [width_out, variant["rank"]]
    return {
        name: torch.from_numpy(weight(first + i, torch.Size(shapes[name]).numel(), False)).reshape(shapes[name])
        for i, name in enumerate(sorted(shapes))
    }


def logprobs(base: pathlib.Path, adapter: pathlib.Path) -> dict:
    try:
        model = transformers.AutoModelForCausalLM.from_pretrained(
            base, dtype=torch.float32, attn_implementation="eager"
        )
        model = peft.PeftModel.from_pretrained(model, adapter).eval()
        tokens = torch.tensor([TOKENS])
        with torch.no_grad():
            logits = model(input_ids=tokens).logits[0, :-1]
        picked = torch.log_softmax(logits, -1).gather(1, tokens[0, 1:, None])[:, 0]
        return dict(logprobs=[float(f"{x:.6g}") for x in picked.tolist()])
    except Exception as error:  # noqa: BLE001
        return dict(error=type(error).__name__)


def main() -> None:
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    transformers.utils.logging.disable_progress_bar()
    config = peft.LoraConfig(r=4, lora_alpha=6, target_modules=TARGETS, task_type="CAUSAL_LM").to_dict()
    config = {name: sorted(value) if isinstance(value, set) else value for name, value in config.items()}
    config["target_modules"] = TARGETS
    bases, out = {}, []
    with tempfile.TemporaryDirectory() as name:
        for variant in variants():
            family = variant["family"]
            base, adapter = pathlib.Path(name) / family, pathlib.Path(name) / "adapter"
            if not base.exists():
                base.mkdir()
                write_weights(BASES[family], base / "model.safetensors")
                (base / "config.json").write_text(json.dumps(BASES[family]))
            adapter.mkdir(exist_ok=True)
            first = len(load_file(base / "model.safetensors"))
            save_file(tensors(variant, first), adapter / "adapter_model.safetensors", metadata=dict(format="pt"))
            (adapter / "adapter_config.json").write_text(json.dumps({**config, **variant["fields"]}))
            torch.manual_seed(1)
            result = logprobs(base, adapter)
            bases.setdefault(family, result["logprobs"] if "logprobs" in result else None)
            what = f"{variant['expect']:9} {family} {json.dumps(variant['fields'])[:100]}"
            if "logprobs" in result:
                gap = max(abs(a - b) for a, b in zip(result["logprobs"], bases[family]))
                print(f"{what}: {gap:.2g} from the unchanged adapter")
                if variant["fields"]:
                    result = dict(same=True) if gap < 1e-6 else result
                if variant["expect"] == "refused":
                    result = result if "same" in result else dict(different=True)
            else:
                print(f"{what}: {result['error']}")
            out.append({**{k: v for k, v in variant.items() if v}, **result})
    made = f"torch {torch.__version__.split('+')[0]}, transformers {transformers.__version__}, peft {peft.__version__}"
    golden = dict(made=made, bases=BASES, config=config, tokens=TOKENS, variants=out)
    (HERE / "adapter-variants.json").write_text(json.dumps(golden, default=str) + "\n")
    print(len(out), "variants")


if __name__ == "__main__":
    main()
