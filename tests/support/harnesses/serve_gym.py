"""Starts the three servers of a NeMo Gym in one process: tools, agent and model, without Ray and environments of their own.

    python serve_gym.py MODEL_PORT    prints the agent's address
"""

import asyncio
import json
import os
import socket
import sys

import uvicorn


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def place():
    return {"entrypoint": "app.py", "host": "127.0.0.1", "port": free_port()}


TOOLS, AGENT, MODEL = "example_single_tool_call", "agent", "policy_model"
CONFIG = {
    "head_server": {"host": "127.0.0.1", "port": free_port()},
    TOOLS: {"resources_servers": {TOOLS: {**place(), "domain": "agent"}}},
    AGENT: {
        "responses_api_agents": {
            "simple_agent": {
                **place(),
                "resources_server": {"type": "resources_servers", "name": TOOLS},
                "model_server": {"type": "responses_api_models", "name": MODEL},
            }
        }
    },
    MODEL: {
        "responses_api_models": {
            "openai_model": {
                **place(),
                "openai_base_url": f"http://127.0.0.1:{sys.argv[1]}/v1",
                "openai_api_key": "any",
                "openai_model": "any",
            }
        }
    },
}
os.environ["NEMO_GYM_CONFIG_DICT"] = json.dumps(CONFIG)

from nemo_gym.server_utils import ServerClient, get_global_config_dict  # noqa: E402
from resources_servers.example_single_tool_call.app import SimpleWeatherResourcesServer  # noqa: E402
from responses_api_agents.simple_agent.app import SimpleAgent  # noqa: E402
from responses_api_models.openai_model.app import SimpleModelServer  # noqa: E402

SERVERS = {TOOLS: SimpleWeatherResourcesServer, AGENT: SimpleAgent, MODEL: SimpleModelServer}


def create_server(name, server_class):
    os.environ["NEMO_GYM_CONFIG_PATH"] = name
    config = server_class.load_config_from_global_config()
    client = ServerClient(
        head_server_config=ServerClient.load_head_server_config(),
        global_config_dict=get_global_config_dict(),
    )
    app = server_class(config=config, server_client=client).setup_webserver()
    options = {"host": config.host, "port": config.port, "log_level": "warning"}
    return config, uvicorn.Server(uvicorn.Config(app, **options))


async def main():
    made = {name: create_server(name, server_class) for name, server_class in SERVERS.items()}
    tasks = [asyncio.create_task(server.serve()) for _, server in made.values()]
    while not all(server.started for _, server in made.values()):
        await asyncio.sleep(0.05)
    print(f"http://127.0.0.1:{made[AGENT][0].port}", flush=True)
    await asyncio.gather(*tasks)


asyncio.run(main())
