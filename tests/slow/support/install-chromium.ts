/**
 * Installs Chromium before `npm run test:slow`, but only where this does no harm: on Linux with apt, as root, and when
 * BOWLINE_CHROMIUM is not set. Prints a line when there is no Chromium. The program never fails, and it stops a
 * download after a minute.
 */
import { spawnSync } from "node:child_process";
import { findChromium, NO_CHROMIUM } from "./chromium.ts";

const NETWORK_MS = 45_000;
const APT = ["-qq", "-y", "--no-install-recommends", "-o", "Acquire::Retries=0"];

/**
 * Installs Chromium. Only downloading has a time limit, because stopping apt while it unpacks a package would leave the
 * package broken.
 */
function installChromium(): void {
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

if (findChromium() === undefined) installChromium();
const found = findChromium();
console.log(found ? `browser tests run in ${found}` : `browser tests are skipped: ${NO_CHROMIUM}`);
