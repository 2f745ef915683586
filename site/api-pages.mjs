/**
 * Finishes the pages of the API reference that TypeDoc wrote: they get the names under which modules are imported, a
 * table of their topics, and one line for the names that other pages describe.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/**
 * Finishes the pages in the folder `api`. `entryPoints` lists what a user imports and the source behind it, such as
 * `bowline/algo` and `src/exports/algo.ts`, both relative to `root`.
 */
export function finishApiPages(api, root, entryPoints) {
  const modules = new Map(
    entryPoints.map(([name, source]) => [
      source.replace(/^src\/|\.ts$/g, "").replace(/(.)\/index$/, "$1"),
      { name, purpose: readPurpose(join(root, source)) },
    ]),
  );
  const files = readdirSync(api, { recursive: true }).filter((file) => file.endsWith(".md"));
  const pages = new Map(
    files.map((file) => [file, finishPage(readFileSync(join(api, file), "utf8"), modules)]),
  );
  const anchors = new Map([...pages].map(([file, text]) => [file, listAnchors(text)]));
  for (const [file, text] of pages) writeFileSync(join(api, file), aimLinks(text, file, anchors));
}

/** Lists the anchors of the names that a page describes, by name, and all of its anchors. */
function listAnchors(text) {
  const slug = makeSlugger();
  const byName = new Map();
  const all = new Set([...text.matchAll(/<a id="([^"]*)"/g)].map(([, id]) => id));
  for (const [, marks, heading] of text.replace(FENCED, "").matchAll(HEADING)) {
    const anchor = slug(heading);
    all.add(anchor);
    if (marks === "###") byName.set(plainName(heading), anchor);
  }
  return { byName, all };
}

/**
 * Aims links at the headings of the names in their text, because grouping by topic changed the order of headings. A
 * link to a place that is gone leads to the page.
 */
function aimLinks(text, file, anchors) {
  const link = /\[(`?)([\w\\$]+)\1\]\(([^)#\s]*)#([^)\s]+)\)/g;
  return text.replace(link, (found, quote, name, path, old) => {
    const target = path === "" ? file : normalize(join(dirname(file), path));
    const { byName, all } = anchors.get(target) ?? {};
    const anchor = byName?.get(plainName(name));
    if (anchor !== undefined) return `[${quote}${name}${quote}](${path}#${anchor})`;
    return all === undefined || all.has(old) || path === "" ? found : found.replace(`#${old}`, "");
  });
}

const FENCED = /^```[\s\S]*?^```$/gm;
const HEADING = /^(#+) (.+)$/gm;
const plainName = (heading) => heading.replaceAll("\\", "").replace(/\(\)$|&lt;.*$|<.*$/, "");

function finishPage(text, modules) {
  const named = text
    .replace(/^# (\S+)$/m, (line, module) => {
      const found = modules.get(module);
      return found === undefined ? line : `# ${found.name}\n\n${found.purpose}`;
    })
    .replace(/^## Modules\n\n/m, "")
    .replace(/^- \[(\S+)\]\(/gm, (_, module) => `- [${modules.get(module)?.name ?? module}](`)
    .replace(/^- \[(\S+)\]\(\S+\)$/gm, (line, name) => {
      const module = [...modules.values()].find((one) => one.name === name);
      return module === undefined ? line : `${line}: ${module.purpose}`;
    });
  const [head, ...topics] = named.split(/^(?=## )/m);
  if (topics.length === 0) return named;
  const slug = makeSlugger();
  const parts = topics.map((topic) => finishTopic(topic, slug));
  const rows = parts.map(
    ({ title, anchor, links }) => `| [${title}](#${anchor}) | ${links.join(", ")} |`,
  );
  const table = ["| topic | names |", "| --- | --- |", ...rows].join("\n");
  return `---\noutline: 2\n---\n\n${head.trimEnd()}\n\n${table}\n\n${parts.map(({ text }) => text).join("\n")}`;
}

const ELSEWHERE =
  /^### (\S+)\n\n(?:Re-exports|Renames and re-exports) \[[^\]]*\]\((\S+)\)\n+(?:\*\*\*\n+)?/gm;

/** Joins the names that other pages describe into one line, and links every name of the topic. */
function finishTopic(topic, slug) {
  const elsewhere = [...topic.matchAll(ELSEWHERE)].map(([, name, link]) => `[${name}](${link})`);
  const here = topic.replace(ELSEWHERE, "").replace(/\n+\*\*\*\n*$/, "\n");
  const line =
    elsewhere.length === 0 ? "" : `\nDescribed on other pages: ${elsewhere.join(", ")}.\n`;
  const [title] = /(?<=^## ).+$/m.exec(here);
  const links = [];
  let anchor = "";
  for (const [, marks, heading] of here
    .replace(/^```[\s\S]*?^```$/gm, "")
    .matchAll(/^(#+) (.+)$/gm)) {
    const place = slug(heading);
    if (marks === "##") anchor = place;
    if (marks === "###") links.push(`[${heading.replace(/\(\)$|<.*$/, "")}](#${place})`);
  }
  return { title, anchor, links: [...links, ...elsewhere], text: `${here.trimEnd()}\n${line}` };
}

/** Returns a function that makes the anchor of each heading of a page, as the site does. */
function makeSlugger() {
  const used = new Set();
  return (heading) => {
    const plain = heading.replace(/&[lg]t;/g, "").replace(/[^\p{L}\p{N}\s_-]/gu, "");
    const base = plain.trim().toLowerCase().replace(/\s/g, "-");
    let slug = base;
    for (let count = 1; used.has(slug); count++) slug = `${base}-${count}`;
    used.add(slug);
    return slug;
  };
}

/** Returns the purpose of a module: the first paragraph of its first comment, without the module's name. */
function readPurpose(source) {
  const [, comment = ""] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(source, "utf8")) ?? [];
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*? ?/, "").trim());
  const [paragraph = ""] = lines.join("\n").trim().split("\n\n");
  const text = paragraph
    .replaceAll("\n", " ")
    .replace(/^(?:The public library )?`bowline[\w/]*`:\s*/, "");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
