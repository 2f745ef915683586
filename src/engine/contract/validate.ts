/**
 * Checks what callers pass to an engine before it goes to a thread or a server. The `engine` errors name the row and
 * the field. The check functions return copies, so that a caller may use its arrays again.
 */
import { BowlineError, findList } from "../../core/index.ts";
import type {
  Capabilities,
  Cotangents,
  GroupSteps,
  OptimizerStep,
  RatioFactor,
  Row,
  SampleFilter,
  SampleRequest,
} from "../../spec/index.ts";

/** The vocabulary size and the context length with which token ids and row lengths are compared. */
export interface TokenBounds {
  readonly vocabularySize: number;
  readonly contextLength: number;
}

/** A checked copy of a row in typed arrays. */
export interface CheckedRow {
  readonly tokens: Int32Array;
  readonly at: Int32Array;
}

/** Checked copies of a row's cotangents in typed arrays, one entry per requested token. */
export interface CheckedCotangents {
  /** Doubles where there is a ratio. */
  readonly logprobs: Float32Array | Float64Array;
  readonly ratio?: CheckedRatio;
  readonly entropies?: Float32Array;
  readonly values?: Float32Array;
}

/** A checked copy of a row's ratio. */
export interface CheckedRatio extends RatioFactor {
  readonly oldLogprobs: Float64Array;
}

/** Throws an `engine` error that names request `index` and the field when the request is invalid. */
export function checkSampleRequest(
  request: SampleRequest,
  index: number,
  bounds: TokenBounds,
): void {
  const at = `request ${index}`;
  const { stream, maxTokens, temperature, stopIds } = request;
  const list = findList(request);
  const length = list?.length ?? request.tokens.length;
  if (!list?.isBelow(bounds.vocabularySize)) {
    checkTokenIds(request.tokens, `${at}: tokens`, bounds);
  }
  checkTokenIds(stopIds, `${at}: stopIds`, bounds);
  if (length < 1 || length >= bounds.contextLength) {
    throwEngineError(
      `${at}: tokens must have length 1 to ${bounds.contextLength - 1} (one less than the context), but it is ${length}`,
    );
  }
  if (!(Number.isInteger(maxTokens) && maxTokens >= 1)) {
    throwEngineError(`${at}: maxTokens must be a positive integer, but it is ${maxTokens}`);
  }
  if (!(Number.isFinite(temperature) && temperature >= 0)) {
    throwEngineError(`${at}: temperature must be 0 or a positive number, but it is ${temperature}`);
  }
  if (!(Number.isInteger(stream) && stream >= 0 && stream < 2 ** 32)) {
    throwEngineError(`${at}: stream must be an unsigned 32-bit integer, but it is ${stream}`);
  }
  if (request.filter) checkFilter(request.filter, at);
}

function checkFilter({ topK = 1, topP = 1, minP = 0 }: SampleFilter, at: string): void {
  if (!(Number.isInteger(topK) && topK >= 1)) {
    throwEngineError(`${at}: filter.topK must be a positive integer, but it is ${topK}`);
  }
  for (const [name, value] of [
    ["topP", topP],
    ["minP", minP],
  ] as const) {
    if (value >= 0 && value <= 1) continue;
    throwEngineError(`${at}: filter.${name} must be a number from 0 to 1, but it is ${value}`);
  }
}

/** Throws an `engine` error when a request has a filter. Engines without `capabilities.filteredSamples` call it. */
export function refuseFilter({ filter }: SampleRequest, index: number): void {
  if (filter === undefined) return;
  throwEngineError(
    `request ${index}: filter is ${JSON.stringify(filter)}, but this engine samples from the whole distribution (capabilities.filteredSamples is false); leave it out`,
  );
}

/** Returns a copy of row `index`. Throws an `engine` error when an id, the length or an index is out of range. */
export function checkRow(row: Row, index: number, bounds: TokenBounds): CheckedRow {
  const { tokens, at } = row;
  checkTokenIds(tokens, `row ${index}: tokens`, bounds);
  if (tokens.length > bounds.contextLength) {
    throwEngineError(
      `row ${index}: tokens has length ${tokens.length}, but the context is ${bounds.contextLength}`,
    );
  }
  for (let i = 0; i < at.length; i++) {
    const requested = at[i]!;
    if (Number.isInteger(requested) && requested >= 1 && requested < tokens.length) continue;
    throwEngineError(
      `row ${index}: at[${i}] must be 1 to ${tokens.length - 1}, but it is ${requested}`,
    );
  }
  return { tokens: Int32Array.from(tokens), at: Int32Array.from(at) };
}

/**
 * Returns copies of the cotangents. Throws an `engine` error when a length is wrong, a value is not finite, or a row has
 * a ratio and the engine has no such capability.
 */
export function checkCotangents(
  rows: readonly Row[],
  cotangents: readonly Cotangents[],
  { ratioCotangents = false }: Pick<Capabilities, "ratioCotangents"> = {},
): CheckedCotangents[] {
  if (rows.length !== cotangents.length) {
    throwEngineError(`${rows.length} rows came with ${cotangents.length} cotangents`);
  }
  const withRatio = cotangents.filter(({ ratio }) => ratio).length;
  if (withRatio > 0 && !ratioCotangents) {
    throwEngineError("cotangents with a ratio: the engine has no capability ratioCotangents");
  }
  if (withRatio > 0 && withRatio < rows.length) {
    throwEngineError(`${withRatio} of ${rows.length} rows have a ratio; expected all or none`);
  }
  return cotangents.map(({ logprobs, ratio, entropies, values }, index) => {
    const copyValues = (list: ArrayLike<number>, name: string) =>
      checkTokenValues(list, rows[index]!, `row ${index}: cotangents.${name}`);
    return {
      // A ratio multiplies the derivatives in double precision.
      logprobs: ratio ? Float64Array.from(logprobs) : copyValues(logprobs, "logprobs"),
      ...(ratio ? { ratio: checkRatio(ratio, rows[index]!, logprobs, index) } : {}),
      ...(entropies ? { entropies: copyValues(entropies, "entropies") } : {}),
      ...(values ? { values: copyValues(values, "values") } : {}),
    };
  });
}

/** Returns a copy of the ratio of a row, whose derivatives are checked too. */
function checkRatio(
  { oldLogprobs, lowest, highest }: RatioFactor,
  row: Row,
  logprobs: ArrayLike<number>,
  index: number,
): CheckedRatio {
  const name = `row ${index}: cotangents`;
  checkTokenValues(logprobs, row, `${name}.logprobs`);
  checkTokenValues(oldLogprobs, row, `${name}.ratio.oldLogprobs`);
  if (!(lowest >= 0 && lowest <= 1 && highest >= 1)) {
    throwEngineError(
      `${name}.ratio: expected lowest from 0 to 1 and highest of at least 1, got ${lowest} and ${highest}`,
    );
  }
  if (new Set(Array.from(row.at)).size < row.at.length) {
    throwEngineError(`${name}.ratio: the row requests a token twice, which has no one ratio`);
  }
  return { oldLogprobs: Float64Array.from(oldLogprobs), lowest, highest };
}

function checkTokenValues(list: ArrayLike<number>, row: Row, name: string): Float32Array {
  if (list.length !== row.at.length) {
    throwEngineError(
      `${name} has length ${list.length}, but the row requests ${row.at.length} tokens`,
    );
  }
  const out = Float32Array.from(list);
  const bad = out.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0)
    throwEngineError(`${name}[${bad}] must be a finite float32, but it is ${list[bad]}`);
  return out;
}

/** Throws an `engine` error unless the temperature is positive. Only sampling allows 0. */
export function checkTemperature(temperature: number): void {
  if (Number.isFinite(temperature) && temperature > 0) return;
  throwEngineError(`temperature must be a positive number, but it is ${temperature}`);
}

/** Returns checked copies of the optimizer steps by parameter group. A single step is taken as the policy's. */
export function checkOptimizerSteps(
  steps: OptimizerStep | GroupSteps,
  capabilities: Pick<Capabilities, "value">,
): GroupSteps {
  const { policy, value }: GroupSteps = "learningRate" in steps ? { policy: steps } : steps;
  if (!policy && !value) {
    throwEngineError(
      "update: no step was given, neither for the policy nor for the value head; call discard() to drop the accumulated gradient",
    );
  }
  if (value) requireValueHead(capabilities, "update: value has a step");
  for (const step of [policy, value]) if (step) checkOptimizerStep(step);
  return { ...(policy && { policy: { ...policy } }), ...(value && { value: { ...value } }) };
}

/** Throws an `engine` error that begins with `operation` when the engine has no value head. */
export function requireValueHead({ value }: Pick<Capabilities, "value">, operation: string): void {
  if (value) return;
  throwEngineError(
    `${operation}, but the engine was created without a value head (option valueHead)`,
  );
}

function checkOptimizerStep(step: OptimizerStep): void {
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
    if (!fits(value)) throwEngineError(`update: ${field} cannot be ${value}`);
  }
}

function checkTokenIds(ids: ArrayLike<number>, name: string, bounds: TokenBounds): void {
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    if (Number.isInteger(id) && id >= 0 && id < bounds.vocabularySize) continue;
    throwEngineError(
      `${name}[${i}] must be an id from 0 to ${bounds.vocabularySize - 1}, but it is ${id}`,
    );
  }
}

/** Throws an `engine` error with this message. */
export function throwEngineError(message: string): never {
  throw new BowlineError("engine", message);
}
