/** From the wire's datums to a batch that can be trained on, or a 400 that names the datum and what is wrong with it. */

import { didYouMean } from "../../core/index.ts";
import type { tinkerWire } from "../../engine/index.ts";
import { refuse } from "./api-error.ts";
import type { BaseModel } from "./backend.ts";
import {
  LOSS_CONFIG,
  LOSS_INPUTS,
  LOSS_NAMES,
  type LossBatch,
  type LossDatum,
  type LossName,
} from "./losses.ts";

/** Both dialects' forms of it. */
export type LossInput = Pick<tinkerWire.LossInput, "data" | "loss_fn" | "loss_fn_config">;
type Datum = tinkerWire.Datum;

export function lossBatch(input: LossInput, base: BaseModel): LossBatch {
  const loss = LOSS_NAMES.find((name) => name === input.loss_fn) ?? unknownLoss(input.loss_fn);
  if (input.data.length === 0) refuse(400, "data: expected at least one datum, came none");
  return {
    loss,
    config: lossConfig(loss, input.loss_fn_config ?? {}),
    data: input.data.map((datum, index) => lossDatum(loss, datum, `data[${index}]`, base)),
  };
}

function unknownLoss(name: string): never {
  const hint = didYouMean(name, LOSS_NAMES);
  refuse(422, `loss_fn: expected one of ${LOSS_NAMES.join(", ")}, came ${name}${hint}`);
}

function lossConfig(loss: LossName, given: Readonly<Record<string, number>>) {
  const defaults = LOSS_CONFIG[loss];
  const names = Object.keys(defaults);
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name)) {
      const known = names.length === 0 ? "it takes none" : `it takes ${names.join(", ")}`;
      refuse(422, `loss_fn_config: ${loss} does not know ${name}; ${known}`);
    }
    if (!Number.isFinite(value)) refuse(422, `loss_fn_config.${name} must be finite`);
  }
  const config: Record<string, number> = {};
  for (const [name, fallback] of Object.entries(defaults)) {
    config[name] = given[name] ?? fallback ?? refuse(422, `loss_fn_config: ${loss} needs ${name}`);
  }
  const { clip_low_threshold: low = 0, clip_high_threshold: high = 1 } = config;
  if (low < 0 || high < low) {
    refuse(
      422,
      `loss_fn_config: expected 0 <= clip_low_threshold <= clip_high_threshold, came ${low} and ${high}`,
    );
  }
  return config;
}

function lossDatum(loss: LossName, datum: Datum, at: string, base: BaseModel): LossDatum {
  const tokens = promptTokens(datum.model_input, `${at}.model_input`, base);
  if (tokens.length >= base.contextLength) {
    refuse(
      400,
      `${at}: ${tokens.length} tokens and the last target exceed the context of ${base.contextLength}`,
    );
  }
  const { target_tokens, ...rest } = datum.loss_fn_inputs;
  const inputs: readonly string[] = [...LOSS_INPUTS[loss], "weights"];
  const unknown = Object.keys(rest).find((name) => !inputs.includes(name));
  if (unknown !== undefined) {
    refuse(
      400,
      `${at}.loss_fn_inputs: ${loss} does not know ${unknown}; it takes target_tokens, ${inputs.join(", ")}`,
    );
  }
  if (!target_tokens) refuse(400, `${at}.loss_fn_inputs: target_tokens is missing`);
  const targets = vector(target_tokens, `${at}.loss_fn_inputs.target_tokens`, tokens.length);
  requireIds(targets, `${at}.loss_fn_inputs.target_tokens`, base);
  const named = (name: "weights" | "logprobs" | "advantages") => {
    const tensor = rest[name];
    if (tensor) return vector(tensor, `${at}.loss_fn_inputs.${name}`, tokens.length);
    return name === "weights"
      ? undefined
      : refuse(400, `${at}.loss_fn_inputs: ${loss} needs ${name}`);
  };
  if (loss === "cross_entropy") return { tokens, targets, weights: named("weights") };
  const [weights, logprobs, advantages] = [
    named("weights"),
    named("logprobs"),
    named("advantages"),
  ];
  return { tokens, targets, weights, logprobs, advantages };
}

/** Finite numbers, as many as there are tokens. */
function vector(
  { data, shape }: tinkerWire.TensorData,
  at: string,
  length: number,
): readonly number[] {
  if (shape && !(shape.length === 1 && shape[0] === data.length)) {
    refuse(
      400,
      `${at}: expected a vector of ${length} values, came ${data.length} in shape [${shape.join(", ")}]`,
    );
  }
  if (data.length !== length) {
    refuse(
      400,
      `${at}: expected ${length} values, one for each token of model_input, came ${data.length}`,
    );
  }
  const bad = data.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) refuse(400, `${at}[${bad}]: expected a finite number, came ${data[bad]}`);
  return data;
}

/** The tokens of a prompt or input; at least one, all in the vocabulary. */
export function promptTokens(
  { chunks }: tinkerWire.ModelInput,
  at: string,
  base: BaseModel,
): readonly number[] {
  const tokens = chunks.flatMap((chunk) => chunk.tokens);
  if (tokens.length === 0) refuse(400, `${at}: expected at least one token, came none`);
  requireIds(tokens, at, base);
  return tokens;
}

function requireIds(ids: readonly number[], at: string, { vocabularySize }: BaseModel): void {
  const bad = ids.findIndex((id) => !(Number.isInteger(id) && id >= 0 && id < vocabularySize));
  if (bad < 0) return;
  refuse(
    400,
    `${at}[${bad}]: expected a token id from 0 to ${vocabularySize - 1}, came ${ids[bad]}`,
  );
}
