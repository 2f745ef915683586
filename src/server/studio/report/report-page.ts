/**
 * Makes one file of the studio's page and the data of a report: `report.html` needs no other file and no network.
 *
 * The data stands in the page as JSON without the character `<`, so no text of a run can end its element or become
 * markup. The security policy allows only this page's own script and style, by their digests, and no request at all:
 * whatever stands in a run, nothing of it is executed.
 */
import { createHash } from "node:crypto";
import { assert, toVisibleJson } from "../../../core/index.ts";
import { escapeHtml } from "../../../report/index.ts";
import type { Report } from "../../../spec/studio/index.ts";
import type { PageBundle } from "../page-files.ts";

export function renderReportPage({ script, style, icon }: PageBundle, report: Report): string {
  const title = escapeHtml(`${report.run} · Bowline`);
  const iconAddress = `data:image/svg+xml,${encodeURIComponent(icon)}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${securityPolicy(script, style)}">
<meta name="color-scheme" content="light dark"><title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${iconAddress}"><style>${style}</style></head>
<body><div id="page"><h1>${escapeHtml(report.headline)}</h1>
<p>This report needs a browser with JavaScript enabled. It requests nothing from a network.</p></div>
<script type="application/json" id="report">${scriptSafeJson(report)}</script>
<script type="module">${script}</script></body></html>
`;
}

function securityPolicy(script: string, style: string): string {
  const digest = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  assert(!/<\/(script|style)|<!--/i.test(script + style), "the page's script ends its own element");
  return [
    "default-src 'none'",
    `script-src ${digest(script)}`,
    `style-src ${digest(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** Returns a value as JSON that can stand in a `script` element, without invisible characters. */
export function scriptSafeJson(value: unknown): string {
  return toVisibleJson(value).replaceAll("<", "\\u003c");
}
