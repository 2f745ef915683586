/** The style sheet of the report. It has a light and a dark theme with the same palette. */
export const pageStyles = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d2730; --soft: #65717c; --line: #e4e2dd; --code: #f4f3ef;
  --before: #b0803a; --after: #0f7480; --up: #1f7a4d; --down: #b5482e; --more: 37 99 196; --less: 207 90 32;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12171c; --card: #191f26; --ink: #e3e7ea; --soft: #93a0ab; --line: #2b333c; --code: #141a20;
    --before: #d3a35c; --after: #58bcc8; --up: #66c592; --down: #e5866b; --more: 96 152 240; --less: 240 138 82;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 var(--sans); }
header, main { max-width: 1320px; margin: 0 auto; padding: 0 28px; }
header { padding-top: 28px; }
.brand { display: flex; align-items: center; gap: 9px; color: var(--after); font-weight: 600; letter-spacing: .01em; }
h1 { font-size: clamp(24px, 3.6vw, 38px); line-height: 1.15; letter-spacing: -.022em; margin: 14px 0 18px; font-weight: 650; }
h2 { font-size: 20px; letter-spacing: -.01em; margin: 0 0 16px; }
h3 { font-size: 15px; margin: 26px 0 10px; }
small { color: var(--soft); font-weight: 400; font-size: 13px; }
dl { display: flex; flex-wrap: wrap; gap: 10px 30px; margin: 0; }
dt { color: var(--soft); font-size: 12px; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
nav { display: flex; gap: 22px; margin-top: 22px; border-bottom: 1px solid var(--line); }
nav a { color: var(--soft); text-decoration: none; padding: 8px 0; }
nav a:hover { color: var(--ink); }
section { margin: 34px 0 46px; }
.note { color: var(--soft); font-size: 13.5px; max-width: 86ch; }
.result { display: grid; grid-template-columns: minmax(300px, 5fr) 8fr; gap: 26px; align-items: start; }
.result .scroll { display: grid; gap: 22px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; width: 100%; }
th, td { text-align: right; padding: 6px 10px; white-space: nowrap; }
th:first-child, td:nth-child(2):not(.bar) { text-align: left; }
thead th { color: var(--soft); font-weight: 400; font-size: 12.5px; border-bottom: 1px solid var(--line); }
thead th:nth-child(2) { text-align: left; }
tbody th { font-weight: 600; }
tbody tr + tr { border-top: 1px solid color-mix(in srgb, var(--line) 55%, transparent); }
.up { color: var(--up); font-weight: 600; } .down { color: var(--down); font-weight: 600; }
.behaviour { max-width: 720px; } .behaviour thead th { text-align: left; }
.behaviour tbody th { font-weight: 400; width: 170px; }
.bar { position: relative; width: 260px; }
td.bar { text-align: left; padding-right: 18px; }
.bar .scale { position: absolute; left: 10px; right: 18px; top: 25%; height: 50%; }
.bar i { position: absolute; top: 0; height: 100%; border-radius: 2px; opacity: .28; }
.bar .scale + span { position: relative; padding-left: 5px; }
i.before { background: var(--before); } i.after { background: var(--after); }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(300px, 100%), 1fr)); gap: 18px; }
.charts.small { margin-top: 16px; grid-template-columns: repeat(auto-fill, minmax(min(260px, 100%), 1fr)); }
.chart { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 14px 8px; }
.chart figcaption { display: grid; grid-template-columns: 1fr auto; column-gap: 12px; margin: 0 4px 6px; align-items: baseline; }
.chart figcaption small { grid-column: 1 / -1; }
.chart output { font-variant-numeric: tabular-nums; font-weight: 600; color: var(--after); }
.chart svg { display: block; width: 100%; height: auto; overflow: visible; touch-action: pan-y; }
.grid { stroke: var(--line); stroke-width: 1; }
.tick { fill: var(--soft); font: 11.5px var(--sans); font-variant-numeric: tabular-nums; }
.line { fill: none; stroke: var(--after); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.dot, .end { fill: var(--after); } .end { stroke: var(--card); stroke-width: 1.5; }
.cursor line { stroke: var(--soft); stroke-dasharray: 2 3; } .cursor circle { fill: var(--card); stroke: var(--after); stroke-width: 2; }
.way { stroke: var(--line); stroke-width: 3; }
.interval { stroke-width: 5; stroke-linecap: round; opacity: .25; }
g.before .interval { stroke: var(--before); } g.after .interval { stroke: var(--after); }
g.before circle { fill: var(--before); } g.after circle { fill: var(--after); }
g.before text, g.after text { font: 600 11px var(--sans); font-variant-numeric: tabular-nums; }
g.before text { fill: var(--before); } g.after text { fill: var(--after); }
.name { fill: var(--ink); font: 600 12.5px var(--sans); }
.key { color: var(--soft); font-size: 12.5px; } .key i { display: inline-block; width: 9px; height: 9px; border-radius: 50%; margin: 0 3px 0 10px; }
.filters { display: flex; flex-wrap: wrap; gap: 10px 18px; align-items: center; margin-bottom: 14px; color: var(--soft); font-size: 13.5px; }
.filters label:nth-of-type(3) { flex: 1 1 260px; display: flex; gap: 6px; align-items: center; max-width: 480px; }
select, input { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 7px; padding: 5px 8px; }
input { flex: 1; min-width: 0; }
:focus-visible { outline: 2px solid var(--after); outline-offset: 1px; }
.browser { display: grid; grid-template-columns: minmax(280px, 380px) 1fr; border: 1px solid var(--line); border-radius: 10px; background: var(--card); overflow: hidden; }
.list { margin: 0; padding: 0; list-style: none; max-height: 760px; overflow-y: auto; border-right: 1px solid var(--line); }
.list a { display: grid; grid-template-columns: 18px 1fr; gap: 6px; padding: 9px 14px; color: inherit; text-decoration: none; font-size: 13.5px; line-height: 1.4; border-bottom: 1px solid color-mix(in srgb, var(--line) 55%, transparent); }
.list a:hover { background: var(--code); } .list a[aria-current] { background: color-mix(in srgb, var(--after) 11%, transparent); }
.list small { display: block; font-size: 12px; }
.yes .mark, .mark.yes, p.yes { color: var(--up); } .no .mark, .mark.no, p.no { color: var(--down); }
.detail { padding: 18px 24px 24px; min-width: 0; max-height: 760px; overflow-y: auto; }
.facts { color: var(--soft); font-size: 12.5px; margin: 0 0 6px; overflow-wrap: anywhere; }
.instruction { font-size: 17px; line-height: 1.45; font-weight: 550; margin: 0 0 16px; max-width: 74ch; }
.turn { display: grid; grid-template-columns: 22px minmax(0, 1fr); margin-bottom: 12px; }
.number { color: var(--soft); font-size: 12px; padding-top: 9px; font-variant-numeric: tabular-nums; }
pre { margin: 0; font: 13px/1.6 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; }
.code { background: var(--code); border-radius: 7px; padding: 8px 12px; }
.observation { color: var(--soft); padding: 6px 12px; border-left: 2px solid var(--line); margin: 6px 0 0 12px; max-height: 260px; overflow-y: auto; }
.observation.error, .observation.limit { border-color: var(--down); }
.token { border-radius: 2px; cursor: default; --s: calc(max(var(--a), -1 * var(--a)) * .36 + .04); }
.token, .swatch { background: rgb(var(--more) / var(--s)); }
.token[style*="--a:-"], .swatch[style*="--a:-"] { background: rgb(var(--less) / var(--s)); }
.token.moved { box-shadow: inset 0 -2px 0 currentColor; }
.token.special { font-size: 10.5px; padding: 1px 5px; margin-left: 5px; border-radius: 8px; }
.token:hover { outline: 1px solid var(--soft); }
.swatch { display: inline-block; width: 26px; height: 12px; border-radius: 3px; vertical-align: -1px; --s: .4; margin-left: 4px; }
.verdict { font-weight: 600; margin: 16px 0 6px; }
.checks { list-style: none; margin: 0; padding: 0; font-size: 14px; }
.checks li { display: grid; grid-template-columns: 20px minmax(0, 1fr); padding: 2px 0; }
.why { display: block; color: var(--soft); overflow-wrap: anywhere; }
.failure { color: var(--down); }
details summary { cursor: pointer; color: var(--soft); } details pre { margin-top: 10px; }
.more { margin-top: 18px; }
#tip { position: fixed; z-index: 9; pointer-events: none; background: var(--ink); color: var(--paper); font: 12.5px/1.4 var(--sans); font-variant-numeric: tabular-nums; padding: 4px 9px; border-radius: 6px; max-width: 280px; }
[hidden] { display: none !important; }
@media (max-width: 900px) {
  header, main { padding-left: 16px; padding-right: 16px; }
  .result, .browser { grid-template-columns: minmax(0, 1fr); }
  .list { max-height: 300px; border-right: 0; border-bottom: 1px solid var(--line); }
  .detail { padding: 16px; max-height: none; }
  nav { gap: 16px; overflow-x: auto; }
}
@media print { .list, .filters, nav { display: none; } .detail { max-height: none; } }
`;
