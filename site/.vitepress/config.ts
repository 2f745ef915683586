/** The configuration of the site. The sidebar follows `pages.ts`, and search works without a server. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig, type MarkdownRenderer } from "vitepress";
import { sections } from "../pages.ts";
import { showFormulas } from "./formulas.ts";

const PAGES = fileURLToPath(new URL("../.pages", import.meta.url));

export default defineConfig({
  title: "Bowline",
  description:
    "LLM agents trained by reinforcement learning in the stateful API worlds where they act",
  srcDir: ".pages",
  outDir: "dist",
  cacheDir: ".cache",
  cleanUrls: false,
  markdown: {
    config: (markdown) => {
      showFileNames(markdown);
      showFormulas(markdown);
    },
    anchor: { slugify: makeAnchor },
    // Braces in formulas are no attributes.
    attrs: { disable: true },
  },
  themeConfig: {
    search: {
      provider: "local",
      // Search results from written pages come before results from the generated API reference.
      options: {
        miniSearch: {
          searchOptions: { boostDocument: (page: string) => (/\/api\//.test(page) ? 0.2 : 1) },
        },
      },
    },
    outline: [2, 3],
    nav: [
      { text: "Start", link: "/guide/install" },
      { text: "Commands", link: "/reference/commands" },
      { text: "API", link: "/reference/api/" },
      { text: "Findings", link: "/findings" },
    ],
    sidebar: [
      ...sections.map(({ title, pages, made = [], isInside }) => ({
        text: title,
        collapsed: isInside === true || title.startsWith("Understand"),
        items: [
          ...[...pages, ...made].map(sidebarEntry),
          ...(title === "Reference" ? [apiEntry()] : []),
        ],
      })),
      { text: "Examples", collapsed: true, items: listPages("examples").map(sidebarEntry) },
    ],
  },
});

function sidebarEntry(page: string): DefaultTheme.SidebarItem {
  const heading = /^# (.+)$/m.exec(readFileSync(join(PAGES, `${page}.md`), "utf8"));
  return { text: heading?.[1]?.replaceAll("`", "") ?? page, link: `/${page}` };
}

function apiEntry(): DefaultTheme.SidebarItem {
  const items = existsSync(join(PAGES, "reference/api")) ? listPages("reference/api") : [];
  return {
    text: "API",
    link: "/reference/api/",
    items: items.filter((page) => !/(api\/index|namespaces\/.*)$/.test(page)).map(apiPageEntry),
  };
}

/** The entry of a page of the API, with its topics below it. */
function apiPageEntry(page: string): DefaultTheme.SidebarItem {
  const text = readFileSync(join(PAGES, `${page}.md`), "utf8");
  const topics = [...text.matchAll(/^\| \[(.+?)\]\((#.+?)\) \|/gm)];
  return {
    ...sidebarEntry(page),
    collapsed: true,
    items: topics.map(([, title, anchor]) => ({ text: title!, link: `/${page}${anchor}` })),
  };
}

function listPages(folder: string): string[] {
  return readdirSync(join(PAGES, folder), { recursive: true })
    .map((name) => `${folder}/${String(name)}`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replace(/\.md$/, ""))
    .sort();
}

/** Makes the anchor of a heading as GitHub does, so that links work in the repository and on the site. */
function makeAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

/**
 * Shows the file name of a code block above the block. In Markdown, the name stands after the language of the block.
 */
function showFileNames(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const [, name] = tokens[index]!.info.trim().split(" ");
    const title =
      name === undefined ? "" : `<p class="file-name">${markdown.utils.escapeHtml(name)}</p>\n`;
    return title + fence(tokens, index, ...rest);
  };
}
