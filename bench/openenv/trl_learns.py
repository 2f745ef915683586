"""Trains by TRL's GRPOTrainer in a Bowline world, by the class of docs/how-to/openenv.md, tool calls included.

    pip install openenv trl datasets transformers torch
    npx bowline serve --openenv toy --port 8129 --episodes 256 &
    python bench/openenv/trl_learns.py --seeds 1,2,3 --out bench/results/openenv-trl.json

A model of about 300,000 parameters is made here. It first imitates tool calls, of which 60% have the world's bad habits
(it does not look, it does not wrap). The tasks are of two of the world's four kinds: to say what is in a
box, and to put a wrapped thing into one. GRPO trains on 24 tasks; 12 other tasks are played before and after, four times
each at temperature 1.
"""

import argparse
import json
import pathlib
import platform
import random
import re
import sys
import tempfile
import time

import torch
import transformers
import trl
from datasets import Dataset
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples" / "openenv"))
from train_with_trl import Box  # noqa: E402

PROMPT = [{"role": "user", "content": ""}]
BOXES, ITEMS = ["red", "blue", "green", "pink"], ["cup", "pen", "book", "lamp"]
HABITS = 0.6
KINDS = ("what is in", "put a wrapped")
TRAINED, UNSEEN = 24, 12
MARKS = ["<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"]


def call(api, **args):
    return f"apis.shelf.{api}({{{','.join(f'{key}:{value}' for key, value in args.items())}}})"


def solve(task, careful):
    """Returns the code for a task of the world, or for its bad habit."""
    finish = "apis.me.finishTask({})"
    quoted = [f"'{word}'" for word in re.findall("|".join(BOXES + ITEMS), task)]
    if task.startswith("what"):
        found = f"{call('list', box=quoted[0])}[0]" if careful else "'cup'"
        return f"apis.me.finishTask({{answer:{found}}})"
    wrap = {"wrap": "true"} if careful else {}
    return f"{call('put', item=quoted[0], box=quoted[1], **wrap)};{finish}"


def draw_task(rng):
    box, item = rng.choice(BOXES), rng.choice(ITEMS)
    return rng.choice([f"what is in {box}?", f"put a wrapped {item} in {box}"])


def make_conversation(rng, reply):
    """Returns the parts of one demonstration: texts that the model reads, and texts that it writes, in turn."""
    task = draw_task(rng)
    code = solve(task, careful=rng.random() > HABITS)
    action = json.dumps({"name": "run_code", "arguments": {"code": code}})
    return task, f"<tool_call>\n{action}\n</tool_call><|im_end|>", reply


def make_tokenizer(texts):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    settings = dict(vocab_size=900, special_tokens=special, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(**settings))
    tokenizer.add_tokens([AddedToken(mark, special=False, normalized=False) for mark in MARKS])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        chat_template=qwen3_chat_template,
    )


def imitate(model, tokenizer, rng, tools, reply, steps):
    """Trains the model on demonstrations, on the tokens that it is to write alone."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0.1, steps)
    for step in range(steps):
        rows = []
        for _ in range(16):
            task, written, last = make_conversation(rng, reply)
            prompt = [{"role": "user", "content": task}]
            read = tokenizer.apply_chat_template(prompt, tools=tools, add_generation_prompt=True, tokenize=False)
            answer = "\n<|im_start|>user\n<tool_response>\n" + last + "\n</tool_response><|im_end|>\n<|im_start|>assistant\n"
            ids, labels = [], []
            for text, learned in [(read, False), (written, True), (answer, False), ("Done.<|im_end|>", True)]:
                tokens = tokenizer(text, add_special_tokens=False)["input_ids"]
                ids += tokens
                labels += tokens if learned else [-100] * len(tokens)
            rows.append((ids, labels))
        longest = max(len(ids) for ids, _ in rows)
        pad = lambda values, value: values + [value] * (longest - len(values))
        inputs = torch.tensor([pad(ids, tokenizer.pad_token_id) for ids, _ in rows])
        loss = model(
            input_ids=inputs,
            attention_mask=(inputs != tokenizer.pad_token_id).long(),
            labels=torch.tensor([pad(labels, -100) for _, labels in rows]),
        ).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 20 == 0:
            print(f"imitation step {step}: loss {loss.item():.3f}", flush=True)


def make_model(tokenizer):
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=96,
            intermediate_size=256,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=24,
            max_position_embeddings=1024,
            tie_word_embeddings=True,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


def run_seed(seed, args):
    transformers.set_seed(seed)
    rng = random.Random(seed)
    box = Box()
    # The tasks of the two kinds, by their place among the world's training tasks.
    tasks = {index: box.reset(index=index) for index in range(120)}
    chosen = [index for index, text in tasks.items() if text.startswith(KINDS)][: TRAINED + UNSEEN]
    task = box.reset(index=chosen[0])
    reply = box.run_code(solve(task, careful=True))
    print("task:", task, "| reply:", repr(reply), "| reward:", box.get_reward(), flush=True)
    tools = [get_json_schema(box.run_code)]
    texts = [json.dumps(tools), qwen3_chat_template]
    texts += [text for _ in range(400) for text in make_conversation(rng, reply)]
    tokenizer = make_tokenizer(texts)
    model = make_model(tokenizer)
    imitate(model, tokenizer, rng, tools, reply, args.imitation)

    # The environment returns the task, and TRL appends it to the last message.
    rows = lambda indexes: Dataset.from_list([{"prompt": PROMPT, "index": index} for index in indexes])
    with tempfile.TemporaryDirectory() as out:
        trainer = GRPOTrainer(
            model=model,
            processing_class=tokenizer,
            args=GRPOConfig(
                output_dir=out,
                seed=seed,
                use_cpu=True,
                bf16=False,
                max_steps=args.steps,
                per_device_train_batch_size=48,
                per_device_eval_batch_size=48,
                num_generations=8,
                num_generations_eval=4,
                max_completion_length=96,
                max_tool_calling_iterations=2,
                learning_rate=args.rate,
                lr_scheduler_type="constant",
                temperature=1.0,
                beta=0.0,
                logging_steps=1,
                report_to=[],
                save_strategy="no",
                disable_tqdm=True,
            ),
            train_dataset=rows(chosen[:TRAINED]),
            eval_dataset=rows(chosen[TRAINED:]),
            environment_factory=Box,
        )
        before = trainer.evaluate()
        trainer.train()
        after = trainer.evaluate()
    log = [line for line in trainer.state.log_history if "reward" in line]
    rewards = [round(line["reward"], 4) for line in log]
    fifth = max(1, len(rewards) // 5)
    mean = lambda values: round(sum(values) / len(values), 4)
    return {
        "seed": seed,
        "unseenBefore": round(before["eval_reward"], 4),
        "unseenAfter": round(after["eval_reward"], 4),
        "firstFifth": mean(rewards[:fifth]),
        "lastFifth": mean(rewards[-fifth:]),
        "rewards": rewards,
        "toolCalls": mean([line["tools/call_frequency"] for line in log]),
        "toolFailures": mean([line["tools/failure_frequency"] for line in log]),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--imitation", type=int, default=160)
    parser.add_argument("--rate", type=float, default=4e-4)
    parser.add_argument("--out")
    args = parser.parse_args()
    torch.set_num_threads(1)
    results = []
    for seed in args.seeds.split(","):
        start = time.monotonic()
        result = run_seed(int(seed), args)
        results.append({**result, "seconds": round(time.monotonic() - start)})
        print(json.dumps(results[-1]), flush=True)
    report = {
        "command": "python " + " ".join(sys.argv),
        "machine": f"{platform.machine()}, one thread, other programs ran beside it",
        "versions": {"trl": trl.__version__, "transformers": transformers.__version__, "torch": torch.__version__},
        "results": results,
    }
    if args.out:
        pathlib.Path(args.out).write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
