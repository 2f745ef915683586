/** Counts the bytes that cross between this thread's memory and the device. */
import { getProvider } from "./current-provider.ts";
import type { Tensor } from "./onnx-runtime.ts";

/** The bytes that crossed between this thread's memory and the device. Both are 0 on the CPU. */
export interface DeviceTraffic {
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
}

const traffic = { uploadedBytes: 0, downloadedBytes: 0 };

/** Returns the traffic of this thread so far. */
export function readDeviceTraffic(): DeviceTraffic {
  return { ...traffic };
}

/** Counts tensors of this thread's memory that are copied to the device or from it. */
export function countTraffic(direction: keyof DeviceTraffic, tensors: Iterable<Tensor>): void {
  if (getProvider() === "cpu") return;
  for (const { data } of tensors) traffic[direction] += (data as ArrayBufferView).byteLength;
}
