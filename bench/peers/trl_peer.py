"""Serves TRL's GRPOTrainer: trains iterations of GRPO, and asks the caller before each of them when to go on."""
import sys
import time

from protocol import THREADS, ask, serve  # Before torch, because it sets threads.

import torch  # noqa: E402
import transformers  # noqa: E402
import trl  # noqa: E402
from datasets import Dataset  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402
from tokenizers.models import WordLevel  # noqa: E402
from tokenizers.pre_tokenizers import Whitespace  # noqa: E402
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast, TrainerCallback  # noqa: E402
from trl import GRPOConfig, GRPOTrainer  # noqa: E402

torch.set_num_threads(THREADS)
transformers.utils.logging.set_verbosity_error()


def op_hello():
    versions = {library.__name__: library.__version__ for library in (torch, transformers, trl)}
    return {"versions": versions, "threads": torch.get_num_threads(), "python": sys.version.split()[0]}


class Turns(TrainerCallback):
    """Measures each iteration, and asks the caller before each of them. The caller runs its own turn meanwhile."""

    def __init__(self, steps):
        self.steps, self.start, self.tokens = steps, None, 0

    def on_step_begin(self, args, state, control, **kwargs):
        if state.global_step % self.steps == 0:
            self.report()
            ask(self.last)
            self.start, self.cpu = time.perf_counter(), time.process_time()

    def report(self):
        self.last = None
        if self.start is not None:
            ms, cpu = time.perf_counter() - self.start, time.process_time() - self.cpu
            self.last = {"ms": 1000 * ms, "processorMs": 1000 * cpu, "tokens": self.tokens}
        self.tokens = 0


def word_tokenizer(vocabulary):
    """Returns a tokenizer whose word `w17` is token 17. Its end token is outside the model, so no row ends early."""
    words = {f"w{i}": i for i in range(vocabulary)} | {"<end>": vocabulary}
    tokenizer = Tokenizer(WordLevel(words, unk_token="w0"))
    tokenizer.pre_tokenizer = Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", pad_token="w0")


def grpo_config(iterations, sizes, learningRate, microbatch, maxTokens, **more):
    """Returns TRL's own settings for iterations of `sizes`: rollouts, group, minibatch and epochs."""
    steps = sizes["rollouts"] // sizes["minibatch"]
    parts = sizes["minibatch"] // microbatch
    return GRPOConfig(
        output_dir="/nonexistent-output",
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        per_device_train_batch_size=microbatch,
        gradient_accumulation_steps=parts,
        steps_per_generation=steps * parts,
        num_iterations=sizes["epochs"],
        num_generations=sizes["group"],
        max_steps=iterations * steps * sizes["epochs"],
        max_completion_length=maxTokens,
        learning_rate=learningRate,
        lr_scheduler_type="constant",
        temperature=1.0,
        top_k=0,
        report_to=[],
        save_strategy="no",
        logging_steps=steps * sizes["epochs"],
        disable_tqdm=True,
        dataloader_num_workers=0,
        **more,
    )


def op_grpo(directory, vocabulary, prompts, iterations, sizes, learningRate, microbatch, maxTokens):
    """Trains on completions of exactly `maxTokens` tokens behind `prompts`, which are lists of token ids."""
    model = AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32)
    turns = Turns(sizes["rollouts"] // sizes["minibatch"] * sizes["epochs"])

    def reward(prompts, completion_ids, **columns):
        """Returns as many different rewards as a group has rows, so that every row has an advantage."""
        turns.tokens += sum(map(len, completion_ids)) + sum(prompt.count(" ") + 1 for prompt in prompts)
        return [float(i % sizes["group"]) for i in range(len(prompts))]

    trainer = GRPOTrainer(
        model=model,
        reward_funcs=reward,
        args=grpo_config(iterations, sizes, learningRate, microbatch, maxTokens),
        train_dataset=Dataset.from_list([{"prompt": " ".join(f"w{i}" for i in prompt)} for prompt in prompts]),
        processing_class=word_tokenizer(vocabulary),
        callbacks=[turns],
    )
    trainer.train()
    turns.report()
    return turns.last


serve({name[3:]: run for name, run in list(globals().items()) if name.startswith("op_")})
