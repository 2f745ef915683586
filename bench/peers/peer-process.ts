/**
 * Runs the peer, a Python program, as a process that reads requests and writes answers as lines of JSON. When Python or
 * a package is missing, the error names it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The programs of this folder that a peer runs: PyTorch and transformers, or TRL's trainer. */
export type PeerScript = "peer.py" | "trl_peer.py";

export interface PeerInfo {
  readonly versions: Readonly<Record<string, string>>;
  readonly threads: number;
  readonly python: string;
}

/** A function that answers a question of the peer in the middle of an operation. */
export type AnswerQuestion = (question: unknown) => Promise<unknown>;

export class Peer {
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  readonly #waiting: ((line: string | undefined) => void)[] = [];
  #said = "";

  private constructor(python: string, threads: number, script: PeerScript) {
    const path = fileURLToPath(new URL(script, import.meta.url));
    this.#child = spawn(python, ["-u", path], {
      env: { ...process.env, BOWLINE_PEER_THREADS: String(threads) },
    });
    this.#child.stderr!.on("data", (chunk) => {
      this.#said = `${this.#said}${chunk}`.slice(-4000);
    });
    this.#child.on("error", (error) => {
      this.#said += error.message;
    });
    this.#child.stdin!.on("error", () => {}); // When the peer dies, the end of its output reports this.
    this.#lines = createInterface({ input: this.#child.stdout! });
    this.#lines.on("line", (line) => this.#waiting.shift()?.(line));
    this.#lines.on("close", () => {
      for (const resolve of this.#waiting.splice(0)) resolve(undefined);
    });
  }

  /** Starts the peer. Throws an error with instructions when Python or a package is missing. */
  static async start(
    python: string,
    threads: number,
    script: PeerScript = "peer.py",
  ): Promise<{ peer: Peer; hello: PeerInfo }> {
    const peer = new Peer(python, threads, script);
    return { peer, hello: await peer.call<PeerInfo>("hello") };
  }

  /** Sends a request, answers the peer's questions with `onAsk`, and returns the result. */
  async call<T>(op: string, args: object = {}, onAsk?: AnswerQuestion): Promise<T> {
    let line = await this.#exchange({ op, ...args });
    for (;;) {
      const message = JSON.parse(line) as { answer?: T; error?: string; ask?: unknown };
      if (message.error !== undefined)
        throw new Error(`the peer failed at ${op}: ${message.error}`);
      if (message.ask === undefined) return message.answer as T;
      if (!onAsk)
        throw new Error(`the peer asked a question during ${op}, but the call has no onAsk`);
      line = await this.#exchange((await onAsk(message.ask)) as object);
    }
  }

  close(): void {
    this.#child.stdin!.end();
  }

  async #exchange(message: object): Promise<string> {
    const line = await new Promise<string | undefined>((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin!.write(`${JSON.stringify(message)}\n`);
    });
    if (line !== undefined) return line;
    throw new Error(explainFailure(this.#said, this.#child.spawnfile));
  }
}

function explainFailure(said: string, python: string): string {
  const missing = said.match(/No module named '([\w.]+)'/)?.[1];
  if (missing) {
    return `${python} has no package ${missing}; the peers need torch and transformers, and those of TRL also trl and openenv: ${python} -m pip install torch transformers trl openenv`;
  }
  if (/ENOENT/.test(said)) {
    return `there is no Python at ${python}; set --python to one that has torch and transformers`;
  }
  return `the peer's process ended:\n${said.trim()}`;
}
