/**
 * Named tensors end to end in one flat buffer. Weights, adapters, gradients and optimizer moments are stored this
 * way.
 *
 * Files and people see parameters by their published names. Graphs see inputs, each of which is one parameter or
 * several adjacent ones. Nothing is ever copied between the two views, and the optimizer sees one long vector. Inputs
 * start on 64-byte boundaries, and the gaps stay zero.
 */
import { assert } from "../../../core/index.ts";
import { declareResident, type Tensor, tensor } from "../graph/index.ts";

/** A named tensor and its place in the flat buffer. */
export interface Parameter {
  /** The name in files: Hugging Face's name, or PEFT's for adapters. */
  readonly name: string;
  readonly shape: readonly number[];
  /** The position of its first element in the flat buffer. */
  readonly offset: number;
  readonly size: number;
  /** Weight decay applies to matrices, but not to norms, biases and embeddings. */
  readonly hasWeightDecay: boolean;
}

/** A graph input: one parameter, or several adjacent ones. */
export interface FusedInput {
  readonly name: string;
  readonly shape: readonly number[];
  readonly offset: number;
  readonly size: number;
  readonly parts: readonly Parameter[];
}

/** The inputs of a store in the order of its flat buffer, and the buffer's length. */
export interface StoreLayout {
  readonly inputs: readonly FusedInput[];
  readonly length: number;
}

/** A parameter that has no place in a buffer yet. */
export type UnplacedParameter = readonly [
  name: string,
  shape: readonly number[],
  hasWeightDecay: boolean,
];

/** An input that has no place in a buffer yet. Its parts differ only in their first dimension. */
export interface UnplacedInput {
  readonly name: string;
  readonly parts: readonly UnplacedParameter[];
}

const ALIGNMENT_ELEMENTS = 16;

/**
 * Places all inputs and their parameters one after the other in a flat buffer. An input without `isStored` takes
 * no room, and its offset means nothing.
 */
export function buildLayout(
  groups: readonly UnplacedInput[],
  isStored: (parameter: UnplacedParameter) => boolean = () => true,
): StoreLayout {
  let offset = 0;
  const inputs = groups.map(({ name, parts }): FusedInput => {
    const start = Math.ceil(offset / ALIGNMENT_ELEMENTS) * ALIGNMENT_ELEMENTS;
    offset = start;
    const placed = parts.map(([partName, shape, hasWeightDecay]): Parameter => {
      const size = shape.reduce((a, b) => a * b, 1);
      const parameter = { name: partName, shape, offset, size, hasWeightDecay };
      if (isStored([partName, shape, hasWeightDecay])) offset += size;
      return parameter;
    });
    const rows = placed.reduce((sum, part) => sum + part.shape[0]!, 0);
    const shape = [rows, ...placed[0]!.shape.slice(1)];
    const size = placed.reduce((sum, part) => sum + part.size, 0);
    return { name, shape, offset: start, size, parts: placed };
  });
  return { inputs, length: Math.ceil(offset / ALIGNMENT_ELEMENTS) * ALIGNMENT_ELEMENTS };
}

/** A flat buffer with a layout of named parameters and graph inputs. */
export class TensorStore {
  readonly data: Float32Array;
  readonly inputs: readonly FusedInput[];
  readonly parameters: readonly Parameter[];
  /** The number of elements without the gaps. */
  readonly elementCount: number;
  readonly #byName: ReadonlyMap<string, Parameter>;
  #version = 0;

  constructor({ inputs, length }: StoreLayout) {
    this.data = new Float32Array(length);
    this.inputs = inputs;
    this.parameters = inputs.flatMap((input) => input.parts);
    this.elementCount = this.parameters.reduce((sum, parameter) => sum + parameter.size, 0);
    this.#byName = new Map(this.parameters.map((parameter) => [parameter.name, parameter]));
  }

  /** The number of times that the elements were declared to have changed. */
  get version(): number {
    return this.#version;
  }

  /** Declares that elements have changed, so that copies on a device are made again. */
  markChanged(): void {
    this.#version++;
  }

  getParameter(name: string): Parameter {
    const parameter = this.#byName.get(name);
    assert(parameter, `there is no parameter ${name}`);
    return parameter;
  }

  hasParameter(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Returns a parameter's elements, row-major and in place: writing changes the store. */
  view(name: string): Float32Array {
    const { offset, size } = this.getParameter(name);
    return this.data.subarray(offset, offset + size);
  }

  /** Returns whether an input or parameter lies in the flat buffer. */
  isFloat(_name: string): boolean {
    return true;
  }

  /**
   * Returns graph inputs over the live buffer, under the names of inputs and of parameters. They are zero-copy, so
   * build them once and feed them after every update. On a device they are copied again after `markChanged`. A session takes those that its graph declares.
   */
  feeds(): Record<string, Tensor> {
    const entries = this.inputs.flatMap((input) => [input, ...input.parts]);
    return Object.fromEntries(
      entries
        .filter(({ name }) => this.isFloat(name))
        .map(({ name, shape, offset, size }) => [
          name,
          declareResident(tensor(this.data.subarray(offset, offset + size), shape), this, name),
        ]),
    );
  }
}
