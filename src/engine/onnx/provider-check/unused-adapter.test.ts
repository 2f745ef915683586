import { expect, test } from "vitest";
import type { SystemReader } from "./adapter.ts";
import { describeUnusedAdapter, findUnusedAdapter } from "./unused-adapter.ts";

/** Makes a system whose programs answer with these texts, and on Linux with cards of these vendors. */
function makeSystem(
  platform: NodeJS.Platform,
  programs: Readonly<Record<string, string>>,
  vendors: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): SystemReader {
  return {
    platform,
    env,
    readFile: (path) => vendors[Number(/card(\d+).device.vendor$/.exec(path)?.[1])],
    listFolder: (path) => (path === "/sys/class/drm" ? vendors.map((_, i) => `card${i}`) : []),
    run: (program) => programs[program],
    totalMemoryBytes: 16 * 2 ** 30,
  };
}

const mac = {
  system_profiler: JSON.stringify({ SPDisplaysDataType: [{ sppci_model: "Apple M3" }] }),
};
const windows = { "powershell.exe": JSON.stringify({ Name: "NVIDIA GeForce RTX 4070" }) };

test("a GPU that a run leaves unused is named in one line with the option that uses it", () => {
  const found = findUnusedAdapter(makeSystem("darwin", mac), "arm64");
  expect(describeUnusedAdapter(found!)).toBe(
    "a GPU was found (Apple M3, 16 GB), and this run uses the processor; --engine.provider webgpu trains on the GPU (docs/how-to/gpu.md)",
  );
  expect(findUnusedAdapter(makeSystem("win32", windows), "x64")?.name).toBe(
    "NVIDIA GeForce RTX 4070",
  );
  expect(findUnusedAdapter(makeSystem("linux", {}, ["0x1af4", "0x8086"]), "x64")?.name).toMatch(
    /^Intel device/,
  );
});

test.each<[string, SystemReader, string]>([
  ["the display of a virtual machine", makeSystem("linux", {}, ["0x1af4", "0x1a03"]), "x64"],
  ["a platform without kernels for it", makeSystem("linux", {}, ["0x1002"]), "arm64"],
  ["a Mac with an Intel chip", makeSystem("darwin", mac), "x64"],
  [
    "a software adapter",
    makeSystem("linux", {}, [], { VK_DRIVER_FILES: "/opt/intel/libvk_swiftshader.so" }),
    "x64",
  ],
  ["nothing", makeSystem("win32", {}), "x64"],
])("%s is no GPU", (_, system, arch) => {
  expect(findUnusedAdapter(system, arch)).toBeUndefined();
});
