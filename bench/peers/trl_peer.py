"""Serves TRL's GRPOTrainer: trains iterations of GRPO, and asks the caller before each of them when to go on."""
import sys
import time

from protocol import THREADS, ask, serve  # Before torch, because it sets threads.

import torch  # noqa: E402
import transformers  # noqa: E402
import trl  # noqa: E402
from datasets import Dataset  # noqa: E402
from openenv.core.generic_client import GenericEnvClient  # noqa: E402
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
        self.steps, self.start, self.tokens, self.sampled = steps, None, 0, 0

    def on_step_begin(self, args, state, control, **kwargs):
        if state.global_step % self.steps == 0:
            self.report()
            ask(self.last)
            self.start, self.cpu = time.perf_counter(), time.process_time()

    def report(self):
        self.last = None
        if self.start is not None:
            ms, cpu = time.perf_counter() - self.start, time.process_time() - self.cpu
            self.last = {"ms": 1000 * ms, "processorMs": 1000 * cpu, "tokens": self.tokens, "sampled": self.sampled}
        self.tokens = self.sampled = 0


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
        turns.sampled += sum(map(len, completion_ids))
        turns.tokens = turns.sampled + sum(prompt.count(" ") + 1 for prompt in prompts)
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



CELL_TEMPLATE = """{%- for message in messages -%}
{%- if message["role"] == "assistant" -%}
{{- "<|code|>" + (message["content"] or "") -}}
{%- for call in message["tool_calls"] or [] -%}
{%- if call["function"]["name"] == "run_code" -%}
{{- call["function"]["arguments"]["code"] -}}
{%- else -%}
{{- call["function"]["name"] + (call["function"]["arguments"] | tojson) -}}
{%- endif -%}
{%- endfor -%}
{{- "<|run|>" -}}
{%- elif message["role"] == "tool" -%}
{{- message["content"] -}}
{%- else -%}
{{- "<|task|>" + message["content"] -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- "<|code|>" -}}
{%- endif -%}
"""
FINISH = "apis.me.finishTask("


class CellTokenizer(PreTrainedTokenizerFast):
    """Reads every message as one call of `run_code`, which is how Bowline's small models write code.

    After a turn that finishes the task, TRL samples once more. That message is no call, which ends the episode.
    """

    def parse_response(self, ids, prefix=(), **options):
        last_turn = self.decode(prefix).rsplit("<|code|>", 2)[-2:-1]
        code = self.decode(ids, skip_special_tokens=True)
        if last_turn and FINISH in last_turn[0]:
            return {"role": "assistant", "content": code}
        call = {"type": "function", "function": {"name": "run_code", "arguments": {"code": code}}}
        return {"role": "assistant", "content": "", "tool_calls": [call]}


def cell_tokenizer(path):
    special = {"eos_token": "<|run|>", "pad_token": "<|pad|>"}
    tokenizer = CellTokenizer(tokenizer_file=path, chat_template=CELL_TEMPLATE, **special)
    tokenizer.add_special_tokens({"additional_special_tokens": ["<|task|>", "<|code|>"]})
    tokenizer.response_template = {"description": "the whole message is code"}  # TRL asks whether there is one.
    return tokenizer


def cut_text(text, characters, lines):
    """Cuts an observation to the limits of Bowline's scaffold."""
    return "\n".join(text.split("\n")[:lines])[:characters]


def op_environment(directory, tokenizer, url, tasks, iterations, sizes, learningRate, microbatch, limits):
    """Trains through TRL's environment factory in the world that Bowline serves at `url`."""
    model = AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32)
    turns = Turns(sizes["rollouts"] // sizes["minibatch"] * sizes["epochs"])

    class World:
        def __init__(self):
            self.env = GenericEnvClient(base_url=url).sync()
            self.reward = 0.0

        def reset(self, index, **row):
            self.reward = 0.0
            return self.env.reset(split="train", index=index).observation["instruction"]

        def run_code(self, code: str) -> str:
            """Runs a cell of JavaScript.

            Args:
                code: the code
            """
            result = self.env.step({"code": code})
            self.reward = result.reward or 0.0
            return cut_text(result.observation["text"], limits["observationCharacters"], limits["observationLines"])

        def get_reward(self):
            return self.reward

    rows = [{"prompt": [{"role": "user", "content": ""}], "index": index} for index in range(tasks)]
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=[],
        args=grpo_config(
            iterations,
            sizes,
            learningRate,
            microbatch,
            limits["rowTokens"] - limits["promptTokens"],
            max_tool_calling_iterations=limits["turns"] - 1,
            generation_kwargs={"max_new_tokens": limits["turnTokens"]},
        ),
        train_dataset=Dataset.from_list(rows),
        processing_class=cell_tokenizer(tokenizer),
        environment_factory=World,
        callbacks=[turns],
    )
    generate = trainer._generate

    def counted(prompts):
        result = generate(prompts)
        turns.sampled += sum(map(sum, result[2]))
        turns.tokens += sum(map(len, result[0])) + sum(map(len, result[1]))
        return result

    trainer._generate = counted
    trainer.train()
    turns.report()
    return turns.last


serve({name[3:]: run for name, run in list(globals().items()) if name.startswith("op_")})
