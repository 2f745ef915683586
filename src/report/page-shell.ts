/**
 * Renders what surrounds the sections of every page. A page needs no file, font or script from elsewhere, and works in
 * light and dark themes and at any width.
 */
import { type Html, html, raw } from "./html.ts";
import { pageScript } from "./page-script.ts";
import { pageStyles } from "./page-style.ts";

export interface PageParts {
  readonly title: string;
  readonly headline: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The ids and names of the sections to which the head of the page links. */
  readonly sections: { readonly [id: string]: string };
  readonly main: Html;
}

export function renderPage({ title, headline, facts, sections, main }: PageParts): string {
  const links = Object.entries(sections).map(([id, name]) => html`<a href="#${id}">${name}</a>`);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${`${title} · Bowline`}</title><style>${raw(pageStyles)}</style></head>
<body><header><div class="brand">${logo}<span>Bowline</span></div>
<h1>${headline}</h1>
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<nav>${links}</nav></header>
<main>${main}</main>
<div id="tip" role="status" hidden></div><script>${raw(pageScript)}</script></body></html>
`.source;
}

/** The logo: two loops of a bowline knot, drawn in one stroke. */
const logo = raw(
  `<svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><path d="M4 27C12 27 20 24 20 15S11 3 9 10s6 11 13 9 7-12 1-14" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"/></svg>`,
);
