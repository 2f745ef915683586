"""A sandbox without containers and an agent of one call, with which Harbor runs on a machine without Docker.

The sandbox is a temporary folder: the absolute paths of a task, such as /logs and /tests, are paths inside of it.
"""

import asyncio
import os
import re
import shutil
import tempfile
from pathlib import Path

import httpx
from harbor.agents.base import BaseAgent
from harbor.environments.base import BaseEnvironment, ExecResult

ROOTS = re.compile(r"(?<![\w./-])/(logs|tests|solution|app|installed-agent|runtime)\b")


class FolderSandbox(BaseEnvironment):
    @staticmethod
    def type():
        return "folder"

    def _validate_definition(self):
        pass

    def _inside(self, path):
        return Path(f"{self.root}{path}")

    async def start(self, force_build):
        self.root = tempfile.mkdtemp(prefix="bowline-harbor-")
        for name in ("logs/agent", "logs/verifier", "logs/artifacts", "tests", "app"):
            self._inside(f"/{name}").mkdir(parents=True, exist_ok=True)

    async def stop(self, delete):
        shutil.rmtree(self.root, ignore_errors=True)

    async def upload_file(self, source_path, target_path):
        self._inside(target_path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source_path, self._inside(target_path))

    async def upload_dir(self, source_dir, target_dir):
        shutil.copytree(source_dir, self._inside(target_dir), dirs_exist_ok=True)

    async def download_file(self, source_path, target_path):
        shutil.copy(self._inside(source_path), target_path)

    async def download_dir(self, source_dir, target_dir):
        if self._inside(source_dir).exists():
            shutil.copytree(self._inside(source_dir), target_dir, dirs_exist_ok=True)

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None):
        script = ROOTS.sub(lambda found: f"{self.root}/{found[1]}", command)
        process = await asyncio.create_subprocess_exec(
            *["bash", "-c", script],
            cwd=self._inside(cwd or "/app"),
            env={**os.environ, **(env or {}), "SANDBOX": self.root},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
        return ExecResult(stdout=out.decode(), stderr="", return_code=process.returncode)


class OneCallAgent(BaseAgent):
    @staticmethod
    def name():
        return "one-call"

    def version(self):
        return "1"

    async def setup(self, environment):
        pass

    async def run(self, instruction, environment, context):
        url = f"{os.environ['OPENAI_BASE_URL']}/chat/completions"
        headers = {"authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"}
        body = {"model": "m", "messages": [{"role": "user", "content": instruction}]}
        async with httpx.AsyncClient(timeout=None) as client:
            answer = await client.post(url, json=body, headers=headers)
        said = answer.raise_for_status().json()["choices"][0]["message"]["content"]
        await environment.exec(f"printf %s '{said}' > /app/answer.txt")
