/** Tests the process that ends groups when this one dies. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createGroupGuard } from "./group-guard.ts";

/** Returns the shells that this process started to guard groups. */
function findGuards(): number[] {
  const isGuard = (pid: string) => {
    try {
      const [, , , parent] = readFileSync(`/proc/${pid}/stat`, "latin1").split(" ");
      const line = readFileSync(`/proc/${pid}/cmdline`, "latin1");
      return Number(parent) === process.pid && line.includes("read -r change group");
    } catch {
      return false;
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isGuard(name))
    .map(Number);
}

/** A number that no process group has, because it is above the largest id of a process. */
const NO_GROUP = 2 ** 23;

it.skipIf(process.platform !== "linux")(
  "a guard that somebody killed holds nothing up",
  async () => {
    const before = findGuards();
    const guard = createGroupGuard();
    guard.add(NO_GROUP);
    const [pid] = findGuards().filter((one) => !before.includes(one));
    process.kill(pid!, "SIGKILL");
    while (findGuards().includes(pid!)) await sleep(10);
    await sleep(50);
    guard.remove(NO_GROUP);
    const outcome = guard.rest().then(() => "rested");
    expect(await Promise.race([outcome, sleep(2000, "never")])).toBe("rested");
  },
);
