/**
 * A server in a process of its own: one JSON message a line on its standard input and output.
 *
 * The process leads a group, so that what it starts ends with it. A line that is no message after the first answer, the
 * end of the process, and a message that is too long end the channel.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { BowlineError, errorMessage, signalGroup } from "../../../core/index.ts";
import {
  answerServerRequest,
  MAX_MESSAGE_CHARS,
  parseMessage,
  type RpcChannel,
  type RpcMessage,
  readResult,
} from "./json-rpc.ts";

/** How a server's process is started. */
export interface StdioCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** All environment variables of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The time that a process has to end by itself, and then after SIGTERM, before SIGKILL. */
const GRACE_MS = 300;
/** The number of characters of the standard error that are kept for messages. */
const KEPT_ERROR_CHARS = 2000;

export class StdioChannel implements RpcChannel {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #ended: Promise<void>;
  #nextId = 1;
  #text = "";
  #errors = "";
  #hasAnswered = false;
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor({ command, args, env, cwd }: StdioCommand) {
    this.#child = spawn(command, args, { env, cwd, detached: true, stdio: "pipe" });
    const { stdin, stdout, stderr } = this.#child;
    stdout.setEncoding("utf8").on("data", (text: string) => this.#receive(text));
    stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-KEPT_ERROR_CHARS);
    });
    stdin.on("error", () => {});
    this.#child.on("error", (error) => this.#fail(`cannot start: ${errorMessage(error)}`));
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", () => resolve());
      this.#child.once("exit", (code, signal) => {
        this.#fail(`ended with ${signal ?? `exit code ${code}`}`);
        resolve();
      });
    });
  }

  request(method: string, params: object): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ jsonrpc: "2.0", id, method, params });
    });
  }

  async notify(method: string, params: object): Promise<void> {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  setHeaders(): void {}

  /** Ends the process and everything that it started. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const closed = new BowlineError("world", "the connection to the server is closed");
    this.#failure ??= closed;
    for (const { reject } of this.#pending.values()) reject(closed);
    this.#pending.clear();
    this.#child.stdin.end();
    if (!(await this.#endsWithin(GRACE_MS))) {
      this.#kill("SIGTERM");
      await this.#endsWithin(GRACE_MS);
    }
    this.#kill("SIGKILL");
    await this.#ended;
  }

  async #endsWithin(milliseconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), milliseconds);
    });
    const ended = await Promise.race([this.#ended.then(() => true), late]);
    clearTimeout(timer);
    return ended;
  }

  /** Sends a signal to the process group. The group may have ended already. */
  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid !== undefined) signalGroup(pid, signal);
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #receive(text: string): void {
    if (this.#failure) return;
    this.#text += text;
    if (this.#text.length > MAX_MESSAGE_CHARS) {
      this.#fail(`wrote a message of more than ${MAX_MESSAGE_CHARS} characters`);
      return;
    }
    const lines = this.#text.split("\n");
    this.#text = lines.pop()!;
    for (const line of lines) this.#receiveLine(line.trim());
  }

  #receiveLine(line: string): void {
    if (line === "" || this.#failure) return;
    try {
      this.#receiveMessage(parseMessage(line));
    } catch (error) {
      // Many servers greet on their standard output before they speak the protocol.
      if (this.#hasAnswered) this.#fail(errorMessage(error));
    }
  }

  #receiveMessage(message: RpcMessage): void {
    if (message.method !== undefined) {
      if (message.id !== undefined && message.id !== null) this.#send(answerServerRequest(message));
      return;
    }
    const pending = this.#pending.get(Number(message.id));
    if (!pending) return;
    this.#hasAnswered = true;
    this.#pending.delete(Number(message.id));
    try {
      pending.resolve(readResult(message));
    } catch (error) {
      pending.reject(error as Error);
    }
  }

  #fail(why: string): void {
    const errors = this.#errors.trim().split("\n").slice(-3).join(" | ");
    const name = [this.#child.spawnfile, ...this.#child.spawnargs.slice(1, 3)].join(" ");
    this.#failure ??= new BowlineError(
      "world",
      `the MCP server ${name} ${why}${errors === "" ? "" : `; it wrote: ${errors}`}`,
    );
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
    this.#kill("SIGKILL");
  }
}
