/**
 * Plays 1,000 episodes with faults on an OpenEnv server, and prints the memory of the server's process after each
 * hundred. The server is a process of its own: `npx tsx bench/openenv/faults.ts [WORLD]`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { playFaultyEpisodes } from "../../tests/support/openenv-faults.ts";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const world = process.argv[2] ?? "toy";
const server = spawn(
  process.execPath,
  [MAIN, "serve", "--openenv", world, "--port", "0", "--json"],
  {
    stdio: ["ignore", "pipe", "inherit"],
  },
);
const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
const { webSocket } = JSON.parse(line) as { readonly webSocket: string };

/** Reads the resident memory of the server, in MB, where the system has /proc. */
function readResidentMb(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024);
}

const residentMb: number[] = [];
for (let hundred = 1; hundred <= 10; hundred++) {
  await playFaultyEpisodes(webSocket, { count: 100, clients: 8, seed: hundred });
  residentMb.push(readResidentMb());
  console.log(`${hundred * 100} episodes: ${residentMb.at(-1)} MB`);
}
console.log(JSON.stringify({ world, residentMb, growthMb: residentMb.at(-1)! - residentMb[0]! }));
server.kill("SIGINT");
await once(server, "exit");
