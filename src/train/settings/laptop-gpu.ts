/**
 * A published model of 0.5 to 1.7 billion parameters (Qwen2, Qwen3 or Llama, a folder or a GGUF file) learns the
 * everyday world on the graphics adapter of an ordinary machine:
 *
 *   bowline bench plan --engine.model models/Qwen2.5-0.5B-Instruct --tokens 1024
 *   bowline train laptop-gpu --engine.model models/Qwen2.5-0.5B-Instruct
 *
 * The frozen weights have four bits, so that they fit and stay on the device; `--engine.base q8` loses less. Its
 * sizes are those of `laptop` and not tuned on a real adapter.
 *
 * Deviations from `laptop`: the provider and the base; conversations of 1,024 tokens, because a larger model can use
 * them; a lower learning rate, because it has more to lose.
 */
import { laptop } from "./laptop.ts";
import type { Setting } from "./setting.ts";

const { config } = laptop;

export const laptopGpu: Setting = {
  summary: "a published model of 0.5B to 1.7B parameters, in four bits, trained on a GPU",
  config: {
    ...config,
    engine: { provider: "webgpu", base: "q4", lora: { rank: 16, alpha: 32 } },
    model: { contextLength: 1024 },
    warm: { ...config.warm, learningRate: 1e-3 },
    scaffold: { ...config.scaffold, maxTokens: 1024, maxObservationTokens: 200 },
  },
};
