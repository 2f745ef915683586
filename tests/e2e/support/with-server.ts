/**
 * Runs `bowline serve ... --json` as a process. The process prints one line of facts, such as its URL, when it listens.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type FinishedProcess, runBowline } from "./cli.ts";

/**
 * Starts a server with further environment variables, calls `use` with its facts, ends it with Ctrl-C, and returns its
 * exit code and output.
 */
export async function withServer<Facts>(
  args: readonly string[],
  use: (facts: Facts) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<FinishedProcess> {
  let child: ChildProcess | undefined;
  const finished = runBowline(["serve", "--json", "--port", "0", ...args], {
    env,
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
