/**
 * The terminal: where the command line writes to, and whether it can show colours and redraw lines. Only this folder
 * prints, and only this file asks `process` about the terminal.
 */
import type { Readable } from "node:stream";
import { styleText } from "node:util";
import { toVisibleText } from "../core/index.ts";
import { fitText } from "./render/fit-text.ts";

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "blue" | "cyan" | "magenta";
/** Colours a text, or returns it unchanged if colours are not wanted. */
export type Paint = (style: Style | readonly Style[], text: string) => string;

/** One of the two output streams. */
export interface Channel {
  /**
   * Writes a text and a newline. Control characters in it become visible, apart from the colours of `paint`. On a
   * terminal, lines that are too long break at words.
   */
  writeLine(text?: string): void;
  readonly paint: Paint;
  /** True for a terminal outside CI, where lines can be erased and drawn again. */
  readonly canRedraw: boolean;
  /** The width in characters, at least 40. It is 100 if the output is a pipe. */
  readonly columns: number;
  readonly stream: NodeJS.WriteStream;
}

/** The input, which comes from a person or a pipe. */
export type Input = Readable & { readonly isTTY?: boolean };

export interface Terminal {
  readonly in: Input;
  /** The channel for results. With `--json` it receives only the JSON. */
  readonly out: Channel;
  /** The channel for errors. With `--json` it also receives progress. */
  readonly err: Channel;
}

/** Returns the terminal of this process. NO_COLOR and FORCE_COLOR are respected (no-color.org). */
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
  const breakLines = (text: string) =>
    stream.isTTY === true ? fitText(text, Math.max(40, stream.columns)) : text;
  return {
    writeLine: (text = "") => void stream.write(`${breakLines(toVisibleText(text, true))}\n`),
    paint: wantsColours(stream, env) ? applyColours : skipColours,
    canRedraw: stream.isTTY === true && !env["CI"] && env["TERM"] !== "dumb",
    columns: Math.max(40, stream.columns ?? 100),
    stream,
  };
}

const skipColours: Paint = (_, text) => text;

const applyColours: Paint = (style, text) =>
  styleText(style as Parameters<typeof styleText>[0], text, { validateStream: false });

function wantsColours(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return env["FORCE_COLOR"] !== "0";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

/**
 * Exits with 0 when the reader of our output closes the pipe, as in `bowline ... | head`, and throws any other error.
 */
function exitOnBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
}
