#!/bin/sh
# Serves a tiny model with SkyRL's JAX backend on 127.0.0.1:8000. Stop it with Ctrl-C or `kill`.
#
#     sh serve.sh ../tiny-model [scratch folder]
#
# UV_FLAGS adds options of `uv run`, such as --no-sync when the environment is installed already.
set -eu
cd "$(dirname "$0")"
model=$(cd "$1" && pwd)
state=${2:-$(mktemp -d)}
mkdir -p "$state"
state=$(cd "$state" && pwd)
# The server uses two threads on any machine, and downloads nothing.
export XLA_FLAGS="--xla_cpu_multi_thread_eigen=false" OMP_NUM_THREADS=2 JAX_PLATFORMS=cpu HF_HUB_OFFLINE=1
# SkyRL starts its engine with the options between `uv run` and `-m`, so they must be there.
exec uv run ${UV_FLAGS:-} --extra tinker --extra jax -m skyrl.tinker.api \
  --base-model "$model" --backend jax \
  --backend-config '{"max_lora_adapters": 8, "max_lora_rank": 16}' \
  --database-url "sqlite:///$state/tinker.db" --checkpoints-base "$state/checkpoints" \
  --host 127.0.0.1 --port 8000
