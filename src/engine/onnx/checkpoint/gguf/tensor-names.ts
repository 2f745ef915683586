/**
 * The names that llama.cpp gives the tensors of a decoder, and the order of their rows.
 *
 * In files of architecture `llama` the rows of query and key are reordered within each head: the two rows of a rotary
 * pair, which Hugging Face puts half a head apart (0 with d/2, 1 with d/2 + 1, ...), are adjacent. Files of `qwen2`
 * and `qwen3` have Hugging Face's order.
 */

const MODEL_TENSORS = {
  "token_embd.weight": "model.embed_tokens.weight",
  "output_norm.weight": "model.norm.weight",
  "output.weight": "lm_head.weight",
} as const;

const LAYER_TENSORS = {
  attn_norm: "input_layernorm",
  attn_q: "self_attn.q_proj",
  attn_k: "self_attn.k_proj",
  attn_v: "self_attn.v_proj",
  attn_output: "self_attn.o_proj",
  attn_q_norm: "self_attn.q_norm",
  attn_k_norm: "self_attn.k_norm",
  ffn_norm: "post_attention_layernorm",
  ffn_gate: "mlp.gate_proj",
  ffn_up: "mlp.up_proj",
  ffn_down: "mlp.down_proj",
} as const;

const ggufByHuggingFace = new Map<string, string>(
  Object.entries(MODEL_TENSORS).map(([theirs, hf]) => [hf, theirs]),
);
const huggingFaceByGguf = new Map<string, string>(Object.entries(MODEL_TENSORS));
const layerHuggingFaceByGguf = new Map<string, string>(Object.entries(LAYER_TENSORS));
const layerGgufByHuggingFace = new Map<string, string>(
  Object.entries(LAYER_TENSORS).map(([theirs, hf]) => [hf, theirs]),
);

/** Returns Hugging Face's name of a GGUF tensor. An unknown name is unchanged, so that the error can show it. */
export function toHuggingFaceName(name: string): string {
  const [, layer, part, kind] = /^blk\.(\d+)\.(\w+)\.(weight|bias)$/.exec(name) ?? [];
  const inside = part === undefined ? undefined : layerHuggingFaceByGguf.get(part);
  return inside === undefined
    ? (huggingFaceByGguf.get(name) ?? name)
    : `model.layers.${layer}.${inside}.${kind}`;
}

/** Returns the GGUF name of a decoder's tensor. */
export function toGgufName(name: string): string {
  const [, layer, part, kind] = /^model\.layers\.(\d+)\.(.+)\.(weight|bias)$/.exec(name) ?? [];
  return part === undefined
    ? ggufByHuggingFace.get(name)!
    : `blk.${layer}.${layerGgufByHuggingFace.get(part)!}.${kind}`;
}

/** Returns whether a tensor, by its Hugging Face name, is a weight or bias of a query or key projection. */
export function hasRotaryPairs(name: string): boolean {
  return /\.self_attn\.[qk]_proj\.(weight|bias)$/.test(name);
}

/**
 * Reorders rows of a `llama` file to Hugging Face's order, in place: numbers, or the bytes of packed rows. `width` is
 * that of a row in numbers or bytes, 1 for a bias.
 */
export function separateRotaryPairs(
  values: Float32Array | Uint8Array,
  headSize: number,
  width: number,
): void {
  reorderHeadRows(values, headSize, width, (row) => interleavedRow(row, headSize));
}

/** Reorders rows from Hugging Face's order to that of a `llama` file, in place. */
export function interleaveRotaryPairs(values: Float32Array, headSize: number, width: number): void {
  const order = Array.from({ length: headSize }, (_, row) => interleavedRow(row, headSize));
  reorderHeadRows(values, headSize, width, (row) => order.indexOf(row));
}

/** Returns the index in a `llama` file of the row that Hugging Face has at `row`. */
function interleavedRow(row: number, headSize: number): number {
  const pairs = headSize / 2;
  return row < pairs ? 2 * row : 2 * (row - pairs) + 1;
}

function reorderHeadRows(
  values: Float32Array | Uint8Array,
  headSize: number,
  width: number,
  sourceRow: (row: number) => number,
): void {
  const size = headSize * width;
  const sources = Array.from({ length: headSize }, (_, row) => sourceRow(row));
  for (let head = 0; head < values.length; head += size) {
    const old = values.slice(head, head + size);
    for (const [row, from] of sources.entries()) {
      values.set(old.subarray(from * width, (from + 1) * width), head + row * width);
    }
  }
}
