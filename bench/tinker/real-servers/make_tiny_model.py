"""Writes a tiny random language model that LoRA can train, for the learning test on real servers.

    python make_tiny_model.py tiny-model

The model has Qwen3's architecture with about 108,000 float32 parameters, and a tokenizer in which token b is byte b. Its
weights are drawn ten times wider than usual (0.25 instead of 0.02). A server trains adapters and never the output head,
and with a head of width 0.02 all logits are so close that no adapter can change what is sampled.

It needs torch, transformers and tokenizers, which any server that can load the model has.
"""

import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

SPECIAL = ["<|endoftext|>", "<|im_end|>", "<|im_start|>"] + [f"<|reserved_{i}|>" for i in range(5)]
CHAT = "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"


def byte_names():
    """Returns the printable character that byte-level tokenizers write for each byte (GPT-2's table)."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + i) for i, byte in enumerate(others)}


def tokenizer():
    vocabulary = {name: byte for byte, name in byte_names().items()}
    bpe = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bpe.decoder = decoders.ByteLevel()
    bpe.add_special_tokens(SPECIAL)
    fast = PreTrainedTokenizerFast(tokenizer_object=bpe, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.chat_template = CHAT
    return fast


def model(tokens, seed=0):
    torch.manual_seed(seed)
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokens),
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=16,
            max_position_embeddings=512,
            initializer_range=0.25,
            tie_word_embeddings=False,
            eos_token_id=tokens.eos_token_id,
            pad_token_id=tokens.pad_token_id,
            bos_token_id=None,
            dtype="float32",
        )
    )


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tokens = tokenizer()
    weights = model(tokens)
    tokens.save_pretrained(sys.argv[1])
    weights.save_pretrained(sys.argv[1])
    assert tokens("aé<|im_end|>").input_ids == [97, 0xC3, 0xA9, 257], "token b must be byte b"
    print(f"{sys.argv[1]}: {sum(p.numel() for p in weights.parameters()):,} parameters, {len(tokens)} tokens")


main()
