#!/usr/bin/env bash
# Measures the embedded engine on a GPU in about ten minutes: the gate, training and decoding at three shapes, and one
# iteration of LOOP, beside PyTorch, PEFT and `generate` where they are installed. Results are JSON files in $OUT.
#
#     bash bench/gpu/run.sh                          in a clone, after npm run build
#     bash bench/gpu/run.sh pack.tar.xz              unpacks what pack.sh packed, and runs that
#     SIZE=tiny bash bench/gpu/run.sh                a rehearsal, such as under a software adapter
#     MODEL=models/SmolLM2-135M bash bench/gpu/run.sh    also runs one iteration of `laptop` on this model
#
# Each step has a limit of its own ($LIMIT seconds, default 120). A step that fails is reported, and the next one runs.
set -uo pipefail
OUT=${OUT:-$(mktemp -d)}
LIMIT=${LIMIT:-120}
mkdir -p "$OUT"
if [ $# -ge 1 ]; then
  home=$(mktemp -d)
  tar -xJf "$1" -C "$home" || exit 1
  cd "$home/bowline" || exit 1
  node=$home/node
  if ! ldconfig -p 2>/dev/null | grep -q libvulkan.so.1; then
    export LD_LIBRARY_PATH="$home/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  fi
else
  cd "$(dirname "$0")/../.." || exit 1
  node=node
fi
# Drivers of containers lie where no loader looks.
for driver in /usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json /etc/vulkan/icd.d/nvidia_icd.json; do
  if [ -z "${VK_DRIVER_FILES:-}" ] && [ -e "$driver" ]; then export VK_DRIVER_FILES=$driver VK_ICD_FILENAMES=$driver; fi
done
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp} BOWLINE_CACHE=${BOWLINE_CACHE:-$OUT/cache}

step() {
  local name=$1
  shift
  local start=$SECONDS
  if timeout "$LIMIT" "$@" > "$OUT/$name.json" 2> "$OUT/$name.log"; then
    echo "$name: $((SECONDS - start)) s"
  else
    echo "$name: failed after $((SECONDS - start)) s: $(tail -1 "$OUT/$name.log")"
  fi
}
cli="$node dist/cli/main.js"

nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv > "$OUT/nvidia-smi.csv" 2>/dev/null
step doctor $cli doctor --gpu --json
if [ "${SIZE:-}" = tiny ]; then
  step engine-webgpu $cli bench engine --quick --json --engine.provider webgpu
  step engine-cpu $cli bench engine --quick --json
else
  for shape in smollm2-135m qwen3-0.6b qwen3-1.7b; do
    for base in f32 q4; do
      step "engine-$shape-$base-webgpu" $cli bench engine --shape "$shape" --json --engine.provider webgpu --engine.base "$base"
    done
  done
  step engine-smollm2-135m-cpu $cli bench engine --shape smollm2-135m --json
fi
if [ -n "${MODEL:-}" ]; then
  step laptop $cli train laptop --engine.model "$MODEL" --engine.provider webgpu --engine.base q4 --json \
    --warm.demonstrations 0 --algo.iterations 1 --scenarios 1 --out "$OUT/laptop"
else
  step smoke $cli train smoke --engine.provider webgpu --json --warm.demonstrations 64 --algo.iterations 1 \
    --scenarios 1 --out "$OUT/smoke"
fi
if python3 -c "import torch, peft, transformers" 2>/dev/null; then
  for shape in ${SIZE:-smollm2-135m qwen3-0.6b qwen3-1.7b}; do
    step "peer-$shape" python3 bench/gpu/peer.py "$shape"
  done
else
  echo "peer: PyTorch, PEFT and transformers are not installed"
fi
echo "results are in $OUT"
