/**
 * Checks the datums of a request and converts them to a batch. Errors are 400 or 422 and name the datum and the fault.
 */

import { didYouMean } from "../../core/index.ts";
import type { tinkerWire } from "../../engine/index.ts";
import { throwApiError } from "./api-error.ts";
import type { BaseModel } from "./backend.ts";
import {
  LOSS_CONFIG,
  LOSS_INPUTS,
  LOSS_NAMES,
  type LossBatch,
  type LossDatum,
  type LossName,
} from "./losses.ts";

/** The loss's input, which is the same in both dialects. */
export type LossInput = Pick<tinkerWire.LossInput, "data" | "loss_fn" | "loss_fn_config">;
type Datum = tinkerWire.Datum;

export function parseLossBatch(input: LossInput, base: BaseModel): LossBatch {
  const loss = LOSS_NAMES.find((name) => name === input.loss_fn) ?? throwUnknownLoss(input.loss_fn);
  if (input.data.length === 0) throwApiError(400, "data: expected at least one datum, got none");
  return {
    loss,
    config: readLossConfig(loss, input.loss_fn_config ?? {}),
    data: input.data.map((datum, index) => readLossDatum(loss, datum, `data[${index}]`, base)),
  };
}

function throwUnknownLoss(name: string): never {
  const hint = didYouMean(name, LOSS_NAMES);
  throwApiError(422, `loss_fn: expected one of ${LOSS_NAMES.join(", ")}, got ${name}${hint}`);
}

function readLossConfig(loss: LossName, givenConfig: Readonly<Record<string, number>>) {
  const defaults = LOSS_CONFIG[loss];
  const names = Object.keys(defaults);
  for (const [name, value] of Object.entries(givenConfig)) {
    if (!names.includes(name)) {
      const knownParameters =
        names.length === 0 ? "it has no parameters" : `its parameters are ${names.join(", ")}`;
      throwApiError(422, `loss_fn_config: ${loss} has no parameter ${name}; ${knownParameters}`);
    }
    if (!Number.isFinite(value))
      throwApiError(422, `loss_fn_config.${name}: expected a finite number, got ${value}`);
  }
  const config: Record<string, number> = {};
  for (const [name, fallback] of Object.entries(defaults)) {
    config[name] =
      givenConfig[name] ??
      fallback ??
      throwApiError(422, `loss_fn_config: ${loss} needs the parameter ${name}`);
  }
  const { clip_low_threshold: low = 0, clip_high_threshold: high = 1 } = config;
  if (low < 0 || high < low) {
    throwApiError(
      422,
      `loss_fn_config: expected 0 <= clip_low_threshold <= clip_high_threshold, got ${low} and ${high}`,
    );
  }
  return config;
}

function readLossDatum(loss: LossName, datum: Datum, label: string, base: BaseModel): LossDatum {
  const tokens = readTokens(datum.model_input, `${label}.model_input`, base);
  if (tokens.length >= base.contextLength) {
    throwApiError(
      400,
      `${label}: ${tokens.length} tokens and the last target exceed the context of ${base.contextLength} tokens`,
    );
  }
  const { target_tokens, ...rest } = datum.loss_fn_inputs;
  const inputs: readonly string[] = [...LOSS_INPUTS[loss], "weights"];
  const unknown = Object.keys(rest).find((name) => !inputs.includes(name));
  if (unknown !== undefined) {
    throwApiError(
      400,
      `${label}.loss_fn_inputs: ${loss} has no input ${unknown}; its inputs are target_tokens, ${inputs.join(", ")}`,
    );
  }
  if (!target_tokens) throwApiError(400, `${label}.loss_fn_inputs: target_tokens is missing`);
  const targets = requireVector(
    target_tokens,
    `${label}.loss_fn_inputs.target_tokens`,
    tokens.length,
  );
  requireTokenIds(targets, `${label}.loss_fn_inputs.target_tokens`, base);
  const readTensor = (name: "weights" | "logprobs" | "advantages") => {
    const tensor = rest[name];
    if (tensor) return requireVector(tensor, `${label}.loss_fn_inputs.${name}`, tokens.length);
    return name === "weights"
      ? undefined
      : throwApiError(400, `${label}.loss_fn_inputs: ${loss} needs the input ${name}`);
  };
  if (loss === "cross_entropy") return { tokens, targets, weights: readTensor("weights") };
  const [weights, logprobs, advantages] = [
    readTensor("weights"),
    readTensor("logprobs"),
    readTensor("advantages"),
  ];
  return { tokens, targets, weights, logprobs, advantages };
}

/** Requires a vector of finite numbers with one entry per token, and returns it. */
function requireVector(
  { data, shape }: tinkerWire.TensorData,
  label: string,
  length: number,
): readonly number[] {
  if (shape && !(shape.length === 1 && shape[0] === data.length)) {
    throwApiError(
      400,
      `${label}: expected a vector of ${length} values, got ${data.length} in shape [${shape.join(", ")}]`,
    );
  }
  if (data.length !== length) {
    throwApiError(
      400,
      `${label}: expected ${length} values, one for each token of model_input, got ${data.length}`,
    );
  }
  const bad = data.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throwApiError(400, `${label}[${bad}]: expected a finite number, got ${data[bad]}`);
  return data;
}

/** Reads the tokens of a prompt or input. Requires at least one, and all in the vocabulary. */
export function readTokens(
  { chunks }: tinkerWire.ModelInput,
  label: string,
  base: BaseModel,
): readonly number[] {
  const tokens = chunks.flatMap((chunk) => chunk.tokens);
  if (tokens.length === 0) throwApiError(400, `${label}: expected at least one token, got none`);
  requireTokenIds(tokens, label, base);
  return tokens;
}

function requireTokenIds(
  ids: readonly number[],
  label: string,
  { vocabularySize }: BaseModel,
): void {
  const bad = ids.findIndex((id) => !(Number.isInteger(id) && id >= 0 && id < vocabularySize));
  if (bad < 0) return;
  throwApiError(
    400,
    `${label}[${bad}]: expected a token id from 0 to ${vocabularySize - 1}, got ${ids[bad]}`,
  );
}
