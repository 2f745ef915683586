/** Starts a timed server in a process of its own, so that measurements of this process do not include it. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { BowlineError, resolveBuiltUrl } from "../../../core/index.ts";
import type { TimedServerCounts, TimedServerOptions } from "./timed-server.ts";

export interface ForkedTimedServer {
  readonly url: string;
  /** Asks the process what it has seen so far. */
  counts(): Promise<TimedServerCounts>;
  close(): Promise<void>;
}

/** Throws a `config` error when the process ends before it listens. */
export async function forkTimedServer(options: TimedServerOptions): Promise<ForkedTimedServer> {
  const entry = resolveBuiltUrl(new URL("./timed-server-process.ts", import.meta.url).href);
  const child = fork(fileURLToPath(entry), [JSON.stringify(options)], {
    execArgv: entry.endsWith(".ts") ? ["--import", import.meta.resolve("tsx")] : [],
  });
  const exited = once(child, "exit");
  const receive = async () => {
    const message = await Promise.race([once(child, "message"), exited.then(() => undefined)]);
    if (message !== undefined) return message[0] as unknown;
    throw new BowlineError("config", "the timed server ended before it answered");
  };
  const { url } = (await receive()) as { url: string };
  return {
    url,
    async counts() {
      const counts = receive();
      child.send("counts");
      return (await counts) as TimedServerCounts;
    },
    async close() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
