/**
 * Weights that stay on a device. On a provider other than the CPU every input of a run is copied to the device, which
 * for weights would be most of the traffic. A tensor that belongs to an owner is copied once and again only after the
 * owner's version has changed. All other inputs and outputs cross in every run, and are counted.
 */
import { assert } from "../../../core/index.ts";
import { executionProviders, getProvider } from "./current-provider.ts";
import { Graph } from "./graph.ts";
import { getOnnxRuntime, type RuntimeSession, type Tensor } from "./onnx-runtime.ts";

/** What owns tensors that may stay on a device, such as a store of weights. */
export interface ResidentOwner {
  /** Grows whenever numbers of the owner's tensors have changed. */
  readonly version: number;
}

/** The bytes that crossed between this thread's memory and the device. Both are 0 on the CPU. */
export interface DeviceTraffic {
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
}

interface DeviceCopy {
  readonly version: number;
  readonly tensor: Tensor & { dispose?(): void };
}

const sources = new WeakMap<Tensor, { readonly owner: ResidentOwner; readonly name: string }>();
const copies = new WeakMap<ResidentOwner, Map<string, DeviceCopy>>();
const uploaders = new Map<number, Promise<RuntimeSession>>();
const traffic = { uploadedBytes: 0, downloadedBytes: 0 };

/** Declares that a tensor's numbers change only with the owner's version. `name` is its name in the owner. */
export function declareResident(tensor: Tensor, owner: ResidentOwner, name: string): Tensor {
  sources.set(tensor, { owner, name });
  return tensor;
}

/** Returns the traffic of this thread so far. */
export function readDeviceTraffic(): DeviceTraffic {
  return { ...traffic };
}

/**
 * Returns the feeds that a session with these inputs reads, with weights replaced by their copies on the device, and
 * counts what a run with them copies to it.
 */
export async function toDeviceFeeds(
  feeds: Readonly<Record<string, Tensor>>,
  inputNames: readonly string[],
): Promise<Readonly<Record<string, Tensor>>> {
  if (getProvider() === "cpu") return feeds;
  const entries: [string, Tensor][] = [];
  for (const name of inputNames) {
    const tensor = feeds[name];
    if (!tensor) continue;
    const source = sources.get(tensor);
    if (source && hasDeviceBuffers()) {
      entries.push([name, await copyOnDevice(tensor, source.owner, source.name)]);
    } else {
      traffic.uploadedBytes += byteLength(tensor);
      entries.push([name, tensor]);
    }
  }
  return Object.fromEntries(entries);
}

/** Counts the outputs of a run, which are copied from the device. */
export function countDownloads(tensors: Iterable<Tensor>): void {
  if (getProvider() === "cpu") return;
  for (const tensor of tensors) traffic.downloadedBytes += byteLength(tensor);
}

/** Returns whether tensors of this thread's provider can stay on the device between runs. */
const hasDeviceBuffers = () => getProvider() === "webgpu";

async function copyOnDevice(tensor: Tensor, owner: ResidentOwner, name: string): Promise<Tensor> {
  const own = copies.get(owner) ?? new Map<string, DeviceCopy>();
  copies.set(owner, own);
  const known = own.get(name);
  if (known?.version === owner.version) return known.tensor;
  known?.tensor.dispose?.();
  const session = await getUploader(tensor.dims.length);
  const { y } = await session.run({ x: tensor }, { y: null });
  assert(y, "an upload has one output");
  traffic.uploadedBytes += byteLength(tensor);
  own.set(name, { version: owner.version, tensor: y });
  return y;
}

/** Returns the session whose output is its input on the device. It lives as long as the thread. */
function getUploader(rank: number): Promise<RuntimeSession> {
  const known = uploaders.get(rank);
  if (known) return known;
  const graph = new Graph("upload");
  const dims = Array.from({ length: rank }, (_, axis) => `size ${axis}`);
  graph.addOutput("y", graph.addInput("x", "float32", dims));
  const session = getOnnxRuntime().InferenceSession.create(graph.encode(), {
    executionProviders: executionProviders(),
    preferredOutputLocation: "gpu-buffer",
    logSeverityLevel: 3,
  });
  uploaders.set(rank, session);
  return session;
}

function byteLength(tensor: Tensor): number {
  return (tensor.data as ArrayBufferView).byteLength;
}
