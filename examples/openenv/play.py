"""Plays one episode of a Bowline world by OpenEnv's own client.

    npx bowline serve --openenv everyday/starter --port 8129
    pip install openenv
    python play.py
"""
from openenv.core.generic_client import GenericEnvClient

with GenericEnvClient(base_url="http://127.0.0.1:8129").sync() as env:
    result = env.reset(split="train", index=0)
    print(result.observation["instruction"])
    result = env.step({"code": "print(apis.docs.listApps({}))"})
    print(result.observation["text"])
    result = env.step({"code": "apis.me.finishTask({})"})
    print(result.done, result.reward)
