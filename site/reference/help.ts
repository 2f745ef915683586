/** Reads the help of all commands into its parts, by running `bowline train --help` and so on, as a user does. */
import { EXIT_CODES } from "../../src/cli/command-context.ts";
import { runCommandLine } from "../../src/cli/program.ts";
import type { Channel, Terminal } from "../../src/cli/terminal.ts";

export interface CommandHelp {
  /** The words after `bowline`, such as `world check`; empty for `bowline` itself. */
  readonly words: readonly string[];
  /** The description of the command in its parent command's list of commands. */
  readonly summary: string;
  readonly usage: string;
  readonly description: string;
  readonly arguments: readonly HelpItem[];
  readonly options: readonly HelpItem[];
  readonly commands: readonly HelpItem[];
  /** The text after the options, such as examples and exit codes. */
  readonly after: string;
}

export interface HelpItem {
  readonly term: string;
  readonly text: string;
}

/** Reads the help of `bowline` and of all its commands, in the order in which they are listed. */
export async function readAllHelp(
  words: readonly string[] = [],
  summary = "",
): Promise<CommandHelp[]> {
  const help = { words, summary, ...parseHelp(await runAndCapture([...words, "--help"])) };
  const subcommands: CommandHelp[] = [];
  for (const { term, text } of help.commands)
    subcommands.push(...(await readAllHelp([...words, term.split(" ")[0]!], text)));
  return [help, ...subcommands];
}

async function runAndCapture(argv: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const channel: Channel = {
    writeLine: (line = "") => void lines.push(line),
    paint: (_, text) => text,
    canRedraw: false,
    columns: 100,
    stream: process.stdout,
  };
  const terminal: Terminal = { in: process.stdin, out: channel, err: channel };
  const code = await runCommandLine(argv, terminal);
  if (code !== EXIT_CODES.done) throw new Error(`bowline ${argv.join(" ")}: exit code ${code}`);
  return lines.join("\n");
}

const HEADINGS = ["Arguments:", "Options:", "Commands:"];

function parseHelp(help: string): Omit<CommandHelp, "words" | "summary"> {
  const paragraphs = help.trim().split(/\n{2,}/);
  const [usage = "", description = ""] = paragraphs;
  const listed = new Map<string, HelpItem[]>();
  let next = 2;
  for (; next < paragraphs.length; next++) {
    const [heading = "", ...lines] = paragraphs[next]!.split("\n");
    if (!HEADINGS.includes(heading)) break;
    listed.set(heading, parseItems(lines));
  }
  return {
    usage: usage.replace(/^Usage: /, ""),
    description: description.replace(/\s+/g, " "),
    arguments: listed.get("Arguments:") ?? [],
    options: (listed.get("Options:") ?? []).filter(({ term }) => !/^-[hv], /.test(term)),
    commands: (listed.get("Commands:") ?? []).filter(({ term }) => !/^help\b/.test(term)),
    after: paragraphs.slice(next).join("\n\n"),
  };
}

/** Parses lines of two columns, a term and its text. The text may continue in further lines without a term. */
function parseItems(lines: readonly string[]): HelpItem[] {
  const found: { term: string; text: string }[] = [];
  for (const line of lines) {
    const [, term, text = ""] = /^ {2}(\S.*?)(?: {2,}(\S.*))?$/.exec(line) ?? [];
    if (term !== undefined) found.push({ term, text });
    else if (found.length > 0) found.at(-1)!.text += ` ${line.trim()}`;
  }
  return found;
}
