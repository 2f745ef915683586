"""OpenEnv's own client plays episodes of a world on several sockets, and prints what it measured.

    node dist/cli/main.js serve --openenv toy --port 8127 &
    pip install openenv
    python tests/golden/openenv/play_episodes.py http://127.0.0.1:8127 200
"""
import json
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from openenv.cli._validation import validate_running_environment
from openenv.core.generic_client import GenericEnvClient

url, count = sys.argv[1], int(sys.argv[2])
SOCKETS = 4


def play(first):
    resets, steps, rewards = [], [], []
    with GenericEnvClient(base_url=url).sync() as env:
        for index in range(first, count, SOCKETS):
            start = time.perf_counter()
            result = env.reset(seed=index)
            resets.append(time.perf_counter() - start)
            assert result.reward is None and not result.done and result.observation["instruction"]
            for code in ("let n = 1", "print(n + 1, apis.docs.listApps({}))", "apis.me.finishTask({})"):
                start = time.perf_counter()
                result = env.step({"code": code})
                steps.append(time.perf_counter() - start)
            assert result.done and 0 <= result.reward <= 1, result
            assert env.state()["step_count"] == 3
            rewards.append(result.reward)
    return resets, steps, rewards


validation = validate_running_environment(url)["summary"]
start = time.perf_counter()
with ThreadPoolExecutor(SOCKETS) as pool:
    played = list(pool.map(play, range(SOCKETS)))
seconds = time.perf_counter() - start
resets, steps, rewards = ([value for part in played for value in part[i]] for i in range(3))
print(json.dumps({
    "episodes": len(rewards),
    "seconds": round(seconds, 1),
    "resetMs": round(1000 * statistics.median(resets), 2),
    "stepMs": round(1000 * statistics.median(steps), 2),
    "meanReward": round(statistics.mean(rewards), 3),
    "validator": f"{validation['passed_count']} of {validation['total_count']}",
}))
