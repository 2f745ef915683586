"""Golden numbers for the embedded engine, from PyTorch and transformers.

Writes decoder-{qwen2,qwen3,llama}.json (log-probs, entropies and every parameter's gradient of a tiny random
decoder) and adamw.json (clipping and AdamW over a few steps) beside this script. Weights are not stored: both
sides make them from the same integer formula, `weight()`.

    pip install torch transformers && python tests/golden/make_decoder.py
"""

import base64
import json
import pathlib

import numpy as np
import torch
import transformers

HERE = pathlib.Path(__file__).parent
SHAPE = dict(
    vocab_size=64,
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    head_dim=8,
    intermediate_size=48,
    max_position_embeddings=32,
    rms_norm_eps=1e-6,
    attn_implementation="eager",
)
FAMILIES = {
    "qwen2": (transformers.Qwen2Config, dict(tie_word_embeddings=True, rope_theta=10000.0)),
    "qwen3": (transformers.Qwen3Config, dict(tie_word_embeddings=True, rope_theta=1000000.0)),
    "llama": (transformers.LlamaConfig, dict(tie_word_embeddings=False, rope_theta=500000.0)),
}
TEMPERATURE = 0.8


def weight(index: int, size: int, norm: bool) -> np.ndarray:
    """Element i of the parameter number `index`: a scrambled counter, uniform in +-0.4 (norms: 1 +- 0.4)."""
    i = np.arange(size, dtype=np.uint64) + np.uint64(index * 1_000_003)
    scrambled = (i * np.uint64(2654435761)) % np.uint64(2**32)
    uniform = (scrambled.astype(np.float64) / 2**32 - 0.5) * 0.8
    return (uniform + (1.0 if norm else 0.0)).astype(np.float32)


def numbers(tensor: torch.Tensor) -> list[float]:
    return [float(f"{x:.7g}") for x in tensor.detach().flatten().tolist()]


def packed(tensor: torch.Tensor) -> str:
    return base64.b64encode(tensor.detach().numpy().astype("<f4").tobytes()).decode()


def rows() -> list[dict]:
    rng = np.random.default_rng(7)
    out = []
    for length in (5, 17, 32):
        tokens = rng.integers(0, 64, length).tolist()
        if length == 17:
            tokens[3:12] = [9] * 9  # one token repeated
        at = sorted(rng.choice(np.arange(1, length), max(2, length // 2), replace=False).tolist())
        row = dict(tokens=tokens, at=at)
        row["logprobCotangents"] = [round(float(x), 4) for x in rng.normal(size=len(at))]
        row["entropyCotangents"] = [round(float(x), 4) for x in rng.normal(size=len(at))]
        out.append(row)
    return out


def decoder(family: str) -> None:
    make, extra = FAMILIES[family]
    config = make(**SHAPE, **extra)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32).double()
    names = sorted(name for name, _ in model.named_parameters())
    parameters = dict(model.named_parameters())
    for index, name in enumerate(names):
        values = weight(index, parameters[name].numel(), "norm" in name)
        parameters[name].data = torch.from_numpy(values).double().reshape(parameters[name].shape)
    objective = 0.0
    data = rows()
    for row in data:
        tokens = torch.tensor([row["tokens"]])
        logits = model(tokens).logits[0] / TEMPERATURE
        at = torch.tensor(row["at"])
        logp = torch.log_softmax(logits[at - 1], -1)
        picked = logp.gather(1, tokens[0, at][:, None])[:, 0]
        entropy = -(logp.exp() * logp).sum(-1)
        objective = objective + (picked * torch.tensor(row["logprobCotangents"]).double()).sum()
        objective = objective + (entropy * torch.tensor(row["entropyCotangents"]).double()).sum()
        row["logprobs"] = numbers(picked)
        row["entropies"] = numbers(entropy)
    objective.backward()
    golden = dict(
        made=f"torch {torch.__version__.split('+')[0]}, transformers {transformers.__version__}",
        config=dict(
            vocabularySize=64,
            hiddenSize=32,
            layers=2,
            heads=4,
            kvHeads=2,
            headSize=8,
            intermediateSize=48,
            contextLength=32,
            ropeTheta=extra["rope_theta"],
            rmsNormEpsilon=1e-6,
            tieEmbeddings=extra["tie_word_embeddings"],
            qkNorm=family == "qwen3",
            qkvBias=family == "qwen2",
        ),
        temperature=TEMPERATURE,
        names=names,
        rows=data,
        gradients={name: packed(parameters[name].grad.float()) for name in names},
    )
    (HERE / f"decoder-{family}.json").write_text(json.dumps(golden) + "\n")


def adamw() -> None:
    """Two groups (decayed or not) of 6 values, clipped together; some steps are clipped and some are not."""
    generator = torch.Generator().manual_seed(3)
    weights = torch.randn(12, generator=generator)
    decayed, plain = (torch.nn.Parameter(weights[i : i + 6].clone()) for i in (0, 6))
    options = dict(lr=0.01, betas=(0.9, 0.95), eps=1e-8)
    optimizer = torch.optim.AdamW(
        [dict(params=[decayed], weight_decay=0.1), dict(params=[plain], weight_decay=0.0)], **options
    )
    steps = []
    for scale in (5.0, 0.1, 1.0, 0.0, 20.0):
        gradient = torch.randn(12, generator=generator) * scale
        decayed.grad, plain.grad = gradient[:6].clone(), gradient[6:].clone()
        norm = torch.nn.utils.clip_grad_norm_([decayed, plain], 1.0)
        optimizer.step()
        after = torch.cat([decayed, plain])
        steps.append(dict(gradient=numbers(gradient), norm=float(norm), weights=numbers(after)))
    golden = dict(
        learningRate=0.01,
        beta1=0.9,
        beta2=0.95,
        epsilon=1e-8,
        weightDecay=0.1,
        maxGradientNorm=1.0,
        weights=numbers(weights),
        decayed=6,
        steps=steps,
    )
    (HERE / "adamw.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    for family in FAMILIES:
        decoder(family)
    adamw()
