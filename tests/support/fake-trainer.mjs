/**
 * Stands in for `bowline train` in tests of the studio: writes run.json and a lock into the directory of `--out`,
 * prints lines, and ends cleanly at SIGINT. `--run.fails=CODE` makes it exit with that code before it begins.
 */
import { mkdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

const [, setting, , method, ...words] = process.argv.slice(2);
const readOption = (name) =>
  words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const fails = readOption("run.fails");
if (fails !== undefined) {
  console.log("looking");
  console.error(`error: refused with ${fails}`);
  process.exit(Number(fails));
}

const out = readOption("out");
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "run.lock"), JSON.stringify({ ...describeProcess(), since: "2026-01-01" }));
writeFileSync(join(out, "run.json"), JSON.stringify({ config: { setting, method } }));
console.log("it trains");
process.on("SIGINT", () => {
  console.log("stopped");
  rmSync(join(out, "run.lock"));
  process.exit(130);
});
setInterval(() => {}, 1000);

function describeProcess() {
  const identity = { pid: process.pid, host: hostname() };
  try {
    return { ...identity, pids: readlinkSync("/proc/self/ns/pid") };
  } catch {
    return identity;
  }
}
