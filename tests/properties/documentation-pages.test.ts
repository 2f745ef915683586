/**
 * The README and `docs/` as text: every page is in the site's list, every link leads somewhere that ships with it, what is
 * made from the program is what the program says now. That commands and snippets work is `tests/slow/docs{,-guide}.test.ts`.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { sections } from "../../site/pages.ts";
import { commandsPage } from "../../site/reference/commands.ts";
import { configurationPage } from "../../site/reference/configuration.ts";
import { studioApiPage } from "../../site/reference/studio-api.ts";
import { ROOT } from "../e2e/support/cli.ts";
import { findHiddenCommands, type Page, readPages } from "../support/docs/page-blocks.ts";

const all = readPages();
const inside = sections.flatMap(({ isInside, pages }) =>
  isInside ? pages.map((page) => `docs/${page}.md`) : [],
);
const isShipped = (path: string) => !inside.includes(path);
const shippedPages = all.filter(({ path }) => isShipped(path));
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("the README has at most 200 lines, and names the command that tests all", () => {
  const readme = textOf("README.md");
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(200);
  expect(readme).toContain("npm ci && npm run check && npm test && npm run test:slow");
});

test("the package leaves out the pages on how Bowline is made, and no other", () => {
  const { files } = JSON.parse(textOf("package.json"));
  const leftOut = files.filter(
    (name: string) => name.startsWith("!docs/") && !name.includes("images"),
  );
  expect(leftOut.sort()).toEqual(["!docs/architecture.md", "!docs/decisions", "!docs/log.md"]);
  expect(inside.every((path) => leftOut.some((name: string) => `!${path}`.startsWith(name)))).toBe(
    true,
  );
});

test("the site lists every page once", () => {
  const listed = sections.flatMap((section) => section.pages.map((page) => `docs/${page}.md`));
  const there = all
    .map(({ path }) => path)
    .filter((path) => !/^(README|docs\/index)\.md$/.test(path));
  expect(listed.sort()).toEqual(there.sort());
});

test("links lead to pages and files that ship, and to headings that are there", () => {
  expect(all.flatMap(deadLinks)).toEqual([]);
});

// `bench/refactor` is about the files of an older commit.
test("paths of documentation in the source are there", () => {
  const folders = ["src", "tests", "bench", "examples", "docs", "site/reference"];
  const sources = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((path) => /\.(ts|md|mjs)$/.test(path) && !/node_modules|bench.refactor/.test(path)),
  );
  const dead = sources.flatMap((path) =>
    [...textOf(path).matchAll(/(?<![\w/.@-])docs\/[\w./-]+\.md/g)]
      .filter(([name]) => !existsSync(join(ROOT, name)))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(dead).toEqual([]);
});

test("at most 15 blocks are marked as needing something, and no command hides from being run", () => {
  const marked = all.flatMap(({ path, blocks }) =>
    blocks.flatMap(({ line, needs }) => (needs ? [`${path}:${line}: ${needs}`] : [])),
  );
  console.log(`not run:\n  ${marked.join("\n  ")}`);
  expect(marked.length).toBeLessThanOrEqual(15);
  expect(all.flatMap(findHiddenCommands)).toEqual([]);
});

test("the reference is made from the program: commands, configuration, the studio's API", async () => {
  expect(await commandsPage()).toContain("## bowline train");
  expect(configurationPage()).toContain("algo.groupSize");
  expect(studioApiPage()).toContain("/api/runs");
});

test("the package has at most 55,000 words of documentation, on lines of at most 120 columns", () => {
  const words = shippedPages.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  console.log(`${words} words in ${shippedPages.length} pages`);
  expect(words).toBeLessThanOrEqual(55_000);
  const long = all.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, i) => (line.length > 120 && !mayBeLong(line) ? [`${path}:${i + 1}`] : [])),
  );
  expect(long).toEqual([]);
});

/** Rows and markers of tables, links and commands cannot be broken. */
const mayBeLong = (line: string) =>
  /^\s*\||^<!-- table: /.test(line) || !/\s/.test(line.trim().slice(0, -1)) || /https?:/.test(line);

test("pages that ship name no file of the repository that does not ship", () => {
  const named = shippedPages.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w/.@-])(?:src|bench|tests|site|web)\/[\w./-]+/g)].map(
      ([name]) => `${path}: ${name}`,
    ),
  );
  expect(named).toEqual([]);
});

/** What a page may link to: a page that ships, only what ships. */
const SHIPPED =
  /^(README\.md|LICENSE|package\.json|(docs|examples)\/|worlds\/everyday\/README\.md)/;

function deadLinks({ path, text }: Page): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "``");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  return targets
    .filter((target) => !/^https?:/.test(target) && !leadsSomewhere(path, target))
    .map((target) => `${path}: ${target}`);
}

function leadsSomewhere(from: string, target: string): boolean {
  const [name = "", anchor] = target.split("#");
  const path = name === "" ? from : normalize(join(dirname(from), name));
  if (isShipped(from) && !(SHIPPED.test(path) && isShipped(path))) return false;
  if (!existsSync(join(ROOT, path))) return false;
  if (statSync(join(ROOT, path)).isDirectory()) return false;
  return anchor === undefined || anchorsOf(path).includes(anchor);
}

function anchorsOf(path: string): string[] {
  return [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .trim()
      .replace(/\s+/g, "-"),
  );
}
