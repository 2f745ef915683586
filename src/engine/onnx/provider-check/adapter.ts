/**
 * What can be known about the graphics adapters of this machine. ONNX Runtime does not say which adapter it uses, so
 * the operating system is asked: its files on Linux, its own programs on macOS and Windows. Whatever it does not tell
 * is unknown.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { basename, join } from "node:path";

export interface Adapter {
  /** A name for people, or "unknown". */
  readonly name: string;
  readonly memoryBytes: number | undefined;
  /** The driver and its version, as far as they are known. */
  readonly driver: string | undefined;
}

/** How the operating system is asked. Tests pass their own. */
export interface SystemReader {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** Returns a file's text, or undefined when it cannot be read. */
  readFile(path: string): string | undefined;
  /** Returns the names in a folder, or an empty list. */
  listFolder(path: string): readonly string[];
  /** Returns a program's output, or undefined when it cannot be run. */
  run(program: string, args: readonly string[]): string | undefined;
  readonly totalMemoryBytes: number;
}

const PROGRAM_TIMEOUT_MS = 10_000;

const tryTo = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

export const thisSystem: SystemReader = {
  platform: process.platform,
  env: process.env,
  readFile: (path) => tryTo(() => readFileSync(path, "utf8")),
  listFolder: (path) => tryTo(() => readdirSync(path)) ?? [],
  run: (program, args) =>
    tryTo(() =>
      execFileSync(program, [...args], {
        encoding: "utf8",
        timeout: PROGRAM_TIMEOUT_MS,
        stdio: ["ignore", "pipe", "ignore"],
        windowsHide: true,
      }),
    ),
  totalMemoryBytes: totalmem(),
};

/** Returns the adapters that the operating system names, the one with most memory first. The list may be empty. */
export function listAdapters(system: SystemReader = thisSystem): Adapter[] {
  const adapters =
    system.platform === "darwin"
      ? listOnMac(system)
      : system.platform === "win32"
        ? listOnWindows(system)
        : (listVulkanDrivers(system) ?? listOnLinux(system));
  return adapters.sort((a, b) => (b.memoryBytes ?? 0) - (a.memoryBytes ?? 0));
}

/** Returns the drivers that the environment names for Vulkan. They replace those of the system. */
function listVulkanDrivers({ env, readFile }: SystemReader): Adapter[] | undefined {
  const named = env["VK_DRIVER_FILES"] ?? env["VK_ICD_FILENAMES"];
  if (!named) return undefined;
  return named.split(":").map((path) => {
    const text = readFile(path);
    const library =
      text === undefined ? undefined : /"library_path"\s*:\s*"([^"]+)"/.exec(text)?.[1];
    const file = basename(library ?? path);
    const isSoftware = /swiftshader|lvp|llvmpipe/.test(file);
    return {
      name: isSoftware ? `${file} (software)` : file,
      memoryBytes: undefined,
      driver: path,
    };
  });
}

function listOnLinux(system: SystemReader): Adapter[] {
  const folder = "/sys/class/drm";
  const cards = system.listFolder(folder).filter((name) => /^card\d+$/.test(name));
  const found = cards.flatMap((card) => {
    const device = join(folder, card, "device");
    const vendor = system.readFile(join(device, "vendor"))?.trim();
    if (vendor === undefined) return [];
    if (vendor === NVIDIA) return [];
    const driver = /^DRIVER=(.+)$/m.exec(system.readFile(join(device, "uevent")) ?? "")?.[1];
    const product = system.readFile(join(device, "product_name"))?.trim();
    const id = system.readFile(join(device, "device"))?.trim() ?? "unknown";
    const memory = Number(system.readFile(join(device, "mem_info_vram_total")));
    const release = system.readFile("/proc/sys/kernel/osrelease")?.trim();
    return {
      name: product || `${VENDORS[vendor] ?? `vendor ${vendor}`} device ${id}`,
      memoryBytes: memory > 0 ? memory : undefined,
      driver: driver && `${driver} of Linux ${release ?? "unknown"}`,
    };
  });
  return [...listNvidia(system), ...found];
}

const NVIDIA = "0x10de";
const VENDORS: Readonly<Record<string, string>> = { "0x1002": "AMD", "0x8086": "Intel" };

function listNvidia(system: SystemReader): Adapter[] {
  const folder = "/proc/driver/nvidia/gpus";
  const version = /Kernel Module\s+(\S+)/.exec(
    system.readFile("/proc/driver/nvidia/version") ?? "",
  )?.[1];
  const query = ["--query-gpu=memory.total", "--format=csv,noheader,nounits"];
  const cards = system.listFolder(folder);
  const memories = cards.length > 0 ? (system.run("nvidia-smi", query) ?? "").split("\n") : [];
  return cards.map((card, i) => {
    const text = system.readFile(join(folder, card, "information")) ?? "";
    const mebibytes = Number(memories[i]);
    return {
      name: /^Model:\s*(.+)$/m.exec(text)?.[1]?.trim() ?? "NVIDIA",
      memoryBytes: mebibytes > 0 ? mebibytes * 2 ** 20 : undefined,
      driver: version === undefined ? undefined : `nvidia ${version}`,
    };
  });
}

function listOnMac(system: SystemReader): Adapter[] {
  const json = system.run("system_profiler", ["SPDisplaysDataType", "-json"]);
  const parsed = json === undefined ? undefined : tryTo(() => JSON.parse(json) as unknown);
  const cards = (parsed as { SPDisplaysDataType?: Record<string, unknown>[] })?.SPDisplaysDataType;
  return (cards ?? []).map((card) => {
    const name = card["sppci_model"] ?? card["_name"];
    const isApple = String(name).startsWith("Apple");
    return {
      name: typeof name === "string" ? name : "unknown",
      // Processor and graphics share the memory of an Apple chip.
      memoryBytes: isApple ? system.totalMemoryBytes : undefined,
      driver: undefined,
    };
  });
}

function listOnWindows(system: SystemReader): Adapter[] {
  const command =
    "Get-CimInstance Win32_VideoController | Select-Object Name,DriverVersion | ConvertTo-Json -Compress";
  const json = system.run("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", command]);
  const parsed = json === undefined ? undefined : tryTo(() => JSON.parse(json) as unknown);
  const cards = (Array.isArray(parsed) ? parsed : parsed ? [parsed] : []) as Record<
    string,
    unknown
  >[];
  // AdapterRAM is a 32-bit number there, and wrong from four gibibytes on.
  return cards.map((card) => ({
    name: typeof card["Name"] === "string" ? card["Name"] : "unknown",
    memoryBytes: undefined,
    driver: typeof card["DriverVersion"] === "string" ? card["DriverVersion"] : undefined,
  }));
}
