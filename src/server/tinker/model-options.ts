/** Reads the options of a new model from the client's request. */
import { throwApiError } from "./api-error.ts";
import type { ModelOptions } from "./backend.ts";

export interface CreateModelRequest {
  readonly session_id: string;
  readonly model_seq_id: number;
  readonly base_model: string;
  readonly lora_config?:
    | {
        readonly rank: number;
        readonly seed?: number | null | undefined;
        readonly train_mlp: boolean;
        readonly train_attn: boolean;
      }
    | null
    | undefined;
}

/** Uses `seed` when the client names none. Throws a 400 when nothing would be trained. */
export function readModelOptions(
  { lora_config: lora }: CreateModelRequest,
  seed: number,
): ModelOptions {
  if (!lora) return { rank: 0, trainMlp: true, trainAttention: true, seed };
  const { rank, train_mlp: trainMlp, train_attn: trainAttention } = lora;
  if (rank > 0 && !trainMlp && !trainAttention) {
    throwApiError(
      400,
      "lora_config: train_mlp and train_attn are both false, so nothing would be trained; this server cannot train the unembedding",
    );
  }
  return { rank, trainMlp, trainAttention, seed: (lora.seed ?? seed) >>> 0 };
}
