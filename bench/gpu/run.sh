#!/usr/bin/env bash
# Measures the embedded engine on a GPU in less than ten minutes: the comparison with the CPU, training and decoding at
# three shapes, and one iteration of LOOP, beside PyTorch, PEFT and `generate` where they are installed.
#
#     bash bench/gpu/run.sh                          in a clone, after npm run build
#     bash bench/gpu/run.sh pack.tar.xz              unpacks what pack.sh packed, and runs that
#     SIZE=tiny bash bench/gpu/run.sh                a rehearsal with the smallest shape, as under a software adapter
#     MODEL=models/SmolLM2-135M bash bench/gpu/run.sh    the iteration is one of `laptop` on this model
#
# Each step has a limit in seconds (LIMIT replaces all of them), and all steps together have BUDGET seconds (default
# 570). Steps come in the order of their worth. Each appends a line to $OUT/results.jsonl when it ends, also when it is
# stopped or fails, and then the next one runs. A step that was stopped leaves what it had measured in its log.
set -uo pipefail
OUT=${OUT:-$(mktemp -d)}
BUDGET=${BUDGET:-570}
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
SECONDS=0
if [ $# -ge 1 ]; then
  home=$(mktemp -d)
  trap 'rm -rf "$home"' EXIT
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

# step NAME LIMIT COMMAND...
step() {
  local name=$1 limit=${LIMIT:-$2} left=$((BUDGET - SECONDS)) start=$SECONDS code=0
  shift 2
  if [ "$left" -lt "$limit" ]; then limit=$left; fi
  if [ "$limit" -lt 5 ]; then
    echo "$name: left out, because the $BUDGET seconds are over"
    return
  fi
  timeout -k 5 "$limit" "$@" > "$OUT/$name.json" 2> "$OUT/$name.log" || code=$?
  "$node" bench/gpu/record-step.mjs "$OUT" "$name" $((SECONDS - start)) "$code"
}
cli="$node dist/cli/main.js"
gpu="--json --engine.provider webgpu"
# The comparison is with two cores, however many there are.
two_cores=""
if command -v taskset > /dev/null; then two_cores="taskset -c 0,1"; fi
has_peers=false
if python3 -c "import torch, peft, transformers" 2> /dev/null; then has_peers=true; fi
peer() {
  if $has_peers; then step "peer-$1" "$2" python3 bench/gpu/peer.py "$1"; fi
}

nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv > "$OUT/nvidia-smi.csv" 2> /dev/null
$has_peers || echo "peer: PyTorch, PEFT and transformers are not installed"
step doctor 60 $cli doctor --gpu --json
if [ "${SIZE:-}" = tiny ]; then
  step engine-tiny-f32-webgpu 60 $cli bench engine --shape 128x4 --quick $gpu
  step engine-tiny-q4-webgpu 60 $cli bench engine --shape 128x4 --quick $gpu --engine.base q4
  step engine-tiny-cpu 60 $two_cores $cli bench engine --shape 128x4 --quick --json
  smaller="--algo.tasks-per-iteration 2"
  peer tiny 60
else
  step engine-smollm2-135m-f32-webgpu 90 $cli bench engine --shape smollm2-135m $gpu
  step engine-smollm2-135m-cpu 75 $two_cores $cli bench engine --shape smollm2-135m --quick --json
  peer smollm2-135m 40
fi
if [ -n "${MODEL:-}" ]; then
  step laptop 75 $cli train laptop --engine.model "$MODEL" $gpu --engine.base q4 \
    --warm.demonstrations 0 --algo.iterations 1 --scenarios 1 --out "$OUT/laptop"
else
  step smoke 60 $cli train smoke $gpu --warm.demonstrations 64 --warm.epochs 1 --algo.iterations 1 --scenarios 1 \
    ${smaller:-} --out "$OUT/smoke"
fi
if [ "${SIZE:-}" != tiny ]; then
  step engine-smollm2-135m-q4-webgpu 75 $cli bench engine --shape smollm2-135m $gpu --engine.base q4
  for shape in qwen3-0.6b qwen3-1.7b; do
    step "engine-$shape-q4-webgpu" 60 $cli bench engine --shape "$shape" --quick $gpu --engine.base q4
    step "engine-$shape-f32-webgpu" 60 $cli bench engine --shape "$shape" --quick $gpu
    peer "$shape" 40
  done
fi
echo "results are in $OUT (results.jsonl has a line for each step), after $SECONDS s"
