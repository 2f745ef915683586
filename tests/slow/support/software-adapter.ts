/**
 * Finds a software adapter for WebGPU: the SwiftShader library that Chromium brings along, with its Vulkan loader. The
 * environment must be set before the process starts, because the system's loader reads it then.
 */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { findChromium } from "./chromium.ts";

const FOLDERS = ["/usr/lib/chromium", "/usr/lib/chromium-browser", "/opt/google/chrome"];
const FILES = ["vk_swiftshader_icd.json", "libvk_swiftshader.so", "libvulkan.so.1"];

export const NO_ADAPTER =
  "no software adapter for WebGPU is found: on Linux x64 the package chromium brings one (libvk_swiftshader.so)";

/**
 * Returns the environment in which WebGPU computes in software, or undefined when there is no such adapter. On a machine
 * with a GPU, `BOWLINE_ADAPTER=own` runs the same tests on it.
 */
export function findSoftwareAdapter(): Readonly<Record<string, string>> | undefined {
  if (process.env["BOWLINE_ADAPTER"] === "own") return {};
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const chromium = findChromium();
  const folders = [...(chromium ? [dirname(realpathSync(chromium))] : []), ...FOLDERS];
  const folder = folders.find((each) => FILES.every((file) => existsSync(join(each, file))));
  if (folder === undefined) return undefined;
  const driver = join(folder, "vk_swiftshader_icd.json");
  return {
    VK_DRIVER_FILES: driver,
    VK_ICD_FILENAMES: driver,
    LD_LIBRARY_PATH: [folder, process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":"),
    XDG_RUNTIME_DIR: process.env["XDG_RUNTIME_DIR"] ?? "/tmp",
  };
}
