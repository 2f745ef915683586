/**
 * The help of a command, read back into its parts. It is asked of the command line as a user asks (`bowline train --help`), so
 * the reference says what the program says, however its commands are put together.
 */

import { EXIT_CODES } from "../../src/cli/command-context.ts";
import { runCommandLine } from "../../src/cli/program.ts";
import type { Channel, Terminal } from "../../src/cli/terminal.ts";

export interface Help {
  /** The words behind `bowline`: none, `train`, or `world check`. */
  readonly words: readonly string[];
  /** What the command above says of it in its list. */
  readonly summary: string;
  readonly usage: string;
  readonly description: string;
  readonly arguments: readonly Item[];
  readonly options: readonly Item[];
  readonly commands: readonly Item[];
  /** What follows: examples, exit codes. */
  readonly after: string;
}

export interface Item {
  readonly term: string;
  readonly text: string;
}

/** The help of `bowline` and of every command below it, in the order in which they are listed. */
export async function allHelp(words: readonly string[] = [], summary = ""): Promise<Help[]> {
  const help = { words, summary, ...parse(await printed([...words, "--help"])) };
  const below: Help[] = [];
  for (const { term, text } of help.commands)
    below.push(...(await allHelp([...words, term.split(" ")[0]!], text)));
  return [help, ...below];
}

async function printed(argv: readonly string[]): Promise<string> {
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

function parse(help: string): Omit<Help, "words" | "summary"> {
  const paragraphs = help.trim().split(/\n{2,}/);
  const [usage = "", description = ""] = paragraphs;
  const listed = new Map<string, Item[]>();
  let read = 2;
  for (; read < paragraphs.length; read++) {
    const [heading = "", ...lines] = paragraphs[read]!.split("\n");
    if (!HEADINGS.includes(heading)) break;
    listed.set(heading, items(lines));
  }
  return {
    usage: usage.replace(/^Usage: /, ""),
    description: description.replace(/\s+/g, " "),
    arguments: listed.get("Arguments:") ?? [],
    options: (listed.get("Options:") ?? []).filter(({ term }) => !/^-[hv], /.test(term)),
    commands: (listed.get("Commands:") ?? []).filter(({ term }) => !/^help\b/.test(term)),
    after: paragraphs.slice(read).join("\n\n"),
  };
}

/** Two columns: a term and its text, which goes on in lines without a term. */
function items(lines: readonly string[]): Item[] {
  const found: { term: string; text: string }[] = [];
  for (const line of lines) {
    const [, term, text = ""] = /^ {2}(\S.*?)(?: {2,}(\S.*))?$/.exec(line) ?? [];
    if (term !== undefined) found.push({ term, text });
    else if (found.length > 0) found.at(-1)!.text += ` ${line.trim()}`;
  }
  return found;
}
