"""Runs the first training loop of the official Tinker SDK's documentation (supervised learning from English to Pig Latin) on
the server that TINKER_BASE_URL names. It exits with 1 unless the loss falls and a resumed model has the same log-probs.

    python hello_world.py [base model] [steps]
"""

import sys

import numpy as np
import tinker
from tinker import types

EXAMPLES = [
    ("banana split", "anana-bay plit-say"),
    ("quantum physics", "uantum-qay ysics-phay"),
    ("donut shop", "onut-day op-shay"),
    ("pickle jar", "ickle-pay ar-jay"),
    ("space exploration", "ace-spay exploration-way"),
    ("rubber duck", "ubber-ray uck-day"),
    ("coding wizard", "oding-cay izard-way"),
]


def datum(english, pig_latin, tokenizer):
    prompt = tokenizer.encode(f"English: {english}\nPig Latin:", add_special_tokens=True)
    completion = tokenizer.encode(f" {pig_latin}\n\n", add_special_tokens=False)
    tokens = prompt + completion
    weights = [0] * len(prompt) + [1] * len(completion)
    return types.Datum(
        model_input=types.ModelInput.from_ints(tokens=tokens[:-1]),
        loss_fn_inputs=dict(weights=weights[1:], target_tokens=tokens[1:]),
    )


def main():
    service = tinker.ServiceClient()
    models = tinker.RestClient().get_server_capabilities().result().supported_models
    base_model = sys.argv[1] if len(sys.argv) > 1 else models[0].model_name
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    print("sdk", tinker.__version__, "server has", [model.model_name for model in models])

    training = service.create_lora_training_client(base_model=base_model, rank=16).result()
    info = training.get_info()
    print("model", info.model_id, "lora rank", info.lora_rank)
    tokenizer = training.get_tokenizer()
    data = [datum(english, pig_latin, tokenizer) for english, pig_latin in EXAMPLES]

    losses = []
    for step in range(steps):
        # Both requests are sent before their results are awaited, as the documentation advises.
        backward = training.forward_backward(data, "cross_entropy")
        optimizer = training.optim_step(types.AdamParams(learning_rate=1e-2))
        result = backward.result()
        optimizer.result()
        logprobs = np.concatenate([out["logprobs"].tolist() for out in result.loss_fn_outputs])
        weights = np.concatenate([one.loss_fn_inputs["weights"].tolist() for one in data])
        losses.append(float(-np.dot(logprobs, weights) / weights.sum()))
        print(f"step {step:2d}  loss per token {losses[-1]:.4f}")

    sampling = training.save_weights_and_get_sampling_client().result()
    prompt = types.ModelInput.from_ints(tokenizer.encode("English: coffee break\nPig Latin:"))
    params = types.SamplingParams(max_tokens=20, temperature=0.0, stop=["\n"])
    answer = sampling.sample(prompt=prompt, sampling_params=params, num_samples=3).result()
    for sequence in answer.sequences:
        print("sample", repr(tokenizer.decode(sequence.tokens)), sequence.stop_reason)
    scored = sampling.compute_logprobs(prompt).result()
    print("prompt log-probs", len(scored), "the first is", scored[0])

    saved = training.save_state(name="after-hello").result()
    resumed = service.create_training_client_from_state_with_optimizer(saved.path).result()
    again = resumed.forward(data, "cross_entropy").result()
    now = training.forward(data, "cross_entropy").result()
    same = all(
        np.array_equal(a["logprobs"].tolist(), b["logprobs"].tolist())
        for a, b in zip(again.loss_fn_outputs, now.loss_fn_outputs, strict=True)
    )
    print("resumed from", saved.path, "same log-probs:", same)
    learned = losses[-1] < losses[0] - 0.1
    print("loss fell" if learned else "loss did not fall", f"{losses[0]:.4f} -> {losses[-1]:.4f}")
    return 0 if learned and same else 1


if __name__ == "__main__":
    sys.exit(main())
