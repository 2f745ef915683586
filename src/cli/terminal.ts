/**
 * Where the command line writes, and what each place can do: colours, width, lines that are drawn again.
 *
 * Nothing below this folder prints, and nothing else in this folder asks `process` for these facts again.
 */
import type { Readable } from "node:stream";
import { styleText } from "node:util";

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "blue" | "cyan" | "magenta";
/** Colours text; returns it unchanged where colours are not wanted. */
export type Paint = (style: Style | readonly Style[], text: string) => string;

export interface Channel {
  /** Text and a newline. */
  writeLine(text?: string): void;
  readonly paint: Paint;
  /** True when lines may be drawn again: a terminal that is not in CI. */
  readonly canRedraw: boolean;
  /** At least 40. Text for pipes is laid out for 100. */
  readonly columns: number;
  readonly stream: NodeJS.WriteStream;
}

/** Where a person, or a pipe, writes to us. */
export type Input = Readable & { readonly isTTY?: boolean };

export interface Terminal {
  readonly in: Input;
  /** Results. With `--json`, nothing but the JSON. */
  readonly out: Channel;
  /** Errors; with `--json` also progress. */
  readonly err: Channel;
}

/** The terminal of this process. NO_COLOR and FORCE_COLOR are honoured (no-color.org). */
export function processTerminal(): Terminal {
  return {
    in: process.stdin,
    out: createChannel(process.stdout),
    err: createChannel(process.stderr),
  };
}

function createChannel(stream: NodeJS.WriteStream): Channel {
  const { env } = process;
  stream.on("error", exitOnBrokenPipe);
  return {
    writeLine: (text = "") => void stream.write(`${text}\n`),
    paint: wantsColours(stream, env) ? paintColours : paintNothing,
    canRedraw: stream.isTTY === true && !env["CI"] && env["TERM"] !== "dumb",
    columns: Math.max(40, stream.columns ?? 100),
    stream,
  };
}

const paintNothing: Paint = (_, text) => text;

const paintColours: Paint = (style, text) =>
  styleText(style as Parameters<typeof styleText>[0], text, { validateStream: false });

function wantsColours(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return env["FORCE_COLOR"] !== "0";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

/** `bowline ... | head` closes our stdout: that is no error of ours. */
function exitOnBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
}
