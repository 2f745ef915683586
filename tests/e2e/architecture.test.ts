/**
 * Checks rules on the source that no compiler checks: which files may import which, how long files may be, and what no
 * file may contain.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./support/cli.ts";

const IGNORED = new Set("node_modules dist runs coverage .git .venv .pages .cache".split(" "));
const SOURCE = join(ROOT, "src");

const BELOW_TRAIN = [
  "spec",
  "core",
  "text",
  "world",
  "goals",
  "worlds",
  "engine",
  "agent",
  "algo",
  "methods",
];

/** The layers that each layer may import. */
const ALLOWED: { readonly [layer: string]: readonly string[] } = {
  spec: ["core"],
  core: [],
  text: ["spec", "core"],
  world: ["spec", "core"],
  goals: ["spec", "core", "world"],
  worlds: ["spec", "core", "world", "goals"],
  engine: ["spec", "core"],
  agent: ["spec", "core", "text"],
  algo: ["spec", "core"],
  methods: ["spec", "core", "agent", "algo"],
  train: BELOW_TRAIN,
  bench: [...BELOW_TRAIN, "train"],
  report: ["spec", "core", "text", "algo", "methods", "train"],
  server: [...BELOW_TRAIN, "train", "report"],
  cli: [...BELOW_TRAIN, "train", "bench", "report", "server"],
  testing: [...BELOW_TRAIN, "train", "bench", "report", "server", "cli"],
};

/** Files that may have over 500 lines, each with the reason. */
const LONG_FILES: { readonly [path: string]: string } = {
  "src/world/sandbox/attacks.test.ts": "a list: one attack after the other",
  "worlds/everyday/goals/selectors.ts": "a catalogue: one selector after the other",
};

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (IGNORED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : entry.isFile() ? [path] : [];
  });
}

const sources = listFiles(SOURCE).filter((path) => path.endsWith(".ts"));
const isTest = (path: string) => path.endsWith(".test.ts");
/** Returns the layer of a file; the package's entry points, `index.ts` and `exports/`, have none. */
const layerOf = (path: string) => {
  const [layer = "", ...rest] = relative(SOURCE, path).split(/[\\/]/);
  return rest.length === 0 || layer === "exports" ? "" : layer;
};
/**
 * Modules besides `index.ts` that other layers may import. They load less, or what most programs do not need: one of
 * them, for example, loads what is needed to define a world, but not what is needed to run it.
 */
const EXTRA_ENTRY_POINTS = [
  join("core", "gguf", "index.ts"),
  join("world", "kit.ts"),
  join("world", "resources", "index.ts"),
  join("world", "testing", "index.ts"),
  join("spec", "studio", "index.ts"),
  join("server", "studio", "index.ts"),
];

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly target: string;
}

function listImports(path: string): Import[] {
  const text = readFileSync(path, "utf8");
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)].map(
    (match) => match[1]!,
  );
  return specifiers.map((specifier) => {
    const target = resolve(dirname(path), specifier);
    return {
      file: relative(ROOT, path),
      from: layerOf(path),
      to: layerOf(target),
      target: relative(SOURCE, target),
    };
  });
}

const crossLayerImports = sources
  .filter((path) => !isTest(path))
  .flatMap(listImports)
  .filter(({ from, to }) => from !== to);

test("every layer has source files, and over 100 imports cross layers", () => {
  expect(
    Object.keys(ALLOWED).filter((layer) => !sources.some((path) => layerOf(path) === layer)),
  ).toEqual([]);
  expect(crossLayerImports.length).toBeGreaterThan(100);
});

test("imports across layers use the index.ts of the other layer", () => {
  const wrong = crossLayerImports.filter(
    ({ target, to }) => target !== join(to, "index.ts") && !EXTRA_ENTRY_POINTS.includes(target),
  );
  expect(wrong.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
});

test("a layer imports only layers below it", () => {
  const wrong = crossLayerImports.filter(
    ({ from, to }) => from !== "" && !ALLOWED[from]?.includes(to),
  );
  expect(wrong.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
});

test("no layer imports the fakes in src/testing", () => {
  expect(crossLayerImports.filter(({ to }) => to === "testing").map(({ file }) => file)).toEqual(
    [],
  );
});

/** Every import of the worlds that are guests, and of their tests, with the importing file. */
const guestImports = listFiles(join(ROOT, "worlds"))
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) =>
    [
      ...readFileSync(path, "utf8").matchAll(/^(?:import .*|export .*|\}) from "([^"\n]+)";$/gm),
    ].map(([, module]) => ({ path, module: module! })),
  );
/** Returns the folder of the guest to which a file belongs, such as `worlds/everyday`. */
const guestFolder = (path: string) => relative(ROOT, path).split(/[\\/]/, 2).join("/");

test("worlds outside of src import only their own files and the package's public entry points", () => {
  const entryPoints = Object.keys(
    JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).exports,
  );
  const isAllowed = ({ path, module }: (typeof guestImports)[number]) => {
    if (module.startsWith("."))
      return guestFolder(resolve(dirname(path), module)) === guestFolder(path);
    if (module.startsWith("bowline")) return entryPoints.includes(module.replace(/^bowline/, "."));
    return isTest(path) && (module === "vitest" || module.startsWith("node:"));
  };
  const wrong = guestImports.filter((one) => !isAllowed(one));
  expect(guestImports.length).toBeGreaterThan(500);
  expect(wrong.map(({ path, module }) => `${relative(ROOT, path)} -> ${module}`)).toEqual([]);
});

test("every world outside of src is built with the house", () => {
  const { references } = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8")) as {
    references: { path: string }[];
  };
  const guests = readdirSync(join(ROOT, "worlds")).map((name) => `worlds/${name}`);
  expect(guests.length).toBeGreaterThan(1);
  expect(references.map(({ path }) => path).sort()).toEqual([...guests, "src"].sort());
});

test("only the list of built-in worlds names the folder of the Everyday world", () => {
  const filesNamingIt = sources.filter(
    (path) => !isTest(path) && readFileSync(path, "utf8").includes("worlds/everyday"),
  );
  expect(filesNamingIt.map((path) => relative(SOURCE, path))).toEqual([join("worlds", "index.ts")]);
});

test("no type is written as import(...), because Biome's rule against import cycles does not see such imports", () => {
  const inlineTypeImports = sources.filter((path) =>
    /(?<!\b(?:await|void) )\bimport\(\s*"/.test(readFileSync(path, "utf8")),
  );
  expect(inlineTypeImports.map((path) => relative(ROOT, path))).toEqual([]);
});

test("no file of code is longer than 500 lines", () => {
  const code = ["src", "worlds", "tests", "examples", "web"].flatMap((name) =>
    listFiles(join(ROOT, name)),
  );
  const long = code
    .filter((path) => /\.tsx?$/.test(path))
    .filter((path) => readFileSync(path, "utf8").split("\n").length > 501)
    .map((path) => relative(ROOT, path));
  expect(long.filter((path) => !(path in LONG_FILES))).toEqual([]);
});

test("the code of one LOOP iteration is at most 14 files, and 1,560 lines without the engine contract", () => {
  const page = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
  const [, order = ""] = page.split("## One iteration, file by file");
  const listedFiles = [...order.matchAll(/^\d+\. `(src\/[^`]+)`/gm)].map(([, file]) => file!);
  const countLines = (file: string) =>
    readFileSync(join(ROOT, file), "utf8").split("\n").length - 1;
  const lines = listedFiles.filter((file) => file !== "src/spec/engine.ts").map(countLines);
  expect(listedFiles.length).toBeGreaterThan(9);
  expect(listedFiles.length).toBeLessThanOrEqual(14);
  expect(lines.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1560);
});

test("every source file begins with a comment", () => {
  const withoutComment = sources.filter(
    (path) => !isTest(path) && !/^(#!.*\n)?\s*\/\*\*/.test(readFileSync(path, "utf8")),
  );
  expect(withoutComment.map((path) => relative(ROOT, path))).toEqual([]);
});

const texts = listFiles(ROOT)
  .filter((path) => /\.(ts|js|mjs|json|md|py|sh|yml)$|[\\/](run|\.npmrc|\.gitignore)$/.test(path))
  .map((path) => ({ path: relative(ROOT, path), content: readFileSync(path, "utf8") }));

test("no file contains the name of a package registry or a path of one developer's machine", () => {
  const roots = ["work", "home", "root", "Users"].join("|");
  const machinePath = new RegExp(`(?<![\\w.])/(${roots})/[\\w.]+`);
  const registryHost = /\b(registry|npm)\.[\w-]+\.(com|org|net|io|dev)\b/;
  const found = texts.flatMap(({ path, content }) => {
    const match = machinePath.exec(content) ?? registryHost.exec(content);
    return match ? [`${path}: ${match[0]}`] : [];
  });
  expect(found).toEqual([]);
});

test("the lock file names no server to download from", () => {
  const lock = texts.find(({ path }) => path === "package-lock.json");
  expect(lock?.content).toContain('"integrity":');
  // The lock file refers to the studio's page by its folder `web`, because it is a workspace of this repository.
  expect(lock?.content.replaceAll('"resolved": "web"', "")).not.toContain('"resolved":');
});

test("no source file calls Math.random", () => {
  const callers = sources.filter(
    (path) => !isTest(path) && /\bMath\.random\(\)/.test(readFileSync(path, "utf8")),
  );
  expect(callers.map((path) => relative(SOURCE, path))).toEqual([]);
});

test("docs/architecture.md names every layer", () => {
  const page = readFileSync(join(ROOT, "docs", "architecture.md"), "utf8");
  for (const layer of Object.keys(ALLOWED)) expect(page).toMatch(new RegExp(`^  ${layer}/`, "m"));
});
