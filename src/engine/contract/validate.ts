/**
 * What callers hand to an engine, checked before it goes anywhere (a thread, a server): `engine` errors name the row and the
 * field. What is checked is copied, so a caller may use its arrays again.
 */
import { BowlineError } from "../../core/index.ts";
import type {
  Capabilities,
  Cotangents,
  GroupSteps,
  OptimizerStep,
  Row,
  SampleRequest,
} from "../../spec/index.ts";

/** What ids and lengths are checked against. */
export interface TokenBounds {
  readonly vocabularySize: number;
  readonly contextLength: number;
}

/** A row, flat. */
export interface CheckedRow {
  readonly tokens: Int32Array;
  readonly at: Int32Array;
}

export interface CheckedCotangents {
  readonly logprobs: Float32Array;
  readonly entropies?: Float32Array;
  readonly values?: Float32Array;
}

export function checkRequest(request: SampleRequest, index: number, config: TokenBounds): void {
  const at = `request ${index}`;
  const { tokens, stream, maxTokens, temperature, stopIds } = request;
  checkIds(tokens, `${at}: tokens`, config);
  checkIds(stopIds, `${at}: stopIds`, config);
  if (tokens.length < 1 || tokens.length >= config.contextLength) {
    refuse(
      `${at}: tokens must have length 1 to ${config.contextLength - 1} (the context, less one), but it is ${tokens.length}`,
    );
  }
  if (!(Number.isInteger(maxTokens) && maxTokens >= 1)) {
    refuse(`${at}: maxTokens must be a positive integer, but it is ${maxTokens}`);
  }
  if (!(Number.isFinite(temperature) && temperature >= 0)) {
    refuse(`${at}: temperature must be 0 or a positive number, but it is ${temperature}`);
  }
  if (!(Number.isInteger(stream) && stream >= 0 && stream < 2 ** 32)) {
    refuse(`${at}: stream must be an unsigned 32-bit integer, but it is ${stream}`);
  }
}

export function checkedRow(row: Row, index: number, config: TokenBounds): CheckedRow {
  const { tokens, at } = row;
  checkIds(tokens, `row ${index}: tokens`, config);
  if (tokens.length > config.contextLength) {
    refuse(
      `row ${index}: tokens has length ${tokens.length}, but the context is ${config.contextLength}`,
    );
  }
  for (let i = 0; i < at.length; i++) {
    const asked = at[i]!;
    if (Number.isInteger(asked) && asked >= 1 && asked < tokens.length) continue;
    refuse(`row ${index}: at[${i}] must be 1 to ${tokens.length - 1}, but it is ${asked}`);
  }
  return { tokens: Int32Array.from(tokens), at: Int32Array.from(at) };
}

export function checkedCotangents(
  rows: readonly Row[],
  cotangents: readonly Cotangents[],
): CheckedCotangents[] {
  if (rows.length !== cotangents.length) {
    refuse(`${rows.length} rows came with ${cotangents.length} cotangents`);
  }
  return cotangents.map(({ logprobs, entropies, values }, index) => {
    const checked = (list: ArrayLike<number>, name: string) =>
      checkedList(list, rows[index]!, `row ${index}: cotangents.${name}`);
    return {
      logprobs: checked(logprobs, "logprobs"),
      ...(entropies ? { entropies: checked(entropies, "entropies") } : {}),
      ...(values ? { values: checked(values, "values") } : {}),
    };
  });
}

function checkedList(list: ArrayLike<number>, row: Row, name: string): Float32Array {
  if (list.length !== row.at.length) {
    refuse(`${name} has length ${list.length}, but the row asks for ${row.at.length} tokens`);
  }
  const out = Float32Array.from(list);
  const bad = out.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) refuse(`${name}[${bad}] must be a finite float32, but it is ${list[bad]}`);
  return out;
}

/** Of `evaluate` and `accumulate`; sampling alone knows temperature 0. */
export function checkTemperature(temperature: number): void {
  if (Number.isFinite(temperature) && temperature > 0) return;
  refuse(`temperature must be a positive number, but it is ${temperature}`);
}

/** Checks and copies; a step alone is the policy's. */
export function checkedSteps(
  steps: OptimizerStep | GroupSteps,
  capabilities: Pick<Capabilities, "value">,
): GroupSteps {
  const { policy, value }: GroupSteps = "learningRate" in steps ? { policy: steps } : steps;
  if (!policy && !value) {
    refuse("update: neither policy nor value has a step; discard() drops what was accumulated");
  }
  if (value) requireValueHead(capabilities, "update: value has a step");
  for (const step of [policy, value]) if (step) checkStep(step);
  return { ...(policy && { policy: { ...policy } }), ...(value && { value: { ...value } }) };
}

/** `what` asks for a value head. */
export function requireValueHead({ value }: Pick<Capabilities, "value">, what: string): void {
  if (value) return;
  refuse(`${what}, but the engine was created without a value head (option valueHead)`);
}

function checkStep(step: OptimizerStep): void {
  const ranges: { [F in keyof OptimizerStep]: (value: number) => boolean } = {
    learningRate: (value) => value >= 0 && Number.isFinite(value),
    beta1: (value) => value >= 0 && value < 1,
    beta2: (value) => value >= 0 && value < 1,
    epsilon: (value) => value > 0 && Number.isFinite(value),
    weightDecay: (value) => value >= 0 && Number.isFinite(value),
    maxGradientNorm: (value) => value > 0,
  };
  for (const [field, fits] of Object.entries(ranges)) {
    const value = step[field as keyof OptimizerStep];
    if (!fits(value)) refuse(`update: ${field} cannot be ${value}`);
  }
}

function checkIds(ids: ArrayLike<number>, name: string, config: TokenBounds): void {
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    if (Number.isInteger(id) && id >= 0 && id < config.vocabularySize) continue;
    refuse(`${name}[${i}] must be an id from 0 to ${config.vocabularySize - 1}, but it is ${id}`);
  }
}

/** Throws the `engine` error of a call that an engine cannot do. */
export function refuse(message: string): never {
  throw new BowlineError("engine", message);
}
