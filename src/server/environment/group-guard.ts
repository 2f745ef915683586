/**
 * Ends process groups when this process dies, also when it is killed and cannot end them itself.
 *
 * The guard is a shell that reads the ids of living groups from a pipe. The pipe ends when this process does, and then
 * the shell ends the groups that are left. It is a process of its own session, so Ctrl-C does not reach it.
 */
import { type ChildProcess, spawn } from "node:child_process";

/** Knows the living process groups. */
export interface GroupGuard {
  add(group: number): void;
  remove(group: number): void;
  /** Ends the guard if it guards no group. Resolves when its process has ended. */
  rest(): Promise<void>;
}

/** The lines are "+ GROUP" and "- GROUP". */
const SCRIPT = `
live=" "
while read -r change group; do
  case $change in
    +) live="$live$group " ;;
    -) case "$live" in *" $group "*) live="\${live%% $group *} \${live#* $group }" ;; esac ;;
  esac
done
for group in $live; do kill -s TERM -- "-$group" 2>/dev/null; done
[ "$live" = " " ] || sleep 2
for group in $live; do kill -s KILL -- "-$group" 2>/dev/null; done
`;

/** Makes a guard, whose process starts with the first group. Windows has no process groups and gets none. */
export function createGroupGuard(): GroupGuard {
  const groups = new Set<number>();
  let guard: ChildProcess | undefined;
  return {
    add(group) {
      groups.add(group);
      guard ??= startGuard();
      guard?.stdin?.write(`+ ${group}\n`);
    },
    remove(group) {
      groups.delete(group);
      guard?.stdin?.write(`- ${group}\n`);
    },
    rest() {
      if (groups.size > 0 || guard === undefined) return Promise.resolve();
      const resting = guard;
      guard = undefined;
      return new Promise((resolve) => {
        const hasEnded = resting.exitCode !== null || resting.signalCode !== null;
        if (hasEnded || resting.pid === undefined) return resolve();
        resting.ref();
        resting.once("exit", () => resolve());
        resting.stdin?.end();
      });
    },
  };
}

function startGuard(): ChildProcess | undefined {
  if (process.platform === "win32") return undefined;
  const guard = spawn("/bin/sh", ["-c", SCRIPT], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a guard, groups still end by this process; only its own violent death is not covered.
  guard.on("error", () => {});
  guard.stdin.on("error", () => {});
  guard.unref();
  (guard.stdin as { unref?(): void }).unref?.();
  return guard;
}
