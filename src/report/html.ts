/** HTML by tagged template: everything interpolated is escaped, unless it is itself the result of `html`. */

export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toString(): string {
    return this.source;
  }
}

export type Part = Html | string | number | undefined | false | readonly Part[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, next, i) => text + render(parts[i - 1]) + next));
}

/** Trusted text of our own: style sheets, scripts, SVG made of numbers. */
export function raw(source: string): Html {
  return new Html(source);
}

/** JSON that may stand inside an element or an attribute. */
export function json(value: unknown): Html {
  return raw(escapeHtml(JSON.stringify(value)));
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function render(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.source;
  if (typeof part === "object") return part.map(render).join("");
  return escapeHtml(String(part));
}
