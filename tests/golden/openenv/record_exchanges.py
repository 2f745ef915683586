"""Records what OpenEnv's own client sends and what its own server answers, as exchanges.json.

    node dist/cli/main.js serve --openenv toy --port 8127 &
    pip install openenv
    python tests/golden/openenv/record_exchanges.py http://127.0.0.1:8127

`client` holds the frames of OpenEnv's clients with Bowline's answers. `server` holds messages, right and wrong, with
the answers of a small environment that OpenEnv's server runs.
"""
import json
import re
import socket
import sys
import threading
import time
from importlib.metadata import version
from pathlib import Path

import uvicorn
from openenv.core.env_client import EnvClient
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from openenv.core.generic_client import GenericEnvClient
from openenv.core.mcp_client import CallToolAction, ListToolsAction, MCPToolClient
from websockets.sync.client import connect

url = sys.argv[1]
frames = []
send, receive = EnvClient._send, EnvClient._receive


async def recorded_send(self, message):
    frames.append({"sent": message})
    await send(self, message)


async def recorded_receive(self):
    answer = await receive(self)
    frames[-1]["received"] = answer
    return answer


def record_client():
    EnvClient._send, EnvClient._receive = recorded_send, recorded_receive
    try:
        with GenericEnvClient(base_url=url).sync() as env:
            env.reset()
            env.reset(seed=4, episode_id="mine")
            env.reset(split="dev", index=1)
            env.step({"code": "print(apis.shelf.list({ box: 'red' }))"})
            env.step({"type": "call_tool", "tool_name": "shelf_list", "arguments": {"box": "red"}})
            env.state()
            for wrong in ({}, {"code": 1}, {"code": "", "metadata": {"a": 1}}):
                try:
                    env.step(wrong)
                except RuntimeError:
                    pass
            env.step({"code": "apis.me.finishTask({})"})
            try:
                env.step({"code": "1"})
            except RuntimeError:
                pass
        with MCPToolClient(base_url=url).sync() as env:
            env.list_tools()
            env.reset(split="dev", index=1)
            env.step(ListToolsAction())
            env.step(CallToolAction(tool_name="shelf_list", arguments={"box": "red"}))
            env.step(CallToolAction(tool_name="shelf_lift", arguments={}))
    finally:
        EnvClient._send, EnvClient._receive = send, receive


class CodeAction(Action):
    code: str


class CodeObservation(Observation):
    text: str


class Echo(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self._state = State(episode_id=None, step_count=0)

    def reset(self, seed=None, episode_id=None, **kwargs):
        self._state = State(episode_id=episode_id or "e", step_count=0)
        return CodeObservation(text="hello")

    def step(self, action, **kwargs):
        self._state.step_count += 1
        return CodeObservation(text=action.code, reward=0.0, done=False)

    @property
    def state(self):
        return self._state


MESSAGES = [
    "{",
    {"type": "jump"},
    {},
    {"type": "step"},
    {"type": "step", "data": {}},
    {"type": "step", "data": {"code": 1}},
    {"type": "step", "data": {"code": "1", "speed": 1}},
    {"type": "state", "extra": 1},
    {"type": "reset", "data": 3},
    {"type": "reset"},
    {"type": "reset", "data": {"seed": 3}},
    {"type": "step", "data": {"code": "print(1)"}},
    {"type": "step", "data": {"code": "print(1)", "metadata": {"a": 1}}},
    {"type": "state"},
    {"type": "mcp", "data": {}},
    {"type": "mcp", "data": {"jsonrpc": "2.0", "id": 7, "method": "jump"}},
    {"type": "mcp", "data": {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {}}},
]


def record_server():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    app = create_fastapi_app(Echo, CodeAction, CodeObservation, max_concurrent_envs=1)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.1)
    exchanges = []
    with connect(f"ws://127.0.0.1:{port}/ws", proxy=None) as ws:
        for message in MESSAGES:
            text = message if isinstance(message, str) else json.dumps(message)
            ws.send(text)
            exchanges.append({"sent": text, "received": json.loads(ws.recv(timeout=10))})
        with connect(f"ws://127.0.0.1:{port}/ws", proxy=None) as second:
            capacity = json.loads(second.recv(timeout=10))
    server.should_exit = True
    return exchanges, capacity


record_client()
server_exchanges, capacity = record_server()
exchanges = {
    "openenv": version("openenv"),
    "client": [frame for frame in frames if "received" in frame],
    "server": server_exchanges,
    "capacity": capacity,
}
text = json.dumps(exchanges, separators=(",", ":"))
text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID", text)
Path(__file__).with_name("exchanges.json").write_text(text + "\n")
print(f"{len(exchanges['client'])} frames of the client, {len(server_exchanges)} of the server")
