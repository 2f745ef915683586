"""Tiny adapters as PEFT writes them, and what PEFT computes with them.

Writes beside this script: peft-qwen2/ (plain LoRA on some projections) and peft-qwen2-rslora/ (all projections, with
rank-stabilised scaling), whose base is hf-qwen2/ beside them, and peft-logprobs.json: a conversation in the base's
chat template, the greedy answer of the base and of each adapter, and the log-probability of every token of it.

    pip install torch transformers peft && python tests/golden/make_adapters.py
"""

import json
import pathlib

import peft
import torch
import transformers

HERE = pathlib.Path(__file__).parent
BASE = HERE / "hf-qwen2"
ADAPTERS = {
    "peft-qwen2": dict(r=4, lora_alpha=8, target_modules=["q_proj", "v_proj", "o_proj", "down_proj"]),
    "peft-qwen2-rslora": dict(r=8, lora_alpha=6, use_rslora=True, target_modules="all-linear"),
}
MESSAGES = [{"role": "user", "content": "Hello, who are you?"}]
LENGTH = 12


def load_base():
    return transformers.AutoModelForCausalLM.from_pretrained(BASE, dtype=torch.float32).eval()


def write_adapter(name, options):
    torch.manual_seed(len(name))
    model = peft.get_peft_model(load_base(), peft.LoraConfig(task_type="CAUSAL_LM", **options))
    for parameter in model.parameters():
        if parameter.requires_grad:
            parameter.data = torch.randn_like(parameter) * 0.3
    folder = HERE / name
    model.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)
    config = json.loads((folder / "adapter_config.json").read_text())
    # PEFT writes the path that it was given; relative to the adapter it means the same on every machine.
    config["base_model_name_or_path"] = "../hf-qwen2"
    (folder / "adapter_config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")


def answer(model, prompt):
    """The greedy answer, token by token, and the log-probability of each token."""
    ids, logprobs = list(prompt), []
    for _ in range(LENGTH):
        with torch.no_grad():
            logp = torch.log_softmax(model(torch.tensor([ids])).logits[0, -1].double(), -1)
        best = logp.topk(2)
        # A near tie could fall the other way elsewhere, and the answers would have nothing to compare.
        assert best.values[0] - best.values[1] > 1e-3
        ids.append(int(best.indices[0]))
        logprobs.append(float(best.values[0]))
    return dict(ids=ids[len(prompt) :], logprobs=[round(value, 6) for value in logprobs])


def main():
    tokenizer = transformers.AutoTokenizer.from_pretrained(BASE)
    prompt = tokenizer.apply_chat_template(MESSAGES, add_generation_prompt=True, return_dict=False)
    answers = {"hf-qwen2": answer(load_base(), prompt)}
    for name, options in ADAPTERS.items():
        write_adapter(name, options)
        adapted = peft.PeftModel.from_pretrained(load_base(), HERE / name).eval()
        answers[name] = answer(adapted, prompt)
    made = f"torch {torch.__version__.split('+')[0]}, transformers {transformers.__version__}, peft {peft.__version__}"
    golden = dict(made=made, messages=MESSAGES, promptTokens=len(prompt), answers=answers)
    (HERE / "peft-logprobs.json").write_text(json.dumps(golden) + "\n")


main()
