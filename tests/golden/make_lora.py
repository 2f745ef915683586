"""Golden numbers for LoRA, from PyTorch, transformers and PEFT; and a check that our exports load there.

    pip install torch transformers peft
    python tests/golden/make_lora.py                    # writes lora.json beside this script
    python tests/golden/make_lora.py check EXPORTS      # loads what `lora-exports.ts EXPORTS` wrote

lora.json: a tiny random Qwen2 with an adapter of rank 4 on some projections: log-probs with the adapter, the gradient
of every A and B, and the adapter after one step of AdamW. Weights are not stored: both sides make them from the
integer formula of make_decoder.py.
"""

import json
import pathlib
import sys

import numpy as np
import peft
import torch
import transformers

from make_decoder import SHAPE, numbers, packed, rows, weight

HERE = pathlib.Path(__file__).parent
RANK, ALPHA = 4, 6.0
TARGETS = ["q_proj", "v_proj", "o_proj", "gate_proj", "down_proj"]
TEMPERATURE = 0.8
STEP = dict(learningRate=0.01, beta1=0.9, beta2=0.95, epsilon=1e-8, weightDecay=0.1, maxGradientNorm=1.0)
CONFIG = dict(
    vocabularySize=64,
    hiddenSize=32,
    layers=2,
    heads=4,
    kvHeads=2,
    headSize=8,
    intermediateSize=48,
    contextLength=32,
    ropeTheta=10000.0,
    rmsNormEpsilon=1e-6,
    tieEmbeddings=True,
    qkvBias=True,
)


def adapted():
    """The base under make_decoder's weights, and an adapter under the same formula (numbers go on from the base's)."""
    config = transformers.Qwen2Config(**SHAPE, tie_word_embeddings=True, rope_theta=10000.0)
    base = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32).double()
    names = sorted(name for name, _ in base.named_parameters())
    parameters = dict(base.named_parameters())
    fill(parameters, names, 0)
    lora = peft.LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=TARGETS, task_type="CAUSAL_LM")
    model = peft.get_peft_model(base, lora).double()
    trained = {
        name.replace(".default", ""): parameter
        for name, parameter in model.named_parameters()
        if parameter.requires_grad
    }
    adapter_names = sorted(trained)
    fill(trained, adapter_names, len(names))
    return model, names, trained, adapter_names


def fill(parameters, names, first):
    for index, name in enumerate(names):
        parameter = parameters[name]
        values = weight(first + index, parameter.numel(), "norm" in name)
        parameter.data = torch.from_numpy(values).double().reshape(parameter.shape)


def make() -> None:
    model, names, trained, adapter_names = adapted()
    model.eval()  # no dropout; gradients flow all the same
    data = rows()
    objective = 0.0
    for row in data:
        tokens, at = torch.tensor([row["tokens"]]), torch.tensor(row["at"])
        logp = torch.log_softmax(model(tokens).logits[0, at - 1] / TEMPERATURE, -1)
        picked = logp.gather(1, tokens[0, at][:, None])[:, 0]
        entropy = -(logp.exp() * logp).sum(-1)
        objective = objective + (picked * torch.tensor(row["logprobCotangents"]).double()).sum()
        objective = objective + (entropy * torch.tensor(row["entropyCotangents"]).double()).sum()
        row["logprobs"] = numbers(picked)
        row["entropies"] = numbers(entropy)
        with model.disable_adapter(), torch.no_grad():
            base = torch.log_softmax(model(tokens).logits[0, at - 1] / TEMPERATURE, -1)
            row["baseLogprobs"] = numbers(base.gather(1, tokens[0, at][:, None])[:, 0])
    objective.backward()
    gradients = {name: packed(trained[name].grad.float()) for name in adapter_names}
    optimizer = torch.optim.AdamW(
        trained.values(),
        lr=STEP["learningRate"],
        betas=(STEP["beta1"], STEP["beta2"]),
        eps=STEP["epsilon"],
        weight_decay=STEP["weightDecay"],
    )
    norm = torch.nn.utils.clip_grad_norm_(list(trained.values()), STEP["maxGradientNorm"])
    optimizer.step()
    golden = dict(
        made=f"torch {torch.__version__.split('+')[0]}, transformers {transformers.__version__}, peft {peft.__version__}",
        config=CONFIG,
        lora=dict(rank=RANK, alpha=ALPHA, targetModules=TARGETS),
        temperature=TEMPERATURE,
        names=names,
        adapterNames=adapter_names,
        rows=data,
        gradients=gradients,
        step=STEP,
        gradientNorm=float(norm),
        after={name: packed(trained[name].float()) for name in adapter_names},
    )
    (HERE / "lora.json").write_text(json.dumps(golden) + "\n")


def check(folder: pathlib.Path) -> None:
    """base/ and merged/ in transformers, base/ + adapter/ in PEFT: log-probs as expected.json says."""
    expected = json.loads((folder / "expected.json").read_text())

    def load(name: str):
        return transformers.AutoModelForCausalLM.from_pretrained(
            folder / name, dtype=torch.float32, attn_implementation="eager"
        )

    models = {
        "base": load("base"),
        "merged": load("merged"),
        "adapter": peft.PeftModel.from_pretrained(load("base"), folder / "adapter"),
    }
    for name, model in models.items():
        model.eval()
        worst = moved = 0.0
        for row in expected["rows"]:
            tokens, at = torch.tensor([row["tokens"]]), torch.tensor(row["at"])
            with torch.no_grad():
                logp = torch.log_softmax(model(tokens).logits[0, at - 1], -1)
            found = logp.gather(1, tokens[0, at][:, None])[:, 0].numpy()
            wanted = np.array(row["base" if name == "base" else "adapted"])
            worst = max(worst, float(np.abs(found - wanted).max()))
            moved = max(moved, float(np.abs(found - np.array(row["base"])).max()))
        print(f"{folder.name}/{name}: log-probs differ by {worst:.1e} from ours, by {moved:.1e} from the base's")
        assert worst < 1e-4, name


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "check":
        for family in sorted(path for path in pathlib.Path(sys.argv[2]).iterdir() if path.is_dir()):
            check(family)
    else:
        make()
