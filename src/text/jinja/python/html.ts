/** Escapes text for HTML, as Python's markupsafe. */
import { Markup } from "./values.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

/** Joins texts of which at least one is marked as safe. The others are escaped. */
export function joinMarkup(...texts: readonly (string | Markup)[]): Markup {
  return new Markup(
    texts.map((text) => (text instanceof Markup ? text.text : escapeHtml(text))).join(""),
  );
}
