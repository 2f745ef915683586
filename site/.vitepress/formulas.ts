/**
 * Shows formulas as MathML, which browsers draw themselves: a block of the language `math`, and text between two `$`.
 * Formulas are written in LaTeX, as GitHub shows them too. A formula with a mistake ends the build.
 */
import temml from "temml";
import type { MarkdownRenderer } from "vitepress";

type InlineRule = Parameters<MarkdownRenderer["inline"]["ruler"]["before"]>[2];

export function showFormulas(markdown: MarkdownRenderer): void {
  markdown.inline.ruler.before("escape", "formula", readInlineFormula);
  markdown.renderer.rules["formula"] = (tokens, index) => render(tokens[index]!.content, false);
  const fence = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index]!;
    if (info.trim() !== "math") return fence(tokens, index, ...rest);
    return `<div class="formula" tabindex="0">${render(content, true)}</div>\n`;
  };
}

/** Matches a formula in a line: no space follows the first `$` or precedes the last one, as in GitHub's Markdown. */
const INLINE = /\$(?=\S)([^$\n]*(?:\n[^$\n]+)?)(?<=\S)\$(?!\d)/y;

const readInlineFormula: InlineRule = (state, silent) => {
  INLINE.lastIndex = state.pos;
  const content = INLINE.exec(state.src)?.[1];
  if (content === undefined) return false;
  if (!silent) state.push("formula", "math", 0).content = content.replace("\n", " ");
  state.pos = INLINE.lastIndex;
  return true;
};

/** `v-pre` keeps Vue from reading braces in the formula. */
function render(formula: string, isBlock: boolean): string {
  try {
    const html = temml.renderToString(formula, { displayMode: isBlock, throwOnError: true });
    return html.replace("<math", "<math v-pre");
  } catch (cause) {
    throw new Error(`cannot read the formula ${formula}`, { cause });
  }
}
