/**
 * What llama.cpp calls the tensors of a decoder, and how its rows lie.
 *
 * Files of architecture `llama` have the rows of query and key reordered within each head: rotary pairs, which Hugging Face
 * puts half a head apart (0 with d/2, 1 with d/2 + 1, ...), stand side by side there. `qwen2` and `qwen3` are as they were.
 */

const OUTSIDE = {
  "token_embd.weight": "model.embed_tokens.weight",
  "output_norm.weight": "model.norm.weight",
  "output.weight": "lm_head.weight",
} as const;

const INSIDE = {
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

const outward = new Map<string, string>(
  Object.entries(OUTSIDE).map(([theirs, hf]) => [hf, theirs]),
);
const inward = new Map<string, string>(Object.entries(OUTSIDE));
const partOf = new Map<string, string>(Object.entries(INSIDE));
const partFrom = new Map<string, string>(
  Object.entries(INSIDE).map(([theirs, hf]) => [hf, theirs]),
);

/** Hugging Face's name of a tensor of a file; a name that is unknown stays, to be refused under its own name. */
export function huggingFaceName(name: string): string {
  const [, layer, part, kind] = /^blk\.(\d+)\.(\w+)\.(weight|bias)$/.exec(name) ?? [];
  const inside = part === undefined ? undefined : partOf.get(part);
  return inside === undefined
    ? (inward.get(name) ?? name)
    : `model.layers.${layer}.${inside}.${kind}`;
}

/** The inverse, for the tensors of a decoder. */
export function ggufName(name: string): string {
  const [, layer, part, kind] = /^model\.layers\.(\d+)\.(.+)\.(weight|bias)$/.exec(name) ?? [];
  return part === undefined ? outward.get(name)! : `blk.${layer}.${partFrom.get(part)!}.${kind}`;
}

/** Weights and biases of query and key projections, by Hugging Face's names. */
export function hasPairs(name: string): boolean {
  return /\.self_attn\.[qk]_proj\.(weight|bias)$/.test(name);
}

/** In place: rows of a file of `llama` to Hugging Face's order. `width`: of a row, 1 for a bias. */
export function separatePairs(values: Float32Array, headSize: number, width: number): void {
  reorder(values, headSize, width, (row) => pairedRow(row, headSize));
}

/** The inverse, in place. */
export function joinPairs(values: Float32Array, headSize: number, width: number): void {
  const order = Array.from({ length: headSize }, (_, row) => pairedRow(row, headSize));
  reorder(values, headSize, width, (row) => order.indexOf(row));
}

/** Where a file has the row that Hugging Face has here. */
function pairedRow(row: number, headSize: number): number {
  const pairs = headSize / 2;
  return row < pairs ? 2 * row : 2 * (row - pairs) + 1;
}

function reorder(
  values: Float32Array,
  headSize: number,
  width: number,
  source: (row: number) => number,
): void {
  const size = headSize * width;
  const sources = Array.from({ length: headSize }, (_, row) => source(row));
  for (let head = 0; head < values.length; head += size) {
    const old = values.slice(head, head + size);
    for (const [row, from] of sources.entries()) {
      values.set(old.subarray(from * width, (from + 1) * width), head + row * width);
    }
  }
}
