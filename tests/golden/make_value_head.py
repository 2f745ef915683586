"""Golden numbers for the critic's value head, from PyTorch and transformers.

    pip install torch transformers && python tests/golden/make_value_head.py     # writes value-head.json

A tiny random Qwen2 with a ReLU MLP on its last hidden state (after the final norm, before the asked token): values, the
gradient of every weight of the head under random cotangents, and the head after one clipped step of AdamW. Weights are
not stored: both sides make them from the integer formula of make_decoder.py, the head's after the model's.
"""

import json
import pathlib

import numpy as np
import torch
import transformers

from make_decoder import SHAPE, numbers, packed, rows, weight

HERE = pathlib.Path(__file__).parent
HIDDEN = [24, 16]
CONFIG = dict(
    vocabularySize=64,
    hiddenSize=32,
    layers=2,
    heads=4,
    kvHeads=2,
    headSize=8,
    intermediateSize=48,
    contextLength=32,
    qkvBias=True,
)
STEP = dict(learningRate=0.01, beta1=0.9, beta2=0.95, epsilon=1e-8, weightDecay=0.1, maxGradientNorm=1.0)


def fill(parameters, names, first):
    for index, name in enumerate(names):
        values = weight(first + index, parameters[name].numel(), "norm" in name)
        parameters[name].data = torch.from_numpy(values).double().reshape(parameters[name].shape)


def main() -> None:
    config = transformers.Qwen2Config(**SHAPE, tie_word_embeddings=True, rope_theta=10000.0)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32).double()
    names = sorted(name for name, _ in model.named_parameters())
    fill(dict(model.named_parameters()), names, 0)

    widths = [SHAPE["hidden_size"], *HIDDEN, 1]
    layers = [torch.nn.Linear(a, b).double() for a, b in zip(widths, widths[1:])]
    head = {
        f"value_head.{i}.{part}": getattr(layer, part)
        for i, layer in enumerate(layers)
        for part in ("weight", "bias")
    }
    head_names = sorted(head)
    fill(head, head_names, len(names))

    data = rows()
    rng = np.random.default_rng(11)
    objective = 0.0
    for row in data:
        del row["entropyCotangents"]
        row["valueCotangents"] = [round(float(x), 4) for x in rng.normal(size=len(row["at"]))]
        state = model.model(torch.tensor([row["tokens"]])).last_hidden_state[0, torch.tensor(row["at"]) - 1]
        x = state.detach()
        for i, layer in enumerate(layers):
            x = layer(x) if i == len(layers) - 1 else torch.relu(layer(x))
        values = x[:, 0]
        objective = objective + (values * torch.tensor(row["valueCotangents"]).double()).sum()
        row["values"] = numbers(values)
    objective.backward()
    gradients = {name: packed(head[name].grad.float()) for name in head_names}
    norm = torch.nn.utils.clip_grad_norm_(head.values(), STEP["maxGradientNorm"])
    decayed = [p for name, p in head.items() if name.endswith("weight")]
    plain = [p for name, p in head.items() if name.endswith("bias")]
    groups = [dict(params=decayed, weight_decay=STEP["weightDecay"]), dict(params=plain, weight_decay=0.0)]
    betas = (STEP["beta1"], STEP["beta2"])
    torch.optim.AdamW(groups, lr=STEP["learningRate"], betas=betas, eps=STEP["epsilon"]).step()
    golden = dict(
        made=f"torch {torch.__version__.split('+')[0]}, transformers {transformers.__version__}",
        config=CONFIG,
        hiddenSizes=HIDDEN,
        step=STEP,
        names=names,
        headNames=head_names,
        rows=data,
        norm=float(norm),
        gradients=gradients,
        stepped={name: packed(head[name].float()) for name in head_names},
    )
    (HERE / "value-head.json").write_text(json.dumps(golden) + "\n")


main()
