/** Finds the JSON object at the beginning of a text that may not be complete yet. */

export interface JsonExtent {
  /** The position of the opening brace. */
  readonly start: number;
  /** The position after the closing brace, or undefined while the object is open. */
  readonly end: number | undefined;
  /** True when the text ends within a string of the object. */
  readonly endsInString: boolean;
}

/**
 * Returns where the object at the beginning of a text stands, or undefined when the text begins with something else.
 * White space may come before it. Only brackets and strings are looked at, so the object need not be JSON.
 */
export function findJsonObject(text: string): JsonExtent | undefined {
  const start = text.search(/\S/);
  if (text[start] !== "{") return undefined;
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === "\\") i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      depth--;
      if (depth === 0) return { start, end: i + 1, endsInString: false };
    }
  }
  return { start, end: undefined, endsInString: inString };
}
