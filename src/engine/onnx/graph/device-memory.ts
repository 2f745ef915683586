/**
 * Tensors that live on the device. A session reads them in place, and writes those that are named in `into` in place,
 * so that what one graph computes reaches the next one without crossing to this thread's memory.
 *
 * A tensor may be seen with other sizes (`viewOnDevice`), always from its beginning. It is freed by `freeOnDevice`, and
 * otherwise when nothing refers to it any more.
 */
import { assert } from "../../../core/index.ts";
import type { DType } from "../proto/index.ts";
import { executionProviders, getProvider } from "./current-provider.ts";
import { countTraffic } from "./device-traffic.ts";
import { beginCall, inDeviceTurn } from "./device-turns.ts";
import { Graph } from "./graph.ts";
import {
  type DeviceType,
  getOnnxRuntime,
  type RuntimeSession,
  type Tensor,
} from "./onnx-runtime.ts";

/** Returns whether tensors of this thread's provider can stay on the device between runs. */
export function hasDeviceMemory(): boolean {
  return getProvider() === "webgpu";
}

/** Returns whether a tensor lies on the device. Its numbers can then be read only by `readFromDevice`. */
export function isOnDevice(tensor: Tensor): boolean {
  return tensor.location === "gpu-buffer";
}

/** The sessions that copy and fill, by what they do. They live as long as the thread. */
const movers = new Map<string, Promise<RuntimeSession>>();

/** Returns a new tensor of zeros on the device. */
export async function allocateOnDevice(dims: readonly number[]): Promise<Tensor> {
  const session = await getMover("zeros", true, () => {
    const graph = new Graph("zeros");
    const size = graph.addInput("size", "int64", [1]);
    const output = { dtype: "float32", shape: ["n"] } as const;
    graph.addOutput("y", graph.emit("Expand", [graph.scalar(0), size], [output])[0]!);
    return graph;
  });
  const size = BigInt64Array.of(BigInt(countElements(dims)));
  const { y } = await inDeviceTurn(() =>
    session.run({ size: new (getOnnxRuntime().Tensor)("int64", size, [1]) }, { y: null }),
  );
  assert(y, "zeros have one output");
  return viewOnDevice(y, dims);
}

/** Copies a tensor of this thread's memory to the device. */
export async function copyToDevice(tensor: Tensor): Promise<Tensor> {
  const copier = await getCopier(tensor, true);
  const { y } = await inDeviceTurn(() => copier.run({ x: tensor }, { y: null }));
  assert(y, "a copy has one output");
  countTraffic("uploadedBytes", [tensor]);
  return y;
}

/** Returns the numbers of a tensor on the device. */
export async function readFromDevice(tensor: Tensor): Promise<Float32Array> {
  const copier = await getCopier(tensor, false);
  const { y } = await inDeviceTurn(() => copier.run({ x: tensor }, { y: null }));
  assert(y?.data instanceof Float32Array, "a tensor of floats has floats");
  countTraffic("downloadedBytes", [y]);
  return y.data;
}

/** Returns the beginning of a tensor on the device under other sizes, without a copy. */
export function viewOnDevice(tensor: Tensor, dims: readonly number[]): Tensor {
  const dataType = tensor.type as DeviceType;
  return getOnnxRuntime().Tensor.fromGpuBuffer(tensor.gpuBuffer, { dataType, dims });
}

let numbers: { readonly count: number; readonly tensor: Promise<Tensor> } | undefined;

/** Returns a tensor on the device that begins with the numbers 0 to `count` - 1, as float32. */
export function numbersOnDevice(count: number): Promise<Tensor> {
  if (numbers && numbers.count >= count) return numbers.tensor;
  const length = 2 ** Math.ceil(Math.log2(Math.max(1024, count)));
  const values = Float32Array.from({ length }, (_, i) => i);
  const tensor = copyToDevice(new (getOnnxRuntime().Tensor)("float32", values, [length]));
  numbers = { count: length, tensor };
  return tensor;
}

/** Frees a tensor and all its views. */
export function freeOnDevice(tensor: Tensor): void {
  const endCall = beginCall();
  tensor.dispose?.();
  endCall();
}

function getCopier({ type, dims }: Tensor, staysOnDevice: boolean): Promise<RuntimeSession> {
  const name = `copy of ${type}, ${dims.length} axes, ${staysOnDevice}`;
  return getMover(name, staysOnDevice, () => {
    const graph = new Graph("copy");
    const sizes = dims.map((_, axis) => `size ${axis}`);
    graph.addOutput("y", graph.addInput("x", type as DType, sizes));
    return graph;
  });
}

function getMover(name: string, staysOnDevice: boolean, build: () => Graph) {
  const known = movers.get(name);
  if (known) return known;
  const session = inDeviceTurn(() =>
    getOnnxRuntime().InferenceSession.create(build().encode(), {
      executionProviders: executionProviders(),
      ...(staysOnDevice && { preferredOutputLocation: "gpu-buffer" as const }),
      logSeverityLevel: 3,
    }),
  );
  movers.set(name, session);
  return session;
}

function countElements(dims: readonly number[]): number {
  return dims.reduce((a, b) => a * b, 1);
}
