/** Lays out text in a terminal: width, wrapping and padding. Width and padding ignore colour codes. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence starts with one
const ANSI_COLOUR = /\u001b\[[0-9;]*m/g;

/** Counts the characters that are shown, without colour codes. */
export function displayWidth(text: string): number {
  return [...text.replace(ANSI_COLOUR, "")].length;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}

/**
 * Breaks a text into lines of at most `width` characters, at a space if one is near. Line breaks in the text are kept.
 */
export function wrapText(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line.replaceAll("\t", "  "), width));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = [...line];
  while (rest.length > width) {
    const space = rest.slice(0, width + 1).lastIndexOf(" ");
    const indent = rest.findIndex((character) => character !== " ");
    const cut = space > Math.max(indent, width * 0.4) ? space : width;
    lines.push(rest.slice(0, cut).join(""));
    rest = rest.slice(rest[cut] === " " ? cut + 1 : cut);
  }
  return [...lines, rest.join("")];
}
