/**
 * Before `npm run test:slow`: installs Chromium where that is harmless (Linux with apt, as root, no browser named), and says so
 * in a line where it cannot. It never fails, and gives the network less than a minute.
 */
import { spawnSync } from "node:child_process";
import { findChromium, MISSING } from "./chromium.ts";

const NETWORK_MS = 45_000;
const APT = ["-qq", "-y", "--no-install-recommends", "-o", "Acquire::Retries=0"];

/** The network's part has a time limit; what is unpacked is not cut off half way, or apt would be left broken. */
function install(): void {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return;
  if (process.env["BOWLINE_CHROMIUM"]) return;
  const end = Date.now() + NETWORK_MS;
  const apt = (...args: string[]) => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const timeout = Math.max(1, end - Date.now());
    const isNetwork = !args.includes("--no-download");
    return spawnSync("apt-get", args, { env, stdio: "ignore", ...(isNetwork && { timeout }) });
  };
  const fetched = () => apt("install", ...APT, "--download-only", "chromium").status === 0;
  if (!fetched() && (apt("update", "-qq").status !== 0 || !fetched())) return;
  apt("install", ...APT, "--no-download", "chromium");
}

if (findChromium() === undefined) install();
const found = findChromium();
console.log(found ? `browser tests run in ${found}` : `browser tests are skipped: ${MISSING}`);
