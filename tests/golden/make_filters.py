"""Which tokens the samplers of transformers keep, and with which log-probs. Writes filters.json beside this script.

    pip install torch transformers && python tests/golden/make_filters.py

The warpers are applied in the order of `generate`: temperature, top-k, top-p, min-p.
"""

import json
import pathlib

import torch
import transformers
from transformers.generation import logits_process as warpers

TIES = [0.0, 1.0, 1.0, 1.0, 1.0, 0.0, -2.0, 1.0]
EQUAL = [0.5] * 8
# The probabilities are 1/2, 1/4, 1/8, 1/16, 1/16, so sums of them are exact.
HALVES = torch.tensor([1, 3, 2, 4, 4], dtype=torch.float32).mul(-1).mul(torch.log(torch.tensor(2.0))).tolist()


def random_logits(seed, size, spread):
    generator = torch.Generator().manual_seed(seed)
    return (torch.randn(size, generator=generator) * spread).tolist()


def run(logits, temperature=1.0, topK=None, topP=None, minP=None):
    scores = torch.tensor([logits])
    chain = [warpers.TemperatureLogitsWarper(temperature)]
    if topK is not None:
        chain.append(warpers.TopKLogitsWarper(topK))
    if topP is not None:
        chain.append(warpers.TopPLogitsWarper(topP))
    if minP is not None:
        chain.append(warpers.MinPLogitsWarper(minP))
    for warper in chain:
        scores = warper(None, scores)
    logprobs = scores.log_softmax(-1)[0]
    kept = torch.isfinite(logprobs).nonzero().flatten().tolist()
    options = dict(temperature=temperature, topK=topK, topP=topP, minP=minP)
    return dict(
        logits=[float(f"{x:.7g}") for x in logits],
        **{name: value for name, value in options.items() if value is not None},
        kept=kept,
        logprobs=[round(logprobs[i].item(), 5) for i in kept],
    )


def main():
    wide, flat = random_logits(1, 24, 4), random_logits(2, 24, 0.3)
    cases = [run(logits, **options) for logits in (wide, flat) for options in (
        dict(topK=1), dict(topK=5), dict(topK=24), dict(topK=100), dict(topP=0.0), dict(topP=0.0001), dict(topP=0.5),
        dict(topP=0.9), dict(topP=1.0), dict(minP=0.0), dict(minP=0.05), dict(minP=0.5), dict(minP=1.0),
        dict(temperature=1.5, topP=0.0001), dict(temperature=1.5, topP=0.8), dict(temperature=0.4, topK=7),
        dict(temperature=2.0, topK=10, topP=0.7), dict(temperature=0.7, topK=12, topP=0.95, minP=0.1),
        dict(topK=6, minP=0.2), dict(topP=0.6, minP=0.3),
    )]
    cases += [run(TIES, topK=k) for k in (1, 2, 5, 6, 7)]
    cases += [run(TIES, topP=p) for p in (0.1, 0.3, 0.5, 0.99)] + [run(TIES, minP=1.0), run(TIES, topK=3, topP=0.45)]
    cases += [run(EQUAL, topP=p) for p in (0.125, 0.13, 0.25, 0.5, 0.75, 0.875, 1.0)]
    cases += [run(EQUAL, topK=3), run(EQUAL, minP=1.0), run(EQUAL, minP=0.5, topP=0.25)]
    cases += [run(HALVES, topP=p) for p in (0.4, 0.6, 0.8, 0.9)]
    out = pathlib.Path(__file__).parent / "filters.json"
    out.write_text(json.dumps(dict(transformers=transformers.__version__, cases=cases), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
