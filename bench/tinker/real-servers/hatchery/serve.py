"""Starts hatchery's local server so that it trains on a CPU: its own launcher answers by a script where it has no GPU.

    python serve.py /absolute/path/of/tiny-model 8420      # the API key is `dev`
"""

import os
import sys

os.environ["HATCHERY_DEV_BASE_MODEL"], os.environ["HATCHERY_DEV_PORT"] = sys.argv[1:3]
os.environ["HATCHERY_DEV_DEVICE"] = "cpu:0"

import torch  # noqa: E402

torch.set_num_threads(1)
import hatchery.core.local_dev as launcher  # noqa: E402

launcher._has_gpu = lambda: True
launcher.main()
