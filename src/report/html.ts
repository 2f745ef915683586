/** Builds HTML by tagged templates. Every interpolated value is escaped unless it is itself a result of `html`. */
import { toVisibleText } from "../core/index.ts";

export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toString(): string {
    return this.source;
  }
}

export type HtmlPart = Html | string | number | undefined | false | readonly HtmlPart[];

export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.reduce((text, next, i) => text + renderPart(parts[i - 1]) + next));
}

/** Marks trusted text of this package as HTML: style sheets, scripts, and SVG made from numbers. */
export function raw(source: string): Html {
  return new Html(source);
}

/** Escapes a text for an element or an attribute. Its control characters become visible. */
export function escapeHtml(text: string): string {
  return escapeMarkup(toVisibleText(text));
}

function escapeMarkup(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function renderPart(part: HtmlPart): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.source;
  if (typeof part === "object") return part.map(renderPart).join("");
  return escapeHtml(String(part));
}
