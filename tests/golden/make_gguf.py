"""Blocks of every type that we read from GGUF files, with what the `gguf` package makes of them; and what it quantises.

Writes beside this script: gguf-blocks.json. A row is one tensor of two rows: its bytes in base64, its numbers as float32
bytes in base64. Bits are random, but scales are moderate halves, as in a file.

    pip install gguf && python tests/golden/make_gguf.py
"""

import base64
import json
import pathlib

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, dequantize, quantize

HERE = pathlib.Path(__file__).parent
TYPES = ["F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q4_K", "Q5_K", "Q6_K"]
# Where a block has its halves: scale, and least value or scale of leasts.
HALVES = {
    "Q8_0": [0], "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2],
    "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208],
}
rng = np.random.default_rng(14)


def text(array: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def packed(name: str) -> np.ndarray:
    """Two rows of 512 numbers, or of 64 where blocks are short."""
    block, size = GGML_QUANT_SIZES[GGMLQuantizationType[name]]
    if block == 1:
        values = rng.normal(size=(2, 64)).astype(np.float32)
        values[0, :4] = [0, -0.0, 1e-7, -60000]
        return quantize(values, GGMLQuantizationType[name])
    blocks = 2 * (512 if block == 256 else 64) // block
    rows = rng.integers(0, 256, size=(blocks, size), dtype=np.uint8)
    for at in HALVES[name]:
        rows[:, at : at + 2] = rng.normal(size=(blocks, 1)).astype(np.float16).view(np.uint8)
    return rows.reshape(2, -1)


def main() -> None:
    read = {}
    for name in TYPES:
        data = packed(name)
        read[name] = dict(bytes=text(data), values=text(dequantize(data, GGMLQuantizationType[name]).astype(np.float32)))
    values = np.concatenate(
        [
            rng.normal(size=96).astype(np.float32),
            np.zeros(32, np.float32),
            np.array([1, -1, 0.5, -0.5] * 8, np.float32) / 254,
            (rng.normal(size=64) * 1e-6).astype(np.float32),
            (rng.normal(size=64) * 3e4).astype(np.float32).clip(-65000, 65000),
        ]
    ).reshape(1, -1)
    written = {name: text(quantize(values, GGMLQuantizationType[name])) for name in ["F16", "Q8_0"]}
    out = dict(read=read, write=dict(values=text(values), **written))
    (HERE / "gguf-blocks.json").write_text(json.dumps(out, indent=1) + "\n")


main()
