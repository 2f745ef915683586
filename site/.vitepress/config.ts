/** The site: pages in the order of `pages.ts`, titled by their headings; a search that needs no server; no request elsewhere. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig, type MarkdownRenderer } from "vitepress";
import { sections } from "../pages.ts";

const PAGES = fileURLToPath(new URL("../.pages", import.meta.url));

export default defineConfig({
  title: "Bowline",
  description:
    "LLM agents trained by reinforcement learning in the stateful API worlds where they act",
  srcDir: ".pages",
  outDir: "dist",
  cacheDir: ".cache",
  cleanUrls: false,
  markdown: { config: showFileNames },
  themeConfig: {
    search: {
      provider: "local",
      // What was written for readers comes before what was made from types.
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
        items: [...[...pages, ...made].map(entry), ...(title === "Reference" ? [api()] : [])],
      })),
      { text: "Examples", collapsed: true, items: pagesIn("examples").map(entry) },
    ],
  },
});

function entry(page: string): DefaultTheme.SidebarItem {
  const heading = /^# (.+)$/m.exec(readFileSync(join(PAGES, `${page}.md`), "utf8"));
  return { text: heading?.[1]?.replaceAll("`", "") ?? page, link: `/${page}` };
}

function api(): DefaultTheme.SidebarItem {
  const items = existsSync(join(PAGES, "reference/api")) ? pagesIn("reference/api") : [];
  return {
    text: "API",
    link: "/reference/api/",
    items: items.filter((page) => page !== "reference/api/index").map(entry),
  };
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(PAGES, folder), { recursive: true })
    .map((name) => `${folder}/${String(name)}`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replace(/\.md$/, ""))
    .sort();
}

/** The name behind a block's language stands above the block. */
function showFileNames(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const [, name] = tokens[index]!.info.trim().split(" ");
    const title =
      name === undefined ? "" : `<p class="file-name">${markdown.utils.escapeHtml(name)}</p>\n`;
    return title + fence(tokens, index, ...rest);
  };
}
