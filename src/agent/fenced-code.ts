/**
 * Extracts the code from a message of a small chat model, which was asked for one fenced block and often writes
 * something similar. The first of these rules that finds code decides:
 *
 *  1. The first block of JavaScript is taken. What follows it is ignored, because the model wrote that without having
 *     seen any output. A block without a language name is taken for JavaScript. A block that is never closed extends to
 *     the end of the message, and a block that is opened inside another ends the other. A fence may share its line with
 *     code.
 *  2. When no block is JavaScript, the first block whose text calls an API is taken, whatever its language name.
 *  3. When there is no block, the lines from the first to the last that begin like a statement are taken, if one of
 *     them calls an API or prints. Prose before and after them is ignored.
 *
 * Otherwise there is no code, and an empty cell is run. Text inside a thought is ignored.
 */
import { isJavaScriptFence, removeThought } from "./react-code.ts";

interface CodeBlock {
  readonly language: string;
  readonly lines: string[];
}

/** Returns the code of one cell, or an empty string when the message has no code. */
export function extractFencedCode(message: string): string {
  const text = removeThought(message);
  const blocks = findCodeBlocks(text).map(({ language, lines }) => ({
    language,
    code: lines.join("\n"),
  }));
  const chosen =
    blocks.find(({ language, code }) => isJavaScriptFence(language) && code.trim() !== "") ??
    blocks.find(({ code }) => API_CALL.test(code));
  return chosen?.code ?? (blocks.length > 0 ? "" : extractUnfencedCode(text));
}

const API_CALL = /\bapis\.\w+\.\w+\s*\(/;
const FENCE = /^[ \t]*(`{3,})(.*)$/;
/** Matches a fence at the end of a line of code. */
const FENCE_AFTER_CODE = /^(.*?[^`])(`{3,})[ \t]*$/;

function findCodeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { readonly fence: number; readonly block: CodeBlock } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, run = "", rest = ""] = FENCE.exec(line) ?? [];
    const [, last = "", late = ""] = FENCE_AFTER_CODE.exec(open ? line : rest) ?? [];
    if (open === undefined) {
      if (run === "") continue;
      const closes = late.length >= run.length;
      const block = openBlock(closes ? last : rest);
      blocks.push(block);
      if (!closes) open = { fence: run.length, block };
    } else if (run.length >= open.fence) {
      const name = rest.trim();
      const block = LANGUAGE_NAME.test(name) ? openBlock(rest) : undefined;
      if (block) blocks.push(block);
      open = block && { fence: run.length, block };
    } else if (late.length >= open.fence) {
      open.block.lines.push(last);
      open = undefined;
    } else open.block.lines.push(line);
  }
  return blocks;
}

const LANGUAGE_NAME = /^[a-z][\w+#.-]*$/i;

/** Starts a block from the text after an opening fence: a language name, code, or both. */
function openBlock(rest: string): CodeBlock {
  const text = rest.trim();
  if (text === "") return { language: "", lines: [] };
  if (LANGUAGE_NAME.test(text)) return { language: text, lines: [] };
  const [, name = "", code = ""] = /^([a-z]+)[ \t]+(.+)$/i.exec(text) ?? [];
  return name !== "" && isJavaScriptFence(name)
    ? { language: name, lines: [code] }
    : { language: "", lines: [text] };
}

const STATEMENT =
  /^\s*(?:apis\.\w|print\(|console\.\w|(?:await|var|let|const|function|async|return|throw)\s|(?:for|while|if|switch)\s*\(|(?:do|try|else)\s*\{|[}\])]|\/\/|[\w$.[\]]+\s*[-+]?=[^=])/;
const API_CALL_OR_PRINT = /\bapis\.\w+\.\w+\s*\(|\bprint\(|\bconsole\.log\(/;

function extractUnfencedCode(text: string): string {
  const lines = text.split(/\r?\n/);
  const at = lines.flatMap((line, i) => (STATEMENT.test(line) ? [i] : []));
  if (at.length === 0) return "";
  const code = lines.slice(at[0], at.at(-1)! + 1).join("\n");
  return API_CALL_OR_PRINT.test(code) ? code : "";
}
