/** Runs the command line in the process of the test, and keeps the printed lines, without colours. */
import { Readable } from "node:stream";
import { runCommandLine } from "../../src/cli/program.ts";
import type { Channel } from "../../src/cli/terminal.ts";

/** Returns a channel and the lines that are written to it. */
export function recordLines(): { readonly lines: string[]; readonly channel: Channel } {
  const lines: string[] = [];
  const channel: Channel = {
    writeLine: (text = "") => void lines.push(text),
    paint: (_, text) => text,
    canRedraw: false,
    columns: 100,
    stream: process.stdout,
  };
  return { lines, channel };
}

/** Runs the words of a command line that follow `bowline`. `input` is piped into it. */
export async function runBowlineInProcess(args: readonly string[], input = "") {
  const [out, err] = [recordLines(), recordLines()];
  const code = await runCommandLine(args, {
    in: Readable.from([input]),
    out: out.channel,
    err: err.channel,
  });
  return { code, stdout: out.lines.join("\n"), stderr: err.lines.join("\n") };
}
