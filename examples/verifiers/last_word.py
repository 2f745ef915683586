"""A small environment for verifiers 0.4: the policy must repeat the last of three words.

The taskset and the harness of a verifiers environment are two classes that one module exports. This harness asks the
model once, in the process of the environment. Most environments use a harness of verifiers, such as `bash` or `codex`.
"""

import random

import httpx
import verifiers.v1 as vf

WORDS = ["red", "blue", "green", "black", "white", "brown", "pink", "gold", "gray", "violet"]


class LastWordData(vf.TaskData):
    answer: str


class LastWordTask(vf.Task[LastWordData]):
    @vf.reward(weight=1.0)
    async def is_last_word(self, trace: vf.Trace) -> float:
        return 1.0 if trace.last_reply == self.data.answer else 0.0


class LastWordConfig(vf.TasksetConfig):
    num_tasks: int = 200


class LastWordTaskset(vf.Taskset[LastWordTask, LastWordConfig]):
    def load(self) -> list[LastWordTask]:
        rng = random.Random(42)
        every = [[a, b, c] for a in WORDS for b in WORDS for c in WORDS if len({a, b, c}) == 3]
        rows = rng.sample(every, self.config.num_tasks)
        return [
            LastWordTask(LastWordData(prompt=" ".join(row), answer=row[-1]), self.config.task)
            for row in rows
        ]


class OneCallConfig(vf.HarnessConfig):
    pass


class OneCallHarness(vf.Harness[OneCallConfig]):
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data):
        body = {"model": ctx.model, "messages": [{"role": "user", "content": data.prompt}]}
        headers = {"authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(timeout=None) as client:
            url = f"{endpoint.rstrip('/')}/chat/completions"
            answer = await client.post(url, json=body, headers=headers)
        failed = 0 if answer.is_success else 1
        return vf.ProgramResult(exit_code=failed, stdout="", stderr=answer.text if failed else "")


__all__ = ["LastWordTaskset", "OneCallHarness"]
