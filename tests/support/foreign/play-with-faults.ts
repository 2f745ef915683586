/** Plays episodes behind a door whose program is faulty, in a process of its own, and says what must hold. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { ROOT, runCommand } from "../../e2e/support/cli.ts";
import type { DoorName } from "./doors.ts";

const FAULT_RATE = "0.03";
const MEMORY_MB = 20;

/** Plays `episodes` episodes. Nothing is counted twice, no reward is invented, and nothing is left behind. */
export async function expectNoHarm(door: DoorName, episodes: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bowline-faults-"));
  try {
    const script = join(ROOT, "tests/support/foreign/fault-run.ts");
    const args = ["--expose-gc", "--import", "tsx", script, door, String(episodes), FAULT_RATE];
    const { code, stdout, stderr } = await runCommand(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: folder },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    console.log(`${door}: ${stdout.trim()}`);
    const { played, passed, failed, lost, wrong, memoryMb, ...others } = JSON.parse(stdout);
    expect({ played, wrong, counted: passed + failed + lost }).toEqual({
      ...{ played: episodes, wrong: 0, counted: episodes },
    });
    // A third of the agents is right, and most episodes survive their faults.
    expect(passed).toBeGreaterThan(episodes / 4);
    expect(memoryMb[1] - memoryMb[0]).toBeLessThanOrEqual(MEMORY_MB);
    const { processesLeft, foldersLeft, socketsLeft } = others;
    expect({ processesLeft, foldersLeft, socketsLeft }).toEqual({
      ...{ processesLeft: 0, foldersLeft: 0, socketsLeft: 0 },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
