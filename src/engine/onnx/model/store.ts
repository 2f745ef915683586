/**
 * Named tensors end to end in one flat buffer: what weights, adapters, gradients and moments are made of.
 *
 * Files and people see parameters by their published names; graphs see inputs, each of which is one parameter or
 * several that follow each other. Nothing is ever copied between the two views, and the optimizer sees one long
 * vector. Inputs start on 64-byte boundaries; the gaps stay zero.
 */
import { assert } from "../../../core/index.ts";
import { type Tensor, tensor } from "../graph/index.ts";

export interface Parameter {
  /** Its name in files: that of Hugging Face, or for adapters that of PEFT. */
  readonly name: string;
  readonly shape: readonly number[];
  /** Position of its first element in the flat buffer. */
  readonly offset: number;
  readonly size: number;
  /** Whether weight decay applies: matrices yes; norms, biases and embeddings no. */
  readonly decays: boolean;
}

/** What a graph takes as one input: one parameter, or several that follow each other. */
export interface FusedInput {
  readonly name: string;
  readonly shape: readonly number[];
  readonly offset: number;
  readonly size: number;
  readonly parts: readonly Parameter[];
}

/** The inputs of a store, in the order of its flat buffer, and the buffer's length. */
export interface Layout {
  readonly inputs: readonly FusedInput[];
  readonly length: number;
}

/** A parameter that has no place yet. */
export type Part = readonly [name: string, shape: readonly number[], decays: boolean];

/** An input that has no place yet; its parts differ in their first dimension alone. */
export interface Group {
  readonly name: string;
  readonly parts: readonly Part[];
}

const ALIGNMENT = 16;

/** Gives every input and parameter its place. */
export function place(groups: readonly Group[]): Layout {
  let offset = 0;
  const inputs = groups.map(({ name, parts }): FusedInput => {
    const start = Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
    offset = start;
    const placed = parts.map(([partName, shape, decays]): Parameter => {
      const size = shape.reduce((a, b) => a * b, 1);
      const parameter = { name: partName, shape, offset, size, decays };
      offset += size;
      return parameter;
    });
    const rows = placed.reduce((sum, part) => sum + part.shape[0]!, 0);
    const shape = [rows, ...placed[0]!.shape.slice(1)];
    return { name, shape, offset: start, size: offset - start, parts: placed };
  });
  return { inputs, length: Math.ceil(offset / ALIGNMENT) * ALIGNMENT };
}

/** A flat buffer under a layout. */
export class TensorStore {
  readonly data: Float32Array;
  readonly inputs: readonly FusedInput[];
  readonly parameters: readonly Parameter[];
  /** Number of elements, gaps left out. */
  readonly count: number;
  readonly #byName: ReadonlyMap<string, Parameter>;

  constructor({ inputs, length }: Layout) {
    this.data = new Float32Array(length);
    this.inputs = inputs;
    this.parameters = inputs.flatMap((input) => input.parts);
    this.count = this.parameters.reduce((sum, parameter) => sum + parameter.size, 0);
    this.#byName = new Map(this.parameters.map((parameter) => [parameter.name, parameter]));
  }

  parameter(name: string): Parameter {
    const parameter = this.#byName.get(name);
    assert(parameter, `there is no parameter ${name}`);
    return parameter;
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** A parameter's elements, row-major, in place: writing changes the store. */
  view(name: string): Float32Array {
    const { offset, size } = this.parameter(name);
    return this.data.subarray(offset, offset + size);
  }

  /**
   * The graph inputs over the live buffer, under the names of inputs and of parameters: zero-copy, so build them
   * once and feed them after every update. A session takes those that its graph declares.
   */
  feeds(): Record<string, Tensor> {
    const entries = this.inputs.flatMap((input) => [input, ...input.parts]);
    return Object.fromEntries(
      entries.map(({ name, shape, offset, size }) => [
        name,
        tensor(this.data.subarray(offset, offset + size), shape),
      ]),
    );
  }
}
