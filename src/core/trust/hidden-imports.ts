/**
 * Finds imports in a source text whose files cannot be told by reading the text. Somebody who sends a module could spell
 * an import so that its file is missing in the digest, have the module trusted, and later send another file.
 *
 * The patterns find too much rather than too little. A module in which they find something is trusted at its own path
 * only, and that is all it costs.
 */

/** Matches the name that follows `from`, `import`, a dynamic import, `require` or `new URL`, with its quotes. */
const NAME_PATTERN =
  /\b(?:from(?=\s*["'])|import\s*\(?|require\s*\(|(new\s+URL)\s*\()\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/gs;

/**
 * Matches a name that means the same file to every reader: without escapes, percent signs, fragments, control
 * characters, quotes, spaces at its ends, and any other scheme than `file:` and `node:`.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a URL loses them, so they can hide a name
const PLAIN_NAME = /^(?:file:|node:|(?![a-zA-Z][\w+.-]*:))#?(?! )[^"'`\\%#\x00-\x1f\x7f]*(?<! )$/;

const HIDDEN_IMPORTS: readonly RegExp[] = [
  // A name that is computed, whether a variable or a sum of texts.
  /\b(?:import|require)\s*\(\s*[^"'`\s)]/,
  /\b(?:import|require)\s*\(\s*(["'`])[^"'`\n]*\1\s*[^\s,)]/,
  // A thread whose file is computed.
  /\bnew\s+URL\s*\(\s*(["'`])[./][^"'`\n]*\1\s*\+|\bWorker\s*\((?!\s*new\s+URL\s*\(\s*["'`])/,
  // A comment between the keyword and the name.
  /\b(?:from|import|require)\s*\(?\s*(?:\/[/*]|<!--)/,
  // The function `require` under another name. In English, a word follows it.
  /\brequire\b(?!\s*\()(?![ \t]+[a-z])|\brequire[ \t]+(?:as|satisfies)\b/,
  // A keyword or name that is spelt with an escape.
  /\\u(?:\{0*|00)[67][0-9a-f]/i,
  // Functions that make other imports possible, and the comment that makes JSX import a module.
  /\b(?:createRequire|getBuiltinModule)\b|\bimport\.meta\.resolve\b|@jsx/,
];

/** Returns true if a source text may import a file that only its execution tells. */
export function hasHiddenImports(source: string): boolean {
  return HIDDEN_IMPORTS.some((pattern) => pattern.test(source)) || hasUnclearName(source);
}

/** Returns true if an import names a file in a way that readers may understand differently. */
function hasUnclearName(source: string): boolean {
  return [...source.matchAll(NAME_PATTERN)].some(([, url, quoted = ""]) => {
    const name = quoted.slice(1, -1);
    // Most addresses in `new URL()` name no file, and those that do begin like a path. A quote after the word `from` may
    // end a text, and then something else follows it.
    if (!(url === undefined ? /^[\w@./\\%#]/ : /^[./\\%]/).test(name)) return false;
    return !PLAIN_NAME.test(name);
  });
}
