/**
 * Builds the documentation site. The site has every page, every export of the package, and a search without a server,
 * and it loads nothing from other servers. The build with VitePress fails at a dead link.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

const headingId = (entryPoint: string) => entryPoint.replace("/", "-");
