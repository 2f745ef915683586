/**
 * `npm run docs:build` builds the site into `site/dist/`. All pages are first collected in `site/.pages/`: a copy of
 * `docs/`, a page for every example and for the worlds in `worlds/`, the API reference by TypeDoc, and the reference
 * pages of `site/reference`. The network is needed only to install missing tools.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { finishApiPages } from "./api-pages.mjs";

const SITE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(SITE);
const PAGES = join(SITE, ".pages");

installTools();
rmSync(PAGES, { recursive: true, force: true });
cpSync(join(ROOT, "docs"), PAGES, { recursive: true });
makeLandingPage();
makeExamplePages();
copyWorldPages();
linkExamples();
makeApiPages();
makeReferencePages();
run("node_modules/vitepress/bin/vitepress.js", "build", ".");

function installTools() {
  if (existsSync(join(SITE, "node_modules", "vitepress"))) return;
  const { status } = spawnSync("npm", ["ci"], { cwd: SITE, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** Writes the start page: `landing.md`, followed by the list of `docs/index.md`. */
function makeLandingPage() {
  mkdirSync(join(PAGES, "public"), { recursive: true });
  cpSync(join(ROOT, "docs/images/studio-run.png"), join(PAGES, "public/studio-run.png"));
  const [, list = ""] = readFileSync(join(ROOT, "docs/index.md"), "utf8").split(/^# .*\n/m);
  const landing = readFileSync(join(SITE, "landing.md"), "utf8");
  writeFileSync(join(PAGES, "index.md"), `${landing}${list}`);
}

/** Writes a page for each file in `examples/`. */
function makeExamplePages() {
  const names = readdirSync(join(ROOT, "examples"), { recursive: true }).map(String);
  for (const name of names.filter((path) => path.endsWith(".ts"))) {
    const code = readFileSync(join(ROOT, "examples", name), "utf8").trimEnd();
    const page = join(PAGES, "examples", name.replace(/\.ts$/, ".md"));
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(page, `# ${name}\n\n\`\`\`ts\n${code}\n\`\`\`\n`);
  }
}

/** Copies the pages of the worlds in `worlds/`, and changes links to them and between them. */
function copyWorldPages() {
  for (const name of readdirSync(join(ROOT, "worlds"))) {
    const readme = join(ROOT, "worlds", name, "README.md");
    if (!existsSync(readme)) continue;
    mkdirSync(join(PAGES, "worlds"), { recursive: true });
    cpSync(readme, join(PAGES, "worlds", `${name}.md`));
  }
  for (const name of readdirSync(PAGES, { recursive: true })) {
    if (!name.endsWith(".md")) continue;
    const text = readFileSync(join(PAGES, name), "utf8");
    const linked = text.replace(
      /\]\((?:\.\.\/)+(?:worlds\/)?([\w-]+)\/README\.md\)/g,
      "](/worlds/$1.md)",
    );
    if (linked !== text) writeFileSync(join(PAGES, name), linked);
  }
}

/**
 * Writes a page for each entry point of the package. A name that several entry points export is described on the page
 * of the first of them, so the main entry point comes last.
 */
function makeApiPages() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const entryPoints = Object.entries(exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([path, { types }]) => [`bowline${path.slice(1)}`, types.replace("./dist/", "src/")])
    .map(([name, types]) => [name, types.replace(/\.d\.ts$/, ".ts")])
    .sort(([a], [b]) => b.length - a.length || a.localeCompare(b));
  const sources = entryPoints.flatMap(([, source]) => ["--entryPoints", join(ROOT, source)]);
  run("node_modules/typedoc/bin/typedoc", ...sources);
  finishApiPages(join(PAGES, "reference", "api"), ROOT, entryPoints);
}

/** Writes the pages about commands, configuration and the studio's API, which are generated from the program. */
function makeReferencePages() {
  const { status } = spawnSync(
    process.execPath,
    ["--import", "tsx", "site/reference/main.ts", join(PAGES, "reference")],
    { cwd: ROOT, stdio: "inherit" },
  );
  if (status !== 0) process.exit(status ?? 1);
}

/** Changes links from pages to examples so that they lead to the example's page. */
function linkExamples() {
  for (const name of readdirSync(PAGES, { recursive: true })) {
    if (!name.endsWith(".md")) continue;
    const text = readFileSync(join(PAGES, name), "utf8");
    const linked = text.replace(/\]\((?:\.\.\/)+examples\/([\w/-]+)\.ts\)/g, "](/examples/$1.md)");
    if (linked !== text) writeFileSync(join(PAGES, name), linked);
  }
}

function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: SITE,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
