#!/usr/bin/env bash
# Packs what bench/gpu/run.sh needs on a machine that has a GPU and nothing else: the built package, Node, ONNX Runtime,
# the few packages that the command line loads, and a Vulkan loader. Run it in a clone after `npm ci && npm run build`.
#
#     bash bench/gpu/pack.sh [archive]        default: bench/gpu/pack.tar.xz (about 40 MB); LEVEL=0 packs fast and large
set -euo pipefail
cd "$(dirname "$0")/../.."
archive=${1:-bench/gpu/pack.tar.xz}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
app=$stage/bowline
mkdir -p "$app/node_modules" "$app/worlds/everyday" "$stage/lib" "$app/bench/gpu"
cp package.json "$app/"
cp -r dist wasm "$app/"
cp -r worlds/everyday/dist "$app/worlds/everyday/"
cp bench/gpu/run.sh bench/gpu/record-step.mjs bench/gpu/peer.py "$app/bench/gpu/"
find "$app/dist" \( -name '*.map' -o -name '*.d.ts' -o -name '.tsbuildinfo' \) -delete
# The packages that the command line loads, and those that they load.
node -e '
  const { existsSync, readFileSync } = require("node:fs");
  const seen = new Set();
  const visit = (name) => {
    const path = `node_modules/${name}/package.json`;
    if (seen.has(name) || !existsSync(path)) return;
    seen.add(name);
    for (const other of Object.keys(JSON.parse(readFileSync(path)).dependencies ?? {})) visit(other);
  };
  for (const name of Object.keys(JSON.parse(readFileSync("package.json")).dependencies)) if (name !== "tsx") visit(name);
  visit("onnxruntime-common");
  console.log([...seen].join("\n"));
' | while read -r name; do
  mkdir -p "$app/node_modules/$(dirname "$name")"
  cp -rL "node_modules/$name" "$app/node_modules/$name"
done
runtime=node_modules/onnxruntime-node
mkdir -p "$app/$runtime/bin/napi-v6/linux"
cp -rL "$runtime/package.json" "$runtime/dist" "$app/$runtime/"
cp -rL "$runtime/bin/napi-v6/linux/x64" "$app/$runtime/bin/napi-v6/linux/"
cp "$(command -v node)" "$stage/node"
for loader in /usr/lib/x86_64-linux-gnu/libvulkan.so.1 /usr/lib/chromium/libvulkan.so.1; do
  if [ -e "$loader" ]; then cp -L "$loader" "$stage/lib/libvulkan.so.1"; break; fi
done
tar -C "$stage" -cf - . | xz -T0 "-${LEVEL:-6}" > "$archive"
echo "packed $archive: $(du -h "$archive" | cut -f1)"
