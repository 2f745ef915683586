/**
 * The one door for text that somebody else wrote (a model, an agent, a world, a server) on its way to a person: control
 * characters become visible, so that no text can move the cursor, clear a screen, set a window's title, or turn the
 * direction of the text around it.
 */

/**
 * Control characters except tab and line feed, and the characters that change the direction of text or hide in it.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a sequence of a colour begins with one
const COLOUR = /\u001b\[(?:0|1|2|22|3[0-7]|39)m/;
/** A whole sequence that `styleText` writes for a colour, or one hidden character. */
const COLOUR_OR_HIDDEN = new RegExp(`${COLOUR.source}|${HIDDEN.source}`, "g");

/**
 * Returns the text with each hidden character as `\u{...}`. Colour sequences stay if `keepsColours` is true, which is
 * for text that was put together with the program's own colours.
 */
export function toVisibleText(text: string, keepsColours = false): string {
  return text.replace(keepsColours ? COLOUR_OR_HIDDEN : HIDDEN, (found) =>
    found.length > 1 ? found : `\\u{${found.charCodeAt(0).toString(16)}}`,
  );
}
