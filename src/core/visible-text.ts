/**
 * The one door for text that somebody else wrote (a model, an agent, a world, a server) on its way to a person: control
 * characters become visible, so that no text can move the cursor, clear a screen, set a window's title, or turn the
 * direction of the text around it.
 */

/**
 * Control characters except tab and line feed, the characters that change the direction of text, those that nobody sees
 * (of width zero, soft hyphens, tags), other separators of lines, and halves of surrogate pairs. The joiners U+200C and
 * U+200D stay, because scripts and emoji need them.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\u{e0000}-\u{e007f}]/gu;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a sequence of a colour begins with one
const COLOUR = /\u001b\[(?:0|1|2|22|3[1-6]|39)m/;
/** A whole sequence that `styleText` writes for a colour, or one hidden character. */
const COLOUR_OR_HIDDEN = new RegExp(`${COLOUR.source}|${HIDDEN.source}`, "gu");

/**
 * Returns the text with each hidden character as `\u{...}`. Colour sequences stay if `keepsColours` is true, which is
 * for text that was put together with the program's own colours.
 */
export function toVisibleText(text: string, keepsColours = false): string {
  return text.replace(keepsColours ? COLOUR_OR_HIDDEN : HIDDEN, (found) =>
    found.startsWith("\u001b[") ? found : `\\u{${found.codePointAt(0)!.toString(16)}}`,
  );
}

/**
 * Returns a value as JSON without any hidden character, so that it is both valid and harmless on a terminal.
 * `JSON.stringify` escapes only those below U+0020.
 */
export function toVisibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(HIDDEN, (found) =>
    found
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** The part of a URL before its host, which may hold a password. */
const CREDENTIALS = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"'<>]*@/gi;

/** Returns a text in which no URL has a user name or a password. */
export function hideCredentials(text: string): string {
  return text.replace(CREDENTIALS, "$1[hidden]@");
}
