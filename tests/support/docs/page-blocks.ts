/**
 * The fenced blocks of a page of documentation, and what is to be done with each.
 *
 *   sh, bash             run in the page's folder, in order
 *   ts, js               `ts name.ts` is written under that name, for the commands that follow; without a name it is run
 *   ts examples/name.ts  a part of that example, which ships: the pieces between lines `// ...` stand in the file
 *   json                 parsed, and written where it has a name
 *   text output          every line was printed by the command before it; a line `...` leaves something out
 *
 * A block whose first line is the comment `needs: hardware`, `network` or `minutes` is not run. The comment is in the text,
 * so a reader sees it too, wherever the page is shown.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../e2e/support/cli.ts";

export type BlockNeed = "hardware" | "network" | "minutes";
export type BlockKind = "shell" | "program" | "excerpt" | "json" | "output" | "plain";

export interface PageBlock {
  /** Of its first line in the page, from 1. */
  readonly line: number;
  readonly kind: BlockKind;
  readonly code: string;
  /** The name behind the language, such as `desk.ts`. */
  readonly file?: string;
  readonly needs?: BlockNeed;
}

export interface Page {
  /** From the root of the repository, such as `docs/guide/install.md`. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly PageBlock[];
}

const FENCE = /^```([^\n`]*)\n([\s\S]*?)^```$/gm;
const NEEDS = /^(?:#|\/\/) needs: (\w+)/;
const KNOWN_NEEDS: readonly string[] = ["hardware", "network", "minutes"] satisfies BlockNeed[];

/** The README and every page of `docs/`, by path. */
export function readPages(): Page[] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true })
    .map((name) => `docs/${String(name).replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md"));
  return ["README.md", ...docs.sort()].map(readPageFile);
}

function readPageFile(path: string): Page {
  const text = readFileSync(join(ROOT, path), "utf8");
  const blocks = [...text.matchAll(FENCE)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    return { line, ...readBlock(match[1]!.trim(), match[2]!, `${path}:${line}`) };
  });
  return { path, text, blocks };
}

function readBlock(info: string, code: string, place: string): Omit<PageBlock, "line"> {
  const [language = "", file] = info.split(" ");
  const kind = blockKind(language, file, place);
  const asked = NEEDS.exec(code)?.[1];
  if (asked !== undefined && !KNOWN_NEEDS.includes(asked))
    throw new Error(`${place}: needs: expected ${KNOWN_NEEDS.join(", ")}, came ${asked}`);
  return {
    kind,
    code,
    ...(file !== undefined && kind !== "output" && { file }),
    ...(asked !== undefined && { needs: asked as BlockNeed }),
  };
}

function blockKind(language: string, file: string | undefined, place: string): BlockKind {
  switch (language) {
    case "sh":
    case "bash":
      return "shell";
    case "ts":
    case "js":
      return file?.startsWith("examples/") ? "excerpt" : "program";
    case "json":
      return "json";
    case "text":
      return file === "output" ? "output" : "plain";
    case "":
    case "bibtex":
      return "plain";
    default:
      throw new Error(`${place}: nothing is known of blocks in ${language}`);
  }
}

/** A line that belongs into a block of `sh`: text that nothing runs may not pass for a command. */
const COMMAND = /^(?: {4}|\$ )?(?:npx|npm|bowline|node|git|curl|pip|python3?|tinker) \S/;

/** Commands in indented or plain blocks, as `page:line: text`. */
export function findHiddenCommands({ path, text, blocks }: Page): string[] {
  const prose = text.replace(FENCE, (block) => block.replace(/[^\n]/g, ""));
  const inProse = prose
    .split("\n")
    .flatMap((line, i) => (/^ {4}/.test(line) && COMMAND.test(line) ? [`${i + 1}: ${line}`] : []));
  const inPlain = blocks
    .filter(({ kind }) => kind === "plain")
    .flatMap(({ code, line }) => (COMMAND.test(code) ? [`${line}: ${code.split("\n")[0]}`] : []));
  return [...inProse, ...inPlain].map((found) => `${path}:${found.trim()}`);
}
