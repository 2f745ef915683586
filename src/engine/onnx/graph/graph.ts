/**
 * A typed graph under construction: values, the nodes that make them, and how derivatives flow back through them.
 *
 * Operations are functions of values (`add(a, b)`) in the other files of this folder. Each adds one ONNX node,
 * derives the shape of its result, and may define how a cotangent of its outputs becomes cotangents of its inputs.
 * That rule adds nodes to the same graph, so a backward pass is more of the same graph and ONNX Runtime runs both. A
 * dimension is a number or a symbol. Two symbols are equal when their names are.
 */
import { assert } from "../../../core/index.ts";
import {
  type Attribute,
  type Bytes,
  type ConstantTensor,
  type Dim,
  type DType,
  encodeModel,
  type NodeDef,
  type ValueInfo,
} from "../proto/index.ts";

export type Shape = readonly Dim[];

/** A tensor that will exist when the graph runs. */
export interface Value {
  readonly graph: Graph;
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
}

/** Maps cotangents of a node's outputs (undefined: zero) to cotangents of its inputs (undefined: none flows). */
export type BackwardRule = (
  outputCotangents: readonly (Value | undefined)[],
) => readonly (Value | undefined)[];

/** A step of the differentiable program: one or more ONNX nodes that are seen as one function of `inputs`. */
export interface DifferentiableStep {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly backward: BackwardRule;
}

export interface EmitOptions {
  readonly domain?: string;
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

export class Graph {
  readonly name: string;
  /** The steps in order of creation, which is a topological order. */
  readonly steps: DifferentiableStep[] = [];
  readonly #nodes: NodeDef[] = [];
  readonly #inputs: ValueInfo[] = [];
  readonly #outputs: ValueInfo[] = [];
  readonly #initializers = new Map<string, ConstantTensor>();
  /** The input and axis from which a symbolic size is read when the graph runs. */
  readonly #symbols = new Map<string, { readonly input: Value; readonly axis: number }>();
  readonly #sizes = new Map<string, Value>();
  readonly #constants = new Map<string, Value>();
  #count = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Declares a graph input. */
  addInput(name: string, dtype: DType, shape: Shape): Value {
    assert(
      !this.#inputs.some((other) => other.name === name),
      `${this.name} has two inputs ${name}`,
    );
    const value = this.#makeValue(name, dtype, shape);
    this.#inputs.push({ name, dtype, shape });
    shape.forEach((dim, axis) => {
      if (typeof dim === "string" && !this.#symbols.has(dim))
        this.#symbols.set(dim, { input: value, axis });
    });
    return value;
  }

  /** Makes `value` an output called `name` and returns it. */
  addOutput(name: string, value: Value): Value {
    const [named] = this.emit("Identity", [value], [value]);
    const last = this.#nodes.at(-1)!;
    this.#nodes[this.#nodes.length - 1] = { ...last, outputs: [name] };
    this.#outputs.push({ name, dtype: value.dtype, shape: value.shape });
    return { ...named!, name };
  }

  /** Returns a constant. Equal constants are stored once. */
  constant(dtype: DType, dims: readonly number[], values: readonly number[]): Value {
    const key = `${dtype}[${dims}]:${values}`;
    const known = this.#constants.get(key);
    if (known) return known;
    const value = this.#makeValue(this.#uniqueName("constant"), dtype, dims);
    this.#initializers.set(value.name, { dtype, dims, data: toTypedArray(dtype, values) });
    this.#constants.set(key, value);
    return value;
  }

  /**
   * Returns a constant whose bytes the runtime reads in place when a session is made, so that the model's own bytes
   * stay few. Kernels may prepare such constants once, in a layout of their own.
   */
  constantData(name: string, tensor: ConstantTensor): Value {
    const value = this.#makeValue(name, tensor.dtype, tensor.dims);
    this.#initializers.set(name, { ...tensor, isExternal: true });
    return value;
  }

  /** The bytes of large constants, which a session takes beside the model. */
  get externalData(): readonly { readonly path: string; readonly data: Uint8Array }[] {
    return [...this.#initializers].flatMap(([path, { data, isExternal }]) =>
      isExternal
        ? [{ path, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) }]
        : [],
    );
  }

  /** Returns a float32 constant of rank 0. */
  scalar(value: number): Value {
    return this.constant("float32", [], [value]);
  }

  /** Returns whether a symbolic size can be read from an input. */
  hasSymbol(symbol: string): boolean {
    return this.#symbols.has(symbol);
  }

  /** Returns the sizes of a shape as an int64 vector. Symbols such as `batch*time` are read from the inputs. */
  shapeVector(shape: Shape): Value {
    if (shape.every((dim) => typeof dim === "number"))
      return this.constant("int64", [shape.length], shape);
    const parts = shape.map((dim) =>
      typeof dim === "number" ? this.constant("int64", [1], [dim]) : this.#symbolSize(dim),
    );
    return this.emit("Concat", parts, [{ dtype: "int64", shape: [shape.length] }], {
      attributes: { axis: { int: 0 } },
    })[0]!;
  }

  /**
   * Appends one ONNX node and returns its outputs. `inputs` may hold undefined for an omitted optional input. The
   * caller is responsible for the types and shapes of the outputs. Operations with derivatives also call
   * `defineGradient`.
   */
  emit(
    type: string,
    inputs: readonly (Value | undefined)[],
    outputs: readonly { readonly dtype: DType; readonly shape: Shape }[],
    options: EmitOptions = {},
  ): Value[] {
    for (const input of inputs) {
      assert(
        !input || input.graph === this,
        `${type} in ${this.name} got a value of another graph`,
      );
    }
    const name = this.#uniqueName(type);
    const values = outputs.map(({ dtype, shape }, i) =>
      this.#makeValue(outputs.length === 1 ? name : `${name}:${i}`, dtype, shape),
    );
    this.#nodes.push({
      type,
      domain: options.domain ?? "",
      name,
      inputs: inputs.map((input) => input?.name ?? ""),
      outputs: values.map((value) => value.name),
      attributes: options.attributes ?? {},
    });
    return values;
  }

  /** Defines how cotangents of `outputs` flow back to `inputs`. */
  defineGradient(
    inputs: readonly Value[],
    outputs: readonly Value[],
    backward: BackwardRule,
  ): void {
    this.steps.push({ inputs, outputs, backward });
  }

  /**
   * Runs `forward` as one step with its own derivative instead of the derivatives of the operations inside it. The
   * backward rule may use the values that `forward` returned; the first of them is the step's output.
   */
  withCustomGradient<T extends readonly Value[]>(
    inputs: readonly Value[],
    forward: () => T,
    backward: (made: T, outputCotangent: Value) => readonly (Value | undefined)[],
  ): Value {
    const mark = this.steps.length;
    const made = forward();
    this.steps.length = mark;
    this.defineGradient(inputs, [made[0]!], ([dy]) => backward(made, dy!));
    return made[0]!;
  }

  /** Makes it an error, instead of zero, when a cotangent reaches `outputs`. */
  rejectGradient(inputs: readonly Value[], outputs: readonly Value[]): void {
    this.defineGradient(inputs, outputs, () => {
      throw new Error(`invariant violated: ${outputs[0]!.name} has no derivative`);
    });
  }

  /** Returns the model's bytes, without nodes that no output needs. The graph may grow further afterwards. */
  encode(): Bytes {
    return encodeModel({
      name: this.name,
      nodes: this.#neededNodes(),
      inputs: this.#inputs,
      outputs: this.#outputs,
      initializers: this.#initializers,
    });
  }

  #neededNodes(): NodeDef[] {
    const needed = new Set(this.#outputs.map((output) => output.name));
    const kept = this.#nodes.toReversed().filter((node) => {
      if (!node.outputs.some((name) => needed.has(name))) return false;
      for (const name of node.inputs) needed.add(name);
      return true;
    });
    return kept.toReversed();
  }

  #makeValue(name: string, dtype: DType, shape: Shape): Value {
    return { graph: this, name, dtype, shape };
  }

  #uniqueName(label: string): string {
    return `${label}#${this.#count++}`;
  }

  /** Returns an input's size, or `a*b`, `a/4` or `3*a/4` of such sizes, as an int64 vector of length 1. */
  #symbolSize(symbol: string): Value {
    const known = this.#sizes.get(symbol);
    if (known) return known;
    const size = symbol.includes("*")
      ? this.#productSize(symbol.split("*"))
      : symbol.includes("/")
        ? this.#quotientSize(symbol)
        : this.#inputSize(symbol);
    this.#sizes.set(symbol, size);
    return size;
  }

  #productSize(factors: readonly string[]): Value {
    const sizes = factors.map((factor) =>
      /^\d+$/.test(factor) ? this.shapeVector([Number(factor)]) : this.#symbolSize(factor),
    );
    return sizes.reduce((a, b) => this.emit("Mul", [a, b], [a])[0]!);
  }

  #quotientSize(symbol: string): Value {
    const [over, under] = symbol.split("/") as [string, string];
    const whole = this.#symbolSize(over);
    return this.emit("Div", [whole, this.shapeVector([Number(under)])], [whole])[0]!;
  }

  #inputSize(symbol: string): Value {
    const source = this.#symbols.get(symbol);
    assert(source, `no input of ${this.name} has a dimension ${symbol}`);
    return this.emit("Shape", [source.input], [{ dtype: "int64", shape: [1] }], {
      attributes: { start: { int: source.axis }, end: { int: source.axis + 1 } },
    })[0]!;
  }
}

function toTypedArray(dtype: DType, values: readonly number[]): ConstantTensor["data"] {
  switch (dtype) {
    case "float32":
      return Float32Array.from(values);
    case "float64":
      return Float64Array.from(values);
    case "int32":
      return Int32Array.from(values);
    case "int64":
      return BigInt64Array.from(values, (value) => BigInt(value));
    case "bool":
    case "uint8":
      return Uint8Array.from(values);
    default:
      return dtype satisfies never;
  }
}
