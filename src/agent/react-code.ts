/**
 * Extracts the code from a message of a chat model: its fenced blocks, as the paper runs them (arXiv 2502.01600,
 * appendix D).
 *
 * All blocks of a message run as one cell, in order. A block that was cut off by the token budget is run as far as it
 * goes. A block that names another language, such as JSON or a shell command, is not run. Text inside a thought
 * (`<think>`) is ignored. A message without a block runs an empty cell.
 */

const OPENING_FENCE = /^ {0,3}(`{3,})[ \t]*([\w+#.-]*)[^`]*$/;
/** A block without a language name is taken for JavaScript. */
const JAVASCRIPT_NAMES = new Set(["", "js", "javascript", "node", "ts", "typescript", "mjs"]);
const END_OF_THOUGHT = "</think>";

/**
 * Returns all code blocks of a message as one text, or an empty string when there are none. `isCode` tells from the name
 * of a fence's language whether it holds code.
 */
export function extractReactCode(
  message: string,
  isCode: (language: string) => boolean = isJavaScriptFence,
): string {
  return findCodeBlocks(removeThought(message), isCode).join("\n");
}

/** Returns the message without its thought. */
export function removeThought(message: string): string {
  const end = message.lastIndexOf(END_OF_THOUGHT);
  return end < 0 ? message : message.slice(end + END_OF_THOUGHT.length);
}

/** Tells whether a fence with this language name holds JavaScript. A fence without a name does. */
export function isJavaScriptFence(language: string): boolean {
  return JAVASCRIPT_NAMES.has(language.toLowerCase());
}

/**
 * Returns a message that consists of this code between fences. The fence is longer than any run of backticks in the
 * code.
 */
export function wrapCodeInFence(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}js\n${code}\n${fence}`;
}

function findCodeBlocks(text: string, isCode: (language: string) => boolean): string[] {
  const blocks: string[] = [];
  let block:
    | { readonly fence: string; readonly isCode: boolean; readonly lines: string[] }
    | undefined;
  const closeBlock = () => {
    if (block?.isCode) blocks.push(block.lines.join("\n"));
    block = undefined;
  };
  for (const line of text.split(/\r?\n/)) {
    if (block === undefined) {
      const [, fence, language = ""] = OPENING_FENCE.exec(line) ?? [];
      if (fence) block = { fence, isCode: isCode(language), lines: [] };
    } else if (isClosingFence(line, block.fence)) closeBlock();
    else block.lines.push(line);
  }
  closeBlock();
  return blocks;
}

function isClosingFence(line: string, fence: string): boolean {
  const run = /^ {0,3}(`{3,})[ \t]*$/.exec(line)?.[1];
  return run !== undefined && run.length >= fence.length;
}
