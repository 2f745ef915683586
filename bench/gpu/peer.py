"""The peer of bench/gpu/run.sh: PyTorch, PEFT and transformers' generate at a shape, on the GPU if there is one.

Prints JSON with tokens per second: training a LoRA of rank 16 on 16 rows of 160 tokens, and decoding 1, 8 and 64 rows
behind 300 tokens, in float32 as the engine computes.
"""
import json
import sys
import time

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, LlamaConfig, Qwen3Config

SHAPES = {
    "tiny": LlamaConfig(vocab_size=512, hidden_size=128, num_hidden_layers=2, num_attention_heads=4,
                        num_key_value_heads=2, intermediate_size=352, tie_word_embeddings=True),
    "smollm2-135m": LlamaConfig(vocab_size=49152, hidden_size=576, num_hidden_layers=30, num_attention_heads=9,
                                num_key_value_heads=3, intermediate_size=1536, tie_word_embeddings=True),
    "qwen3-0.6b": Qwen3Config(vocab_size=151936, hidden_size=1024, num_hidden_layers=28, num_attention_heads=16,
                              num_key_value_heads=8, head_dim=128, intermediate_size=3072, tie_word_embeddings=True),
    "qwen3-1.7b": Qwen3Config(vocab_size=151936, hidden_size=2048, num_hidden_layers=28, num_attention_heads=16,
                              num_key_value_heads=8, head_dim=128, intermediate_size=6144, tie_word_embeddings=True),
}
ROWS, LENGTH, CONTEXT, STEPS = 16, 160, 300, 32


def synchronize(device):
    if device == "cuda":
        torch.cuda.synchronize()


def best_seconds(work, device, rounds=3):
    work()
    times = []
    for _ in range(rounds):
        synchronize(device)
        start = time.perf_counter()
        work()
        synchronize(device)
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    config = SHAPES[sys.argv[1]]
    torch.manual_seed(1)
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    lora = LoraConfig(r=16, lora_alpha=32, target_modules="all-linear")
    model = get_peft_model(model, lora)
    optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=1e-5)
    tokens = torch.randint(0, config.vocab_size, (ROWS, LENGTH), device=device)

    def train():
        optimizer.zero_grad()
        model(input_ids=tokens, labels=tokens).loss.backward()
        optimizer.step()

    result = {"shape": sys.argv[1], "device": device, "torch": torch.__version__, "decode": {}}
    if device == "cuda":
        result["name"] = torch.cuda.get_device_name()
    result["trainedTokensPerSecond"] = ROWS * LENGTH / best_seconds(train, device)
    model.eval()
    for rows in (1, 8, 64):
        prompt = torch.randint(0, config.vocab_size, (rows, CONTEXT), device=device)

        def generate(count):
            with torch.no_grad():
                model.generate(input_ids=prompt, max_new_tokens=count, min_new_tokens=count, do_sample=True,
                               attention_mask=torch.ones_like(prompt), pad_token_id=0)

        long = best_seconds(lambda: generate(4 + STEPS), device, 2)
        short = best_seconds(lambda: generate(4), device, 2)
        result["decode"][rows] = rows * STEPS / max(1e-9, long - short)
    print(json.dumps(result))


main()
