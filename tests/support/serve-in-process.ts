/** Runs a command that serves until Ctrl-C in this process, sends it a request, and stops it. */
import { Readable } from "node:stream";
import { runCommandLine } from "../../src/cli/program.ts";
import { recordLines } from "./terminal.ts";

/** What a server prints with `--json` when it has started. */
interface ServerFacts {
  readonly url: string;
  readonly key: string;
}

/**
 * Runs the words of a command line that follow `bowline`. When the server has printed its facts, `request` is sent and
 * the server is stopped. Returns the answer as `stdout`; if the command ends before that, what it printed.
 */
export async function serveInProcess(
  args: readonly string[],
  request: (facts: ServerFacts) => Promise<Response>,
) {
  const [out, err] = [recordLines(), recordLines()];
  let answer: Promise<string> | undefined;
  const stop = () => (process.listeners("SIGINT").at(-1) as () => void)();
  const writeLine = (text = "") => {
    out.channel.writeLine(text);
    if (answer !== undefined || !text.startsWith("{")) return;
    answer = request(JSON.parse(text) as ServerFacts)
      .then((response) => response.text())
      .finally(stop);
  };
  const terminal = {
    in: Readable.from([""]),
    out: { ...out.channel, writeLine },
    err: err.channel,
  };
  const code = await runCommandLine(args, terminal);
  return { code, stdout: (await answer) ?? out.lines.join("\n"), stderr: err.lines.join("\n") };
}
