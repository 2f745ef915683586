/**
 * Reads the fenced blocks of a page of documentation. Tests do this with each kind of block:
 *
 *   sh, bash             run it in the page's folder, in order
 *   ts, js               save `ts name.ts` under that name for later commands, and run a block without a name
 *   ts examples/name.ts  check that the pieces between lines `// ...` stand in that example, which ships
 *   python examples/...  the same, for programs of other people's trainers
 *   json                 parse it, and save it when it has a name
 *   math                 a formula, which the build of the site reads
 *   text output          check that the command before it printed every line; a line `...` leaves something out
 *
 * A block whose first line is the comment `needs: hardware`, `needs: network` or `needs: minutes` is not run.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../e2e/support/cli.ts";

export type BlockNeed = "hardware" | "network" | "minutes";
export type BlockKind = "shell" | "program" | "excerpt" | "json" | "output" | "plain";

export interface PageBlock {
  /** Number of the block's first line in the page, counted from 1. */
  readonly line: number;
  readonly kind: BlockKind;
  readonly code: string;
  /** The name that follows the language, such as `desk.ts`. */
  readonly file?: string;
  readonly needs?: BlockNeed;
}

export interface Page {
  /** Path from the root of the repository, such as `docs/guide/install.md`. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly PageBlock[];
}

const FENCE = /^```([^\n`]*)\n([\s\S]*?)^```$/gm;
const NEEDS = /^(?:#|\/\/) needs: (\w+)/;
const KNOWN_NEEDS: readonly string[] = ["hardware", "network", "minutes"] satisfies BlockNeed[];

/** Reads the README and every page of `docs/`, sorted by path. */
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
  const need = NEEDS.exec(code)?.[1];
  if (need !== undefined && !KNOWN_NEEDS.includes(need))
    throw new Error(`${place}: needs: expected ${KNOWN_NEEDS.join(", ")}, got ${need}`);
  return {
    kind,
    code,
    ...(file !== undefined && kind !== "output" && { file }),
    ...(need !== undefined && { needs: need as BlockNeed }),
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
    case "python":
      if (file?.startsWith("examples/")) return "excerpt";
      throw new Error(`${place}: a block of Python must be a part of an example`);
    case "json":
      return "json";
    case "text":
      return file === "output" ? "output" : "plain";
    case "":
    case "bibtex":
    case "math":
      return "plain";
    default:
      throw new Error(`${place}: unknown language of a block: ${language}`);
  }
}

/** Matches a command, which must stand in a block of `sh` so that a test runs it. */
const COMMAND = /^(?: {4}|\$ )?(?:npx|npm|bowline|node|git|curl|pip|python3?|tinker) \S/;

/** Finds commands in indented or plain blocks, which no test runs, as `page:line: text`. */
export function findHiddenCommands({ path, text, blocks }: Page): string[] {
  const prose = text.replace(FENCE, (block) => block.replace(/[^\n]/g, ""));
  const commandsInProse = prose
    .split("\n")
    .flatMap((line, i) => (/^ {4}/.test(line) && COMMAND.test(line) ? [`${i + 1}: ${line}`] : []));
  const commandsInPlainBlocks = blocks
    .filter(({ kind }) => kind === "plain")
    .flatMap(({ code, line }) => (COMMAND.test(code) ? [`${line}: ${code.split("\n")[0]}`] : []));
  return [...commandsInProse, ...commandsInPlainBlocks].map((found) => `${path}:${found.trim()}`);
}
