/**
 * Where the command line writes, and what that place can do: colours, width, lines that are drawn again.
 *
 * Results go to stdout, progress and errors to stderr, so that a pipe gets exactly the result. Nothing below this
 * folder prints; nothing in this folder asks `process` for these facts again.
 */
import { styleText } from "node:util";

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "blue" | "cyan" | "magenta";

export interface Terminal {
  /** Text to stdout, with a newline at its end. */
  print(text?: string): void;
  /** Text to stderr, with a newline at its end. */
  note(text?: string): void;
  /** True when stderr shows lines that may be drawn again (a terminal that is not in CI). */
  readonly live: boolean;
  /** True when a person types into stdin. */
  readonly typed: boolean;
  /** Of stdout, at least 40. Text for pipes is laid out for 100. */
  readonly columns: number;
  /** Colours `text` for stdout; returns it unchanged where colours are not wanted. */
  readonly paint: Paint;
  /** The same for stderr. */
  readonly paintNote: Paint;
}

export type Paint = (style: Style | readonly Style[], text: string) => string;

export const plain: Paint = (_, text) => text;

/** The terminal of this process. NO_COLOR and FORCE_COLOR are honoured (no-color.org). */
export function processTerminal(): Terminal {
  const { stdout, stderr, stdin, env } = process;
  for (const stream of [stdout, stderr]) stream.on("error", leaveOnBrokenPipe);
  return {
    print: (text = "") => void stdout.write(`${text}\n`),
    note: (text = "") => void stderr.write(`${text}\n`),
    live: stderr.isTTY === true && !env["CI"] && env["TERM"] !== "dumb",
    typed: stdin.isTTY === true,
    columns: Math.max(40, stdout.columns ?? 100),
    paint: wantsColour(stdout, env) ? colour : plain,
    paintNote: wantsColour(stderr, env) ? colour : plain,
  };
}

const colour: Paint = (style, text) =>
  styleText(style as Parameters<typeof styleText>[0], text, { validateStream: false });

function wantsColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return env["FORCE_COLOR"] !== "0";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

/** `bowline ... | head` closes our stdout: that is no error of ours. */
function leaveOnBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
}
