/**
 * `npm run docs:build`: pages of `docs/` with the API reference made from the types, into `site/dist/`.
 *
 * The pages are put together in `site/.pages/`, so that nothing that is made stands among what is written: `docs/` as it is,
 * an `examples/` page for every example, `reference/api/` by TypeDoc, and the pages of `site/reference`. Nothing here asks for a network, except that missing
 * tools are installed first.
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

const SITE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(SITE);
const PAGES = join(SITE, ".pages");

installTools();
rmSync(PAGES, { recursive: true, force: true });
cpSync(join(ROOT, "docs"), PAGES, { recursive: true });
makeLandingPage();
makeExamplePages();
linkExamples();
makeApiPages();
makeReferencePages();
run("node_modules/vitepress/bin/vitepress.js", "build", ".");

function installTools() {
  if (existsSync(join(SITE, "node_modules", "vitepress"))) return;
  const { status } = spawnSync("npm", ["ci"], { cwd: SITE, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** A picture of a run and one command, above the list of what a reader may want to do. */
function makeLandingPage() {
  mkdirSync(join(PAGES, "public"), { recursive: true });
  cpSync(join(ROOT, "docs/images/studio-run.png"), join(PAGES, "public/studio-run.png"));
  const [, list = ""] = readFileSync(join(ROOT, "docs/index.md"), "utf8").split(/^# .*\n/m);
  const landing = readFileSync(join(SITE, "landing.md"), "utf8");
  writeFileSync(join(PAGES, "index.md"), `${landing}${list}`);
}

/** `examples/name.ts`, and those in folders, as a page each. */
function makeExamplePages() {
  const names = readdirSync(join(ROOT, "examples"), { recursive: true }).map(String);
  for (const name of names.filter((path) => path.endsWith(".ts"))) {
    const code = readFileSync(join(ROOT, "examples", name), "utf8").trimEnd();
    const page = join(PAGES, "examples", name.replace(/\.ts$/, ".md"));
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(page, `# ${name}\n\n\`\`\`ts\n${code}\n\`\`\`\n`);
  }
}

/** A page for each door of the package. What several export is described at the first, so what is imported whole comes last. */
function makeApiPages() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const doors = Object.entries(exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([door, { types }]) => [`bowline${door.slice(1)}`, types.replace("./dist/", "src/")])
    .map(([door, types]) => [door, types.replace(/\.d\.ts$/, ".ts")])
    .sort(([a], [b]) => b.length - a.length || a.localeCompare(b));
  const sources = doors.flatMap(([, source]) => ["--entryPoints", join(ROOT, source)]);
  run("node_modules/typedoc/bin/typedoc", ...sources);
  nameAfterDoors(doors);
}

/** Commands, configuration and the studio's API, as the program itself describes them. */
function makeReferencePages() {
  const { status } = spawnSync(
    process.execPath,
    ["--import", "tsx", "site/reference/main.ts", join(PAGES, "reference")],
    { cwd: ROOT, stdio: "inherit" },
  );
  if (status !== 0) process.exit(status ?? 1);
}

/** TypeDoc names a module by its file; whoever imports it knows it by its door. */
function nameAfterDoors(doors) {
  const api = join(PAGES, "reference", "api");
  const names = new Map(
    doors.map(([door, source]) => [
      source.replace(/^src\/|\.ts$/g, "").replace(/(.)\/index$/, "$1"),
      door,
    ]),
  );
  for (const name of readdirSync(api, { recursive: true })) {
    if (!name.endsWith(".md")) continue;
    const text = readFileSync(join(api, name), "utf8");
    const named = text
      .replace(/^# (\S+)$/m, (line, module) => `# ${names.get(module) ?? line.slice(2)}`)
      .replace(/^- \[(\S+)\]\(/gm, (_, module) => `- [${names.get(module) ?? module}](`)
      // A heading for each name that is described elsewhere would bury the page.
      .replace(
        /^### \S+\n\n(?:Re-exports|Renames and re-exports) (.*)\n(?:\n\*\*\*\n\n?)?/gm,
        "- $1\n",
      );
    writeFileSync(join(api, name), named);
  }
}

/** Links of `docs/` to an example lead to its page. */
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
