/** A server program of a test that is started again on the same port whenever it dies. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface RestartingProgram {
  readonly url: string;
  /** How often it was started again. */
  readonly restarts: () => number;
  stop(): Promise<void>;
}

/**
 * Starts a script of Node that listens on PORT, or on any port without it, and prints its port. It must end when its
 * standard input ends.
 */
export async function startRestartingProgram(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<RestartingProgram> {
  let restarts = 0;
  let isStopped = false;
  let child: ChildProcess;
  const start = (port: string): Promise<string> => {
    const started = spawn(process.execPath, [script], {
      env: { ...process.env, ...env, PORT: port },
      stdio: ["pipe", "pipe", "inherit"],
    });
    child = started;
    return new Promise((resolve) => {
      createInterface({ input: started.stdout }).once("line", (line) => {
        started.once("exit", () => {
          if (isStopped) return;
          restarts += 1;
          void start(line);
        });
        resolve(line);
      });
    });
  };
  const port = await start("0");
  return {
    url: `http://127.0.0.1:${port}`,
    restarts: () => restarts,
    async stop() {
      isStopped = true;
      const ended = child.exitCode === null ? once(child, "exit") : undefined;
      child.kill("SIGKILL");
      await ended;
    },
  };
}
