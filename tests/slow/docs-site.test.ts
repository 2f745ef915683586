/**
 * Builds the documentation site. The site has every page, every export of the package by topic, formulas that browsers
 * draw, and a search without a server, and it loads nothing from other servers. Every link leads to a place that exists.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { sections } from "../../site/pages.ts";
import { type FinishedProcess, ROOT, runCommand } from "../e2e/support/cli.ts";
import { listEntryPoints, listExports } from "../support/public-exports.ts";
import { installPackages, MISSING_PACKAGES } from "./support/install-packages.ts";

const SITE = join(ROOT, "site");
const DIST = join(SITE, "dist");

const readBuiltFile = (name: string) => readFileSync(join(DIST, name), "utf8");
const listBuiltFiles = (ending: string) =>
  readdirSync(DIST, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(ending));

let buildResult: FinishedProcess;
let isUnreachable = false;
beforeAll(async () => {
  isUnreachable = !(await installPackages(SITE, "vitepress"));
  if (!isUnreachable) buildResult = await runCommand("npm", ["run", "docs:build"]);
}, 600_000);

test("the documentation site is built with every page and without a dead link", ({ skip }) => {
  skip(isUnreachable, MISSING_PACKAGES);
  expect(buildResult.code, buildResult.stdout + buildResult.stderr).toBe(0);
  expect(readFileSync(join(SITE, ".vitepress", "config.ts"), "utf8")).not.toContain(
    "ignoreDeadLinks",
  );
  const pages = sections.flatMap((section) => section.pages.map((page) => `${page}.html`));
  expect(pages.filter((page) => !existsSync(join(DIST, page)))).toEqual([]);
});

test("the API reference has a page for each entry point, which names all of its exports", ({
  skip,
}) => {
  skip(isUnreachable);
  const api = listBuiltFiles(".html").filter((name) => name.includes(join("reference", "api")));
  for (const { entryPoint, source } of listEntryPoints()) {
    const page = api
      .map(readBuiltFile)
      .find((html) => html.includes(`<h1 id="${headingId(entryPoint)}"`));
    expect(page, entryPoint).toBeDefined();
    const names = listExports(source).map(({ name }) => name);
    const missing = names.filter(
      (name) => !name.includes(".") && name !== "z" && !page!.includes(name),
    );
    expect(missing, entryPoint).toEqual([]);
  }
});

test("the API reference is grouped by topic, and not by kind", ({ skip }) => {
  skip(isUnreachable);
  for (const name of listBuiltFiles(".html").filter((name) =>
    /api\/(exports|testing)/.test(name),
  )) {
    const headings = [...readBuiltFile(name).matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id!);
    expect(headings.length, name).toBeGreaterThan(2);
    expect(headings, name).not.toContain("functions");
  }
});

test("every link of a page leads to a page that exists, and to a place on it", ({ skip }) => {
  skip(isUnreachable);
  const pages = new Map(listBuiltFiles(".html").map((name) => [name, readBuiltFile(name)]));
  const places = new Map(
    [...pages].map(([name, html]) => [
      name,
      new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!)),
    ]),
  );
  const dead = [...pages].flatMap(([name, html]) =>
    [...html.matchAll(/<a\b[^>]*\shref="(?!https?:)([^"]*)"/g)]
      .map(([, href]) => href!.replaceAll("&amp;", "&"))
      .filter((href) => !linkLeadsSomewhere(name, href, places))
      .map((href) => `${name}: ${href}`),
  );
  expect(dead).toEqual([]);
});

test("every formula is drawn as a formula", ({ skip }) => {
  skip(isUnreachable);
  const formulas = sections.flatMap(({ pages }) =>
    pages.map((page) => {
      const text = readFileSync(join(ROOT, "docs", `${page}.md`), "utf8");
      const blocks = text.match(/^ *```math$/gm) ?? [];
      const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, "").replace(/`[^`]*`/g, "");
      const inline = prose.match(/\$(?=\S)[^$\n]*(?:\n[^$\n]+)?(?<=\S)\$(?!\d)/g) ?? [];
      const drawn = readBuiltFile(`${page}.html`).match(/<math[ >]/g) ?? [];
      return { page, written: blocks.length + inline.length, drawn: drawn.length };
    }),
  );
  expect(formulas.filter(({ written, drawn }) => written !== drawn)).toEqual([]);
  expect(formulas.reduce((sum, { drawn }) => sum + drawn, 0)).toBeGreaterThan(200);
});

test("the site's search index has the text, and no page loads from another server", ({ skip }) => {
  skip(isUnreachable);
  const index = listBuiltFiles(".js").find((name) => name.includes("localSearchIndex"));
  expect(readBuiltFile(index!)).toContain("leave-one-out");
  const loads = /<(?:script|link|img|iframe)\b[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g;
  const asked = listBuiltFiles(".html").flatMap((name) => readBuiltFile(name).match(loads) ?? []);
  const styles = listBuiltFiles(".css").flatMap(
    (name) => readBuiltFile(name).match(/(?:url\(|@import )["']?(?:https?:)?\/\/[^)]*/g) ?? [],
  );
  expect([...asked, ...styles]).toEqual([]);
});

function linkLeadsSomewhere(
  from: string,
  href: string,
  places: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const [path = "", place] = href.split("#");
  const named = path.startsWith("/") ? path.slice(1) : join(dirname(from), path);
  const target =
    path === "" ? from : decodeURI(/(^$|\/$)/.test(named) ? `${named}index.html` : named);
  if (!existsSync(join(DIST, target))) return false;
  const found = places.get(target);
  return place === undefined || found === undefined || found.has(decodeURIComponent(place));
}

/** Returns the identifier of a heading by GitHub's rule, which drops the slash. */
const headingId = (entryPoint: string) => entryPoint.replace("/", "");
