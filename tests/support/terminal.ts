/** Runs the command line in the process of the test, and keeps the printed lines, without colours. */
import { Readable } from "node:stream";
import { runCommandLine } from "../../src/cli/program.ts";
import { fitText } from "../../src/cli/render/fit-text.ts";
import type { Channel } from "../../src/cli/terminal.ts";

/** Returns a channel and the lines that are written to it, in a terminal of `width` columns or in a pipe. */
export function recordLines(width?: number): {
  readonly lines: string[];
  readonly channel: Channel;
} {
  const lines: string[] = [];
  const channel: Channel = {
    writeLine: (text = "") => void lines.push(width ? fitText(text, width) : text),
    paint: (_, text) => text,
    canRedraw: false,
    columns: width ?? 100,
    stream: process.stdout,
  };
  return { lines, channel };
}

/**
 * Runs the words of a command line that follow `bowline`. `input` is piped into it, and the output goes to a terminal of
 * `width` columns, or to a pipe.
 */
export async function runBowlineInProcess(args: readonly string[], input = "", width?: number) {
  const [out, err] = [recordLines(width), recordLines(width)];
  const code = await runCommandLine(args, {
    in: Readable.from([input]),
    out: out.channel,
    err: err.channel,
  });
  return { code, stdout: out.lines.join("\n"), stderr: err.lines.join("\n") };
}
