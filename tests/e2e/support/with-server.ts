/** `bowline serve ... --json` as a process: it prints its facts when it listens, and Ctrl-C ends it. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type FinishedProcess, runBowline } from "./cli.ts";

/** Runs `use` while a server runs, ends it with Ctrl-C, and gives what it left behind. */
export async function withServer<Facts>(
  args: readonly string[],
  use: (facts: Facts) => Promise<void>,
): Promise<FinishedProcess> {
  let child: ChildProcess | undefined;
  const finished = runBowline(["serve", "--json", "--port", "0", ...args], {
    onStart: (started) => {
      child = started;
    },
  });
  const [line] = await Promise.race([
    once(child!.stdout!, "data"),
    finished.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  try {
    await use(JSON.parse(String(line)) as Facts);
  } finally {
    child!.kill("SIGINT");
  }
  return finished;
}
