"""Keeps an environment of verifiers 0.4 loaded, and plays one episode for each POST to /run.

    PYTHONPATH=. python serve.py last_word --harness last_word --port 8601

Bowline posts the task, and a base URL and a key of its own for each episode. `{"reward": 1.0}` is the answer. An
episode that failed is answered with 500, because it has no reward.
"""

import argparse
import asyncio
import json

import verifiers.v1 as vf
from aiohttp import ClientSession, ClientTimeout, web
from verifiers.v1.configs.cli.eval import EvalConfig
from verifiers.v1.env import RunSlot
from verifiers.v1.utils.loaders import load_environment


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("taskset")
    parser.add_argument("--harness", default="null")
    parser.add_argument("--runtime", default="subprocess")
    parser.add_argument("--port", type=int, default=8601)
    return parser.parse_args()


class Episodes:
    """The episodes that are being played, by the name of the model that their harness asks for.

    verifiers makes a client for each base URL and key, and keeps it. So there is one base URL here, `/v1`, which passes
    each call on to the address and the key of its episode.
    """

    def __init__(self, env, tasks, port):
        self.env, self.tasks, self.bodies = env, tasks, {}
        self.client = vf.EvalClientConfig(
            base_url=f"http://127.0.0.1:{port}/v1", api_key_var="BOWLINE_UNUSED"
        )

    async def play(self, request):
        body = await request.json()
        name = f"openai/{body['episode']}"
        self.bodies[name] = body
        try:
            slot = RunSlot(self.tasks[body["task"]["idx"]])
            episode = await self.env.run_slot(slot, vf.ModelContext(name, self.client))
        finally:
            del self.bodies[name]
        if not episode.ok:
            errors = [*episode.errors, *(e for trace in episode.traces for e in trace.errors)]
            return web.json_response({"error": [e.message for e in errors[-1:]]}, status=500)
        return web.json_response({"reward": sum(trace.reward for trace in episode.traces)})

    async def pass_on(self, request):
        data = await request.read()
        body = self.bodies[json.loads(data)["model"]]
        url = body["openaiBaseURL"] + request.path.removeprefix("/v1")
        headers = {"authorization": f"Bearer {body['apiKey']}", "content-type": "application/json"}
        async with self.session.post(url, data=data, headers=headers) as answer:
            return web.Response(
                status=answer.status, body=await answer.read(), content_type=answer.content_type
            )


async def main():
    options = parse_arguments()
    agent = {"harness": {"id": options.harness}, "runtime": {"type": options.runtime}}
    config = EvalConfig.model_validate(
        {"env": {"taskset": {"id": options.taskset}, "agent": agent}, "push": False}
    )
    env = load_environment(config.env)
    tasks = {task.data.idx: task for task in env.taskset}
    episodes = Episodes(env, tasks, options.port)
    app = web.Application(client_max_size=2**24)
    app.router.add_post("/run", episodes.play)
    app.router.add_post("/v1/{action:.*}", episodes.pass_on)
    timeout = ClientTimeout(total=None)
    async with env.serving(), ClientSession(timeout=timeout) as episodes.session:
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", options.port).start()
        print(f"serving {options.taskset} on http://127.0.0.1:{options.port}/run", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
