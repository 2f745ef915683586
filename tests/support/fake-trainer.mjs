/**
 * What the studio sees of `bowline train`: a record and a lock in the directory of `--out`, lines on the way, a clean end at
 * SIGINT. `--run.fails=CODE` makes it refuse with that code before it begins.
 */
import { mkdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

const [, setting, , method, ...words] = process.argv.slice(2);
const given = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const fails = given("run.fails");
if (fails !== undefined) {
  console.log("looking");
  console.error(`error: refused with ${fails}`);
  process.exit(Number(fails));
}

const out = given("out");
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "run.lock"), JSON.stringify({ ...whoIsIt(), since: "2026-01-01" }));
writeFileSync(join(out, "run.json"), JSON.stringify({ config: { setting, method } }));
console.log("it trains");
process.on("SIGINT", () => {
  console.log("stopped");
  rmSync(join(out, "run.lock"));
  process.exit(130);
});
setInterval(() => {}, 1000);

function whoIsIt() {
  const who = { pid: process.pid, host: hostname() };
  try {
    return { ...who, pids: readlinkSync("/proc/self/ns/pid") };
  } catch {
    return who;
  }
}
