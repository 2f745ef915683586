/** Finds a GPU that a run on the processor leaves unused. */
import { type Adapter, listAdapters, type SystemReader, thisSystem } from "./adapter.ts";

/** The platforms for which ONNX Runtime's package has kernels for a GPU (WebGPU). */
const PLATFORMS_WITH_WEBGPU = ["win32-x64", "win32-arm64", "linux-x64", "darwin-arm64"];

/** Makers of GPUs, as the operating systems spell them. Others are displays of virtual machines and servers. */
const MAKERS = /nvidia|geforce|quadro|tesla|amd|radeon|intel|apple m|qualcomm|adreno/i;

/**
 * Returns the GPU on which `engine.provider: webgpu` would compute, as the operating system names it, or undefined. It
 * asks the operating system only, and does not try the GPU.
 */
export function findUnusedAdapter(
  system: SystemReader = thisSystem,
  arch: string = process.arch,
): Adapter | undefined {
  if (!PLATFORMS_WITH_WEBGPU.includes(`${system.platform}-${arch}`)) return undefined;
  return listAdapters(system).find(({ name }) => MAKERS.test(name) && !name.endsWith("(software)"));
}

/** Says in one line that there is a GPU, and how to use it. */
export function describeUnusedAdapter({ name, memoryBytes }: Adapter): string {
  const memory = memoryBytes === undefined ? "" : `, ${Math.round(memoryBytes / 2 ** 30)} GB`;
  return `a GPU was found (${name}${memory}), and this run uses the processor; --engine.provider webgpu trains on the GPU (docs/how-to/gpu.md)`;
}
