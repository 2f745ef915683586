"""Trains a model in a Bowline world by TRL.

    npx bowline serve --openenv everyday/starter --port 8129
    pip install openenv trl datasets jmespath
    python train_with_trl.py Qwen/Qwen3-0.6B
"""
import sys

from datasets import Dataset
from openenv.core.generic_client import GenericEnvClient
from trl import GRPOConfig, GRPOTrainer


class Box:
    def __init__(self):
        self.env = GenericEnvClient(base_url="http://127.0.0.1:8129").sync()
        self.reward = 0.0

    def reset(self, index: int, **row) -> str:
        self.reward = 0.0
        return self.env.reset(split="train", index=index).observation["instruction"]

    def run_code(self, code: str) -> str:
        """Run a cell of JavaScript. apis.<app>.<api>({...}) calls an API, print(value) shows a value.

        Args:
            code: the code
        """
        result = self.env.step({"code": code})
        self.reward = result.reward
        return result.observation["text"]

    def get_reward(self) -> float:
        return self.reward


if __name__ == "__main__":
    prompt = [{"role": "user", "content": "Use apis, then apis.me.finishTask({ answer? }). Task: "}]
    rows = Dataset.from_list([{"prompt": prompt, "index": index} for index in range(30)])
    trainer = GRPOTrainer(
        model=sys.argv[1],
        args=GRPOConfig(output_dir="out", num_generations=8, max_completion_length=1024),
        train_dataset=rows,
        environment_factory=Box,
    )
    trainer.train()
