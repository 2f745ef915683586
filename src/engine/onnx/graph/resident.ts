/**
 * Weights that stay on a device. On a provider other than the CPU every input of a run is copied to the device, which
 * for weights would be most of the traffic. A tensor that belongs to an owner is copied once and again only after the
 * owner's version has changed. All other inputs and outputs cross in every run, and are counted.
 *
 * The optimizer changes copies in place. The owner's own numbers are then older than the copies, until they are read
 * back.
 */
import { executionProviders } from "./current-provider.ts";
import {
  copyToDevice,
  freeOnDevice,
  hasDeviceMemory,
  isOnDevice,
  readFromDevice,
  viewOnDevice,
} from "./device-memory.ts";
import { countTraffic } from "./device-traffic.ts";
import type { Tensor } from "./onnx-runtime.ts";

/** What owns tensors that may stay on a device, such as a store of weights. */
export interface ResidentOwner {
  /** Grows whenever numbers of the owner's tensors have changed. */
  readonly version: number;
}

interface DeviceCopy {
  readonly version: number;
  readonly source: Tensor;
  readonly tensor: Tensor;
  /** Whether the copy has newer numbers than its source. */
  isNewer: boolean;
}

const sources = new WeakMap<Tensor, { readonly owner: ResidentOwner; readonly name: string }>();
const copies = new WeakMap<ResidentOwner, Map<string, DeviceCopy>>();

/** Declares that a tensor's numbers change only with the owner's version. `name` is its name in the owner. */
export function declareResident(tensor: Tensor, owner: ResidentOwner, name: string): Tensor {
  sources.set(tensor, { owner, name });
  return tensor;
}

/**
 * Returns the feeds that a session with these inputs reads, with weights replaced by their copies on the device, and
 * counts what a run with them copies to it.
 */
export async function toDeviceFeeds(
  feeds: Readonly<Record<string, Tensor>>,
  inputNames: readonly string[],
): Promise<Readonly<Record<string, Tensor>>> {
  if (executionProviders()[0] === "cpu") return feeds;
  const entries: [string, Tensor][] = [];
  for (const name of inputNames) {
    const tensor = feeds[name];
    if (!tensor) continue;
    const resident = await findOnDevice(tensor);
    if (!resident) countTraffic("uploadedBytes", [tensor]);
    entries.push([name, resident ?? tensor]);
  }
  return Object.fromEntries(entries);
}

/** Returns a tensor on the device or the copy of one that belongs to an owner, and undefined for all others. */
async function findOnDevice(tensor: Tensor): Promise<Tensor | undefined> {
  if (isOnDevice(tensor)) return tensor;
  const source = sources.get(tensor);
  return source && hasDeviceMemory() ? copyOf(tensor, source.owner, source.name) : undefined;
}

/** Returns the copy on the device of a tensor that was declared resident, made when it is missing or old. */
export async function residentCopy(tensor: Tensor): Promise<Tensor> {
  return (await findOnDevice(tensor)) ?? tensor;
}

async function copyOf(source: Tensor, owner: ResidentOwner, name: string): Promise<Tensor> {
  const own = copies.get(owner) ?? new Map<string, DeviceCopy>();
  copies.set(owner, own);
  const known = own.get(name);
  if (known?.version === owner.version) return viewLike(known.tensor, source);
  if (known) freeOnDevice(known.tensor);
  const tensor = await copyToDevice(source);
  own.set(name, { version: owner.version, source, tensor, isNewer: false });
  return tensor;
}

/** Returns a tensor on the device under the sizes of another. */
function viewLike(tensor: Tensor, { dims }: Tensor): Tensor {
  const isSame = dims.length === tensor.dims.length && dims.every((d, i) => d === tensor.dims[i]);
  return isSame ? tensor : viewOnDevice(tensor, dims);
}

/** Declares that a graph has changed the copies of these tensors of an owner. */
export function markCopiesChanged(owner: ResidentOwner, names: Iterable<string>): void {
  const own = copies.get(owner);
  for (const name of names) own!.get(name)!.isNewer = true;
}

/** Reads back what graphs have changed, into the memory of the tensors that were copied. */
export async function readCopiesBack(owner: ResidentOwner): Promise<void> {
  for (const copy of copies.get(owner)?.values() ?? []) {
    if (!copy.isNewer || copy.version !== owner.version) continue;
    (copy.source.data as Float32Array).set(await readFromDevice(copy.tensor));
    copy.isNewer = false;
  }
}
