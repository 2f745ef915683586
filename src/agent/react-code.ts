/**
 * The code in a message of a chat model: its fenced blocks, as the paper runs them (arXiv 2502.01600, appendix D).
 *
 * All blocks of a message are run as one cell, in order; one that the model's budget cut off counts as far as it goes.
 * Blocks that name another language (an example of JSON, a shell command) are not code for the console. What stands in a
 * thought (`<think>`) was not said. A message without a block runs an empty cell.
 */

const OPENING_FENCE = /^ {0,3}(`{3,})[ \t]*([\w+#.-]*)[^`]*$/;
/** Blocks without a name are taken for code. */
const JAVASCRIPT_NAMES = new Set(["", "js", "javascript", "node", "ts", "typescript", "mjs"]);
const END_OF_THOUGHT = "</think>";

/** Cells as one text; empty without any. */
export function extractReactCode(message: string): string {
  return findCodeBlocks(removeThought(message)).join("\n");
}

/** The message without its thought. */
export function removeThought(message: string): string {
  const end = message.lastIndexOf(END_OF_THOUGHT);
  return end < 0 ? message : message.slice(end + END_OF_THOUGHT.length);
}

/** Whether a fence of this name holds code for the console; one without a name does. */
export function isJavaScriptFence(language: string): boolean {
  return JAVASCRIPT_NAMES.has(language.toLowerCase());
}

/** A message whose code this is, behind a fence that the code does not hold. */
export function wrapCodeInFence(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}js\n${code}\n${fence}`;
}

function findCodeBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block:
    | { readonly fence: string; readonly isCode: boolean; readonly lines: string[] }
    | undefined;
  const close = () => {
    if (block?.isCode) blocks.push(block.lines.join("\n"));
    block = undefined;
  };
  for (const line of text.split(/\r?\n/)) {
    if (block === undefined) {
      const [, fence, language = ""] = OPENING_FENCE.exec(line) ?? [];
      if (fence) block = { fence, isCode: isJavaScriptFence(language), lines: [] };
    } else if (isClosingFence(line, block.fence)) close();
    else block.lines.push(line);
  }
  close();
  return blocks;
}

function isClosingFence(line: string, fence: string): boolean {
  const run = /^ {0,3}(`{3,})[ \t]*$/.exec(line)?.[1];
  return run !== undefined && run.length >= fence.length;
}
