/**
 * The site of the documentation: it is built, with every page, every export of the package, a search without a server, and
 * nothing that is asked of another place. A dead link ends VitePress's build.
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

const textOf = (name: string) => readFileSync(join(DIST, name), "utf8");
const filesOf = (ending: string) =>
  readdirSync(DIST, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(ending));

let built: FinishedProcess;
let unreachable = false;
beforeAll(async () => {
  unreachable = !(await installPackages(SITE, "vitepress"));
  if (!unreachable) built = await runCommand("npm", ["run", "docs:build"]);
}, 600_000);

test("it is built, without a dead link", ({ skip }) => {
  skip(unreachable, MISSING_PACKAGES);
  expect(built.code, built.stdout + built.stderr).toBe(0);
  expect(readFileSync(join(SITE, ".vitepress", "config.ts"), "utf8")).not.toContain(
    "ignoreDeadLinks",
  );
  const pages = sections.flatMap((section) => section.pages.map((page) => `${page}.html`));
  expect(pages.filter((page) => !existsSync(join(DIST, page)))).toEqual([]);
});

test("the API reference has a page for each door, and names all that it exports", ({ skip }) => {
  skip(unreachable);
  const api = filesOf(".html").filter((name) => name.includes(join("reference", "api")));
  for (const { door, source } of listEntryPoints()) {
    const page = api.map(textOf).find((html) => html.includes(`<h1 id="${anchorOf(door)}"`));
    expect(page, door).toBeDefined();
    const names = listExports(source).map(({ name }) => name);
    const missing = names.filter(
      (name) => !name.includes(".") && name !== "z" && !page!.includes(name),
    );
    expect(missing, door).toEqual([]);
  }
});

test("its search has the text, and nothing is asked of another place", ({ skip }) => {
  skip(unreachable);
  const index = filesOf(".js").find((name) => name.includes("localSearchIndex"));
  expect(textOf(index!)).toContain("leave-one-out");
  const loads = /<(?:script|link|img|iframe)\b[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g;
  const asked = filesOf(".html").flatMap((name) => textOf(name).match(loads) ?? []);
  const styles = filesOf(".css").flatMap(
    (name) => textOf(name).match(/(?:url\(|@import )["']?(?:https?:)?\/\/[^)]*/g) ?? [],
  );
  expect([...asked, ...styles]).toEqual([]);
});

const anchorOf = (door: string) => door.replace("/", "-");
