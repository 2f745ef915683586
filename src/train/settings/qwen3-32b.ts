/**
 * `qwen2.5-32b` with Qwen3-32B as base model, which services offer more often:
 *
 *   bowline train qwen3-32b --engine.url http://127.0.0.1:8000 --engine.model models/Qwen3-32B
 *
 * Deviations in addition to those of `qwen2.5-32b` (1 to 4 there):
 *  5. The base model. It does not think before it answers; `--scaffold.thinking true` lets it.
 */
import { qwen2532b } from "./qwen2.5-32b.ts";
import type { Setting } from "./setting.ts";

export const qwen332b: Setting = {
  summary: "the numbers of the LOOP paper for Qwen3-32B, on a server of the Tinker protocol",
  config: {
    ...qwen2532b.config,
    engine: { name: "tinker", baseModel: "Qwen/Qwen3-32B", lora: { rank: 16 } },
  },
};
