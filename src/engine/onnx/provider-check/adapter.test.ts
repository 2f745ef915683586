import { expect, test } from "vitest";
import { listAdapters, type SystemReader } from "./adapter.ts";

const GIBIBYTE = 2 ** 30;

/** Makes a system from its files, the outputs of its programs and its environment. */
function makeSystem(
  platform: NodeJS.Platform,
  files: Readonly<Record<string, string>>,
  programs: Readonly<Record<string, string>> = {},
  env: NodeJS.ProcessEnv = {},
): SystemReader {
  return {
    platform,
    env,
    readFile: (path) => files[path],
    listFolder: (path) => [
      ...new Set(
        Object.keys(files)
          .filter((file) => file.startsWith(`${path}/`))
          .map((file) => file.slice(path.length + 1).split("/")[0]!),
      ),
    ],
    run: (program) => programs[program],
    totalMemoryBytes: 16 * GIBIBYTE,
  };
}

const card = (index: number, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      `/sys/class/drm/card${index}/device/${name}`,
      text,
    ]),
  );

test("on Linux an AMD card has its name, memory and driver, and comes before the processor's own graphics", () => {
  const system = makeSystem("linux", {
    ...card(0, { vendor: "0x8086\n", device: "0x46a6\n", uevent: "DRIVER=i915\nPCI_ID=8086:46A6" }),
    ...card(1, {
      vendor: "0x1002\n",
      device: "0x744c\n",
      uevent: "DRIVER=amdgpu\n",
      product_name: "Radeon RX 7900 XTX\n",
      mem_info_vram_total: String(24 * GIBIBYTE),
    }),
    "/proc/sys/kernel/osrelease": "6.1.0\n",
  });
  expect(listAdapters(system)).toEqual([
    { name: "Radeon RX 7900 XTX", memoryBytes: 24 * GIBIBYTE, driver: "amdgpu of Linux 6.1.0" },
    { name: "Intel device 0x46a6", memoryBytes: undefined, driver: "i915 of Linux 6.1.0" },
  ]);
});

test("on Linux an NVIDIA card has the name that its driver gives and the memory that nvidia-smi gives", () => {
  const system = makeSystem(
    "linux",
    {
      ...card(0, { vendor: "0x10de\n", device: "0x2684\n" }),
      "/proc/driver/nvidia/gpus/0000:01:00.0/information":
        "Model: \t\t NVIDIA GeForce RTX 4090\nIRQ: 1\n",
      "/proc/driver/nvidia/version":
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu\n",
    },
    { "nvidia-smi": "24564\n" },
  );
  expect(listAdapters(system)).toEqual([
    { name: "NVIDIA GeForce RTX 4090", memoryBytes: 24564 * 2 ** 20, driver: "nvidia 550.54.14" },
  ]);
});

test("a driver that the environment names for Vulkan replaces those of the system", () => {
  const env = { VK_DRIVER_FILES: "/opt/swift.json" };
  const files = {
    "/opt/swift.json": '{"ICD": {"library_path": "./libvk_swiftshader.so"}}',
    ...card(0, { vendor: "0x8086" }),
  };
  expect(listAdapters(makeSystem("linux", files, {}, env))).toEqual([
    { name: "libvk_swiftshader.so (software)", memoryBytes: undefined, driver: "/opt/swift.json" },
  ]);
});

test("a Mac's chip shares the memory of the machine", () => {
  const json = JSON.stringify({ SPDisplaysDataType: [{ sppci_model: "Apple M3" }] });
  expect(listAdapters(makeSystem("darwin", {}, { system_profiler: json }))).toEqual([
    { name: "Apple M3", memoryBytes: 16 * GIBIBYTE, driver: undefined },
  ]);
});

test("Windows tells names and drivers, and one card is not a list", () => {
  const json = JSON.stringify({ Name: "Intel Iris Xe", DriverVersion: "31.0.101" });
  expect(listAdapters(makeSystem("win32", {}, { "powershell.exe": json }))).toEqual([
    { name: "Intel Iris Xe", memoryBytes: undefined, driver: "31.0.101" },
  ]);
});

test.each(["linux", "darwin", "win32"] as const)(
  "%s without an answer gives no adapter",
  (platform) => {
    expect(listAdapters(makeSystem(platform, {}))).toEqual([]);
    const broken = { system_profiler: "not JSON", "powershell.exe": "" };
    expect(listAdapters(makeSystem(platform, {}, broken))).toEqual([]);
  },
);
