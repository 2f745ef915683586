"""Serves PyTorch and transformers: reads a JSON request on each line of stdin and writes a JSON answer on a line of stdout.

Operations are written as a careful user of these libraries would: float32 on the CPU, the libraries' fast attention (sdpa),
KV caches, and no unneeded gradients. Times are measured here, so that they do not include the pipe. The caller has the
environments of rollouts: a line with "ask" instead of "answer" is a question to it.
"""
import sys

from protocol import THREADS, ask, milliseconds, serve  # Before torch, because it sets threads.

import torch  # noqa: E402
import transformers  # noqa: E402
from transformers import AutoModelForCausalLM, DynamicCache, GenerationConfig  # noqa: E402
from transformers import StoppingCriteria, StoppingCriteriaList  # noqa: E402

torch.set_num_threads(THREADS)
transformers.utils.logging.set_verbosity_error()

model = None
optimizer = None
prompts_cache = None
PAD = 0


def op_hello():
    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    try:
        import trl

        versions["trl"] = trl.__version__
    except ImportError:
        pass
    return {"versions": versions, "threads": torch.get_num_threads(), "python": sys.version.split()[0]}


def op_load(directory):
    global model, optimizer
    model = AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32)
    model.eval()
    optimizer = None
    return {"parameters": sum(p.numel() for p in model.parameters())}


def op_product(size):
    """Measures the fastest of eight products (size, size) @ (size, size), in GFLOP/s."""
    a = torch.rand(size, size)
    best = min(milliseconds(lambda: a @ a)[1] for _ in range(8))
    return {"gflops": 2 * size**3 / best / 1e6}


def row_logprobs(tokens):
    """Returns log p of every token but the first, of shape (rows, length - 1)."""
    logits = model(input_ids=tokens[:, :-1], use_cache=False).logits
    return torch.gather(torch.log_softmax(logits, -1), 2, tokens[:, 1:, None])[..., 0]


def op_evaluate(rows):
    with torch.no_grad():
        return {"logprobs": row_logprobs(torch.tensor(rows)).tolist()}


def op_train(rows, cotangent, microbatch, step):
    """Runs forward and backward of sum(cotangent * log-prob) over rows of one length, and a clipped AdamW step if `step`."""
    global optimizer
    tokens = torch.tensor(rows)
    model.train()
    if optimizer is None:
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-6, fused=True)

    def gradients():
        for part in tokens.split(microbatch):
            (row_logprobs(part).sum() * cotangent).backward()

    def update():
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)

    _, gradient_ms = milliseconds(gradients)
    _, update_ms = milliseconds(update) if step else (None, 0.0)
    if not step:
        optimizer.zero_grad(set_to_none=False)
    model.eval()
    return {"gradientMs": gradient_ms, "updateMs": update_ms}


def op_adapt(rank, alpha):
    """Adds LoRA to every projection but the head. From then on only LoRA is trained."""
    global model, optimizer
    import peft

    chosen = peft.LoraConfig(r=rank, lora_alpha=alpha, target_modules="all-linear", task_type="CAUSAL_LM")
    model = peft.get_peft_model(model, chosen)
    optimizer = None
    trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
    return {"trained": trained, "version": peft.__version__}


def asked_logprobs(rows, asked):
    """Returns log-probs of the tokens at the positions `asked`, row by row. The head runs only there.

    Rows are padded on the right, which causal attention does not see.
    """
    causal = model.get_base_model() if hasattr(model, "get_base_model") else model
    width = max(map(len, rows))
    tokens = torch.tensor([row + [PAD] * (width - len(row)) for row in rows])
    row = torch.tensor([i for i, at in enumerate(asked) for _ in at])
    place = torch.tensor([t for at in asked for t in at])
    hidden = causal.model(input_ids=tokens[:, :-1], use_cache=False).last_hidden_state
    logits = causal.lm_head(hidden[row, place - 1])
    return torch.log_softmax(logits, -1).gather(1, tokens[row, place][:, None])[:, 0]


def op_asked(rows, asked):
    with torch.no_grad():
        return {"logprobs": asked_logprobs(rows, asked).tolist()}


def op_adapter_step(rows, asked, cotangent, microbatch):
    """Runs forward and backward of sum(cotangent * log-prob) at the positions `asked`, and a clipped AdamW step of the adapter."""
    global optimizer
    trained = [p for p in model.parameters() if p.requires_grad]
    if optimizer is None:
        optimizer = torch.optim.AdamW(trained, lr=1e-6, fused=True)

    def run():
        for start in range(0, len(rows), microbatch):
            part = slice(start, start + microbatch)
            (asked_logprobs(rows[part], asked[part]).sum() * cotangent).backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)

    return {"ms": milliseconds(run)[1]}


def generated(tokens, cache, max_new_tokens, greedy):
    """Runs `generate` behind prompts. The cache has all of their tokens but the last."""
    with torch.no_grad():
        result, ms = milliseconds(
            lambda: model.generate(
                tokens,
                attention_mask=torch.ones_like(tokens),
                past_key_values=cache,
                generation_config=sampling(max_new_tokens, greedy),
            )
        )
    return {"ms": ms, "tokens": result[:, tokens.shape[1] :].tolist()}


def op_prefill(prompts):
    """Keeps the keys and values of all but the last token of each prompt; all have one length."""
    global prompts_cache
    tokens = torch.tensor(prompts)
    with torch.no_grad():
        cache = DynamicCache(config=model.config)
        model(input_ids=tokens[:, :-1], past_key_values=cache, use_cache=True, logits_to_keep=1)
    prompts_cache = (tokens, cache)
    return {}


def op_continue(maxTokens, greedy):
    """Runs `generate` behind the prompts of `prefill`, and restores their cache afterwards."""
    tokens, cache = prompts_cache
    answer = generated(tokens, cache, maxTokens, greedy)
    cache.crop(tokens.shape[1] - 1 - cache.get_seq_length())
    return answer


def sampling(max_new_tokens, greedy):
    """Returns options of `generate`: greedy or temperature 1, without top-k, top-p and stop tokens."""
    chosen = {"do_sample": False} if greedy else {"do_sample": True, "temperature": 1.0, "top_k": 0, "top_p": 1.0}
    return GenerationConfig(max_new_tokens=max_new_tokens, pad_token_id=PAD, eos_token_id=None, **chosen)


def op_generate(prompt, rows, maxTokens, greedy):
    """Runs `generate` for `rows` rows that share a prompt, whose keys and values are computed once and not timed."""
    tokens = torch.tensor([prompt])
    with torch.no_grad():
        cache = model(input_ids=tokens[:, :-1], past_key_values=DynamicCache(config=model.config), use_cache=True).past_key_values
        cache.batch_repeat_interleave(rows)
        tokens = tokens.repeat(rows, 1)
    return generated(tokens, cache, maxTokens, greedy)


class PerRow(StoppingCriteria):
    """Ends each row at its own length."""

    def __init__(self, start, lengths):
        self.start, self.lengths = start, torch.tensor(lengths)

    def __call__(self, input_ids, scores, **kwargs):
        return input_ids.shape[1] - self.start >= self.lengths


def op_rollouts(episodes, batch, keepCache):
    """Plays all episodes, `batch` at a time. The caller answers with observations and the length of the next turn."""
    play = play_cached if keepCache else play_again

    def run():
        for start in range(0, len(episodes), batch):
            play(list(range(start, min(start + batch, len(episodes)))), episodes)

    with torch.no_grad():
        _, ms = milliseconds(run)
    return {"ms": ms}


def play_again(live, episodes):
    """Plays episodes as trainers for language models do: each turn is a `generate` over the whole text so far."""
    rows = {i: list(episodes[i]["prompt"]) for i in live}
    lengths = {i: episodes[i]["turnTokens"] for i in live}
    while live:
        width = max(len(rows[i]) for i in live)
        tokens = torch.tensor([[PAD] * (width - len(rows[i])) + rows[i] for i in live])
        mask = torch.tensor([[0] * (width - len(rows[i])) + [1] * len(rows[i]) for i in live])
        wanted = [lengths[i] for i in live]
        result = model.generate(
            tokens,
            attention_mask=mask,
            generation_config=sampling(max(wanted), False),
            stopping_criteria=StoppingCriteriaList([PerRow(width, wanted)]),
        )
        said = [row[width : width + n] for row, n in zip(result.tolist(), wanted)]
        replies = ask({"episodes": live, "said": said})["replies"]
        for i, tokens_said, reply in zip(live, said, replies):
            rows[i] += tokens_said + reply["heard"]
            lengths[i] = reply["turnTokens"]
        live = [i for i, reply in zip(live, replies) if not reply["finished"]]


def play_cached(live, episodes):
    """Plays episodes with the KV cache kept between turns. Observations are padded on the left, and the padding is masked."""
    cache = DynamicCache(config=model.config)
    mask = torch.zeros(len(live), 0, dtype=torch.long)
    position = torch.zeros(len(live), dtype=torch.long)
    heard = [list(episodes[i]["prompt"]) for i in live]
    wanted = torch.tensor([episodes[i]["turnTokens"] for i in live])
    while live:
        width = max(map(len, heard))
        fresh = torch.tensor([[0] * (width - len(h)) + [1] * len(h) for h in heard])
        tokens = torch.tensor([[PAD] * (width - len(h)) + h for h in heard])
        said = [[] for _ in live]
        count = 0
        while True:
            mask = torch.cat([mask, fresh], 1)
            positions = (position[:, None] + fresh.cumsum(1) - 1).clamp(min=0)
            logits = model(
                input_ids=tokens,
                attention_mask=mask,
                position_ids=positions,
                past_key_values=cache,
                logits_to_keep=1,
            ).logits[:, -1]
            position = position + fresh.sum(1)
            talking = count < wanted
            if not bool(talking.any()):
                break
            drawn = torch.multinomial(torch.softmax(logits, -1), 1)
            count += 1
            for row, (token, talks) in enumerate(zip(drawn[:, 0].tolist(), talking.tolist())):
                if talks:
                    said[row].append(token)
            tokens, fresh = drawn, talking.long()[:, None]
        replies = ask({"episodes": live, "said": said})["replies"]
        kept = [row for row, reply in enumerate(replies) if not reply["finished"]]
        live = [live[row] for row in kept]
        heard = [replies[row]["heard"] for row in kept]
        wanted = torch.tensor([replies[row]["turnTokens"] for row in kept])
        if live and len(kept) < len(replies):
            index = torch.tensor(kept)
            cache.batch_select_indices(index)
            mask, position = mask[index], position[index]


serve({name[3:]: run for name, run in list(globals().items()) if name.startswith("op_")})
