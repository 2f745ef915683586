"""Tiny checkpoints as Hugging Face programs write them, and what transformers computes with them.

Writes beside this script: hf-{qwen2,qwen3,llama,llama3}/ (random weights, tokenizer, chat template, generation
config), hf-{logprobs,rope,tokenizers,chats,constructs}.json.

    pip install torch transformers && python tests/golden/hf_golden.py
"""

import contextlib
import datetime
import json
import pathlib
import shutil
import unittest.mock

import torch
import transformers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers
from tokenizers import pre_tokenizers, processors, trainers
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.utils import chat_template_utils

import hf_templates

HERE = pathlib.Path(__file__).parent
SHAPE = dict(
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    intermediate_size=48,
    max_position_embeddings=256,
)
LLAMA3_ROPE = dict(
    rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=32
)
MADE = f"torch {torch.__version__.split('+')[0]}, transformers {transformers.__version__}"

TEXT = """The agent writes code against the APIs of many apps: search, pay, message, play. It's what we'll do, isn't it?
const page = await apis.contacts.list({ page: 1 });\nprint(page[0].name, "anna@mail.test");\n\n    if (x >= 10) { return 2025; }
Zahlt sofort: naïve Café déjà vu. 支払い は 完了。 Привет, мир! مرحبا 🎵😀 1,234.56 + 0.5% = ??? <b>&amp;</b>
{"name": "search_songs", "arguments": {"query": "Halo", "limit": 3}}\r\n\t\ttabs and  double  spaces   \n"""
STRINGS = [
    "",
    " ",
    "   leading and trailing   ",
    "Hello, world! It's 2025; WE'LL see: they're 1234567890 strong.",
    "tabs\tand\nnew\n\nlines\r\n\r\nwindows\n   \n\tmixed \n",
    'print(page[0].name, "anna@mail.test");',
    "naïve Café déjà vu, 支払い は 完了。 Привет мир مرحبا",
    "e\u0301 is not é in bytes, ﬁ is a ligature, \u00a0nbsp\u3000wide",
    "🎵😀👩‍👩‍👧‍👦🇩🇪 emoji",
    "zero\u200bwidth \ufeff bom \x00 nul \x7f del",
    "<|im_start|>user\nhi<|im_end|>\n<|endoftext|>",
    "<tool_call>\n{\"name\": \"pay\", \"arguments\": {}}\n</tool_call> <think> x </think>",
    "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nhi<|eot_id|>",
    "<s>[INST] hi [/INST] there</s>",
    "a<|im_end|>b <|im_end|> c",
    "½ ² Ⅷ ٣ 一二三 12345678",
    "don't DON'T 'S 's ’s I'M",
    "x" * 40,
    "!!!??? ...---=== ((())) \\n \\u00e9",
]

GPT_SPLIT = {
    "qwen": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "llama3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}


def byte_level_tokenizer(kind: str, special: list[str], plain: list[str]) -> Tokenizer:
    """Byte-level BPE that cuts as Qwen's or Llama 3's tokenizer does, trained on TEXT."""
    tokenizer = Tokenizer(models.BPE(ignore_merges=kind == "llama3"))
    if kind == "qwen":
        tokenizer.normalizer = normalizers.NFC()
    split = pre_tokenizers.Split(Regex(GPT_SPLIT[kind]), behavior="isolated", invert=False)
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, byte_level])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=330, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator([TEXT] * 3, trainer)
    tokenizer.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in special])
    tokenizer.add_tokens([AddedToken(name, special=False, normalized=False) for name in plain])
    if kind == "llama3":
        start = (special[0], tokenizer.token_to_id(special[0]))
        template = processors.TemplateProcessing(single=f"{special[0]} $A", special_tokens=[start])
        tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), template])
    else:
        tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def sentence_piece_tokenizer() -> Tokenizer:
    """BPE with spaces as characters and unknown characters as bytes, as Llama 2's tokenizer."""
    trained = Tokenizer(models.BPE(unk_token="<unk>"))
    spaces = [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    trained.normalizer = normalizers.Sequence(spaces)
    ascii_only = "".join(c for c in TEXT if ord(c) < 0x250)
    specials = ["<unk>", "<s>", "</s>", *[f"<0x{byte:02X}>" for byte in range(256)]]
    trainer = trainers.BpeTrainer(vocab_size=420, special_tokens=specials, show_progress=False)
    trained.train_from_iterator(ascii_only.split("\n") * 3, trainer)
    model = json.loads(trained.to_str())["model"]
    merges = [tuple(merge) for merge in model["merges"]]
    tokenizer = Tokenizer(
        models.BPE(vocab=model["vocab"], merges=merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    )
    tokenizer.normalizer = normalizers.Sequence(spaces)
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in specials[:3]])
    template = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    tokenizer.post_processor = template
    return tokenizer


QWEN_SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
LLAMA3_SPECIAL = [
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|python_tag|>",
    *[f"<|reserved_special_token_{i}|>" for i in range(6)],
]
CHECKPOINTS = {
    "qwen2": dict(
        tokenizer=lambda: byte_level_tokenizer("qwen", QWEN_SPECIAL, ["<tool_call>", "</tool_call>"]),
        special=dict(eos_token="<|im_end|>", pad_token="<|endoftext|>"),
        config=lambda **more: transformers.Qwen2Config(**SHAPE, tie_word_embeddings=True, **more),
        dtype=torch.bfloat16,
        template=hf_templates.QWEN2,
        generation=dict(do_sample=True, temperature=0.7, top_p=0.8, top_k=20, repetition_penalty=1.05),
        stop=["<|im_end|>", "<|endoftext|>"],
    ),
    "qwen3": dict(
        tokenizer=lambda: byte_level_tokenizer(
            "qwen", QWEN_SPECIAL, ["<tool_call>", "</tool_call>", "<think>", "</think>"]
        ),
        special=dict(eos_token="<|im_end|>", pad_token="<|endoftext|>"),
        config=lambda **more: transformers.Qwen3Config(**SHAPE, head_dim=16, **more),
        dtype=torch.float32,
        template=hf_templates.QWEN3,
        generation=dict(do_sample=True, temperature=0.6, top_p=0.95, top_k=20),
        stop=["<|im_end|>", "<|endoftext|>"],
        shard="60KB",
    ),
    "llama": dict(
        tokenizer=sentence_piece_tokenizer,
        special=dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>"),
        config=lambda **more: transformers.LlamaConfig(**SHAPE, rms_norm_eps=1e-5, **more),
        dtype=torch.float16,
        template=dict(default=hf_templates.LLAMA, tool_use=hf_templates.LLAMA_TOOLS),
        generation=dict(),
        stop=["</s>"],
    ),
    "llama3": dict(
        tokenizer=lambda: byte_level_tokenizer("llama3", LLAMA3_SPECIAL, []),
        special=dict(bos_token="<|begin_of_text|>", eos_token="<|eot_id|>"),
        config=lambda **more: transformers.LlamaConfig(
            **SHAPE,
            rms_norm_eps=1e-5,
            tie_word_embeddings=True,
            rope_parameters=dict(LLAMA3_ROPE, rope_theta=500000.0),
            **more,
        ),
        dtype=torch.float32,
        template=hf_templates.LLAMA3,
        generation=dict(do_sample=True, temperature=0.6, top_p=0.9),
        stop=["<|end_of_text|>", "<|eom_id|>", "<|eot_id|>"],
    ),
}


def write_checkpoint(name: str) -> None:
    spec = CHECKPOINTS[name]
    folder = HERE / f"hf-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=spec["tokenizer"](), **spec["special"])
    tokenizer.chat_template = spec["template"]
    # Some with chat_template.jinja, some with the template inside tokenizer_config.json.
    tokenizer.save_pretrained(folder, save_jinja_files=name in ("qwen3", "llama3"))
    ids = {key: tokenizer.convert_tokens_to_ids(token) for key, token in spec["special"].items()}
    stop = [tokenizer.convert_tokens_to_ids(token) for token in spec["stop"]]
    # As published models do, the embedding has rows that no token uses (Llama's has none).
    rows = len(tokenizer) + (0 if name.startswith("llama") else 7)
    torch.manual_seed(len(name) * 7 + ord(name[-1]))
    config = spec["config"](
        vocab_size=rows, eos_token_id=ids["eos_token"], bos_token_id=ids.get("bos_token"), dtype=spec["dtype"]
    )
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    for parameter_name, parameter in model.named_parameters():
        # Strong enough that predictions differ from uniform and from each other.
        centre = 1.0 if "norm" in parameter_name else 0.0
        scale = 0.5 if "embed" in parameter_name or parameter.dim() == 1 else 0.25
        parameter.data = centre + scale * torch.randn(parameter.shape)
    model.generation_config = transformers.GenerationConfig(
        **spec["generation"], eos_token_id=stop if len(stop) > 1 else stop[0], bos_token_id=ids.get("bos_token")
    )
    model = model.to(spec["dtype"])
    model.save_pretrained(folder, **({"max_shard_size": spec["shard"]} if "shard" in spec else {}))


def load(name: str):
    return transformers.AutoModelForCausalLM.from_pretrained(HERE / f"hf-{name}", dtype=torch.float32).eval()


def logprobs(name: str) -> dict:
    """Log-probs of whole rows in 32 bits, and greedy continuations with their smallest lead over the second best."""
    model = load(name)
    generator = torch.Generator().manual_seed(5)
    rows, continuations = [], []
    for length in (9, 64, 200):
        tokens = torch.randint(0, model.config.vocab_size, (1, length), generator=generator)
        with torch.no_grad():
            logp = torch.log_softmax(model(tokens).logits[0].float(), -1)
        picked = logp[:-1].gather(1, tokens[0, 1:, None])[:, 0]
        rows.append(dict(tokens=tokens[0].tolist(), logprobs=[float(f"{x:.7g}") for x in picked.tolist()]))
    for length in (3, 40):
        tokens = torch.randint(0, model.config.vocab_size, (1, length), generator=generator)
        start, lead = tokens[0].tolist(), []
        for _ in range(32):
            with torch.no_grad():
                top = model(tokens).logits[0, -1].topk(2)
            lead.append(float(top.values[0] - top.values[1]))
            tokens = torch.cat([tokens, top.indices[:1][None]], 1)
        generated = model.generate(
            torch.tensor([start]), do_sample=False, max_new_tokens=32, min_new_tokens=32, eos_token_id=None,
            repetition_penalty=1.0,
        )
        assert generated[0].tolist() == tokens[0].tolist(), "generate disagrees with the loop"
        continuations.append(dict(tokens=start, next=tokens[0, length:].tolist(), smallestLead=min(lead)))
    return dict(rows=rows, continuations=continuations)


def rope_cases() -> list[dict]:
    """Radians a token of every rotary pair, for the published shapes of Llama 3.1 and 3.2, in 32 bits."""
    cases = []
    for head, factor in ((128, 8.0), (64, 32.0)):
        rope = dict(LLAMA3_ROPE, factor=factor, original_max_position_embeddings=8192, rope_theta=500000.0)
        config = transformers.LlamaConfig(
            hidden_size=head * 2, num_attention_heads=2, head_dim=head, max_position_embeddings=131072, rope_parameters=rope
        )
        frequencies, _ = ROPE_INIT_FUNCTIONS["llama3"](config, device="cpu")
        cases.append(dict(headSize=head, factor=factor, frequencies=[float(f"{x:.9g}") for x in frequencies.tolist()]))
    return cases


def tokenizer_cases(name: str) -> dict:
    """`ids`: as a template's text is encoded; `plain`: with special tokens taken for text, as untrusted text must be."""
    tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(HERE / f"hf-{name}")
    cases = []
    for text in STRINGS:
        ids = tokenizer.encode(text, add_special_tokens=False)
        plain = tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True)
        decode = lambda ids: tokenizer.decode(ids, clean_up_tokenization_spaces=False)  # noqa: E731
        cases.append(dict(text=text, ids=ids, decoded=decode(ids), plain=plain, plainDecoded=decode(plain)))
    return dict(cases=cases)


@contextlib.contextmanager
def frozen_clock():
    class Frozen(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromisoformat(hf_templates.NOW)

    with unittest.mock.patch.object(chat_template_utils, "datetime", Frozen):
        yield


def recorded(render) -> dict:
    """The text, or that the template raised. What it says is compared where the template itself says it."""
    try:
        return dict(text=render())
    except Exception as error:  # noqa: BLE001
        own = type(error).__name__ == "TemplateError"
        return dict(error=str(error) if own else "")


def chat_cases(tokenizer) -> list[dict]:
    cases = []
    for label, messages in hf_templates.CHATS.items():
        for tools in (None, hf_templates.TOOLS):
            for more in ({}, dict(add_generation_prompt=True), dict(add_generation_prompt=True, enable_thinking=False),
                         dict(date_string="26 Jul 2024", tools_in_question=False, tools_in_user_message=False),
                         dict(builtin_tools=["code", "search_songs"])):
                def render(messages=messages, tools=tools, more=more):
                    return tokenizer.apply_chat_template(messages, tools=tools, tokenize=False, **more)

                # A variation that the template does not know changes nothing: once is enough.
                case = dict(label=label, tools=tools is not None, more=more, **recorded(render))
                same = [c for c in cases if c["label"] == label and c["tools"] == case["tools"]
                        and c.get("text", c.get("error")) == case.get("text", case.get("error"))]
                if not same:
                    cases.append(case)
    return cases


def construct_cases() -> list[dict]:
    cases = []
    for template in hf_templates.CONSTRUCTS:
        render = lambda: chat_template_utils._compile_jinja_template(template).render(**hf_templates.CONTEXT)  # noqa: E731, B023
        cases.append(dict(template=template, **recorded(render)))
    return cases


def dump(path: pathlib.Path, value: dict) -> None:
    path.write_text(json.dumps(dict(made=MADE, **value), ensure_ascii=False) + "\n")


def shared() -> dict:
    return dict(now=hf_templates.NOW, tools=hf_templates.TOOLS, chats=hf_templates.CHATS)


def main() -> None:
    with frozen_clock():
        for name in CHECKPOINTS:
            write_checkpoint(name)
        tokenizers = {name: transformers.PreTrainedTokenizerFast.from_pretrained(HERE / f"hf-{name}") for name in CHECKPOINTS}
        dump(HERE / "hf-logprobs.json", {name: logprobs(name) for name in CHECKPOINTS})
        dump(HERE / "hf-rope.json", dict(cases=rope_cases()))
        dump(HERE / "hf-tokenizers.json", {name: tokenizer_cases(name) for name in CHECKPOINTS})
        chats = {name: chat_cases(tokenizer) for name, tokenizer in tokenizers.items()}
        dump(HERE / "hf-chats.json", dict(**shared(), checkpoints=chats))
        dump(HERE / "hf-constructs.json", dict(now=hf_templates.NOW, context=hf_templates.CONTEXT, cases=construct_cases()))


if __name__ == "__main__":
    main()
