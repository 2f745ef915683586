/** Rules about the source that no compiler checks: doors, direction, sizes, and what no file may contain. */
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

/** Which layers a layer may import. */
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

/** Files over 500 lines, each with the reason. */
const LONG_FILES: { readonly [path: string]: string } = {
  "src/world/sandbox/attacks.test.ts": "a list: one attack after the other",
  "worlds/everyday/goals/selectors.ts": "a catalogue: one selector after the other",
};

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (IGNORED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : entry.isFile() ? [path] : [];
  });
}

const sources = files(SOURCE).filter((path) => path.endsWith(".ts"));
const isTest = (path: string) => path.endsWith(".test.ts");
/** The package's doors, `index.ts` and `exports/`, belong to no layer. */
const layerOf = (path: string) => {
  const [layer = "", ...rest] = relative(SOURCE, path).split(/[\\/]/);
  return rest.length === 0 || layer === "exports" ? "" : layer;
};
/**
 * Of a folder with a second door: what defining a world needs, without what running one needs; the studio, without the servers
 * that train.
 */
const DOORS = [
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

function importsOf(path: string): Import[] {
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

const crossing = sources
  .filter((path) => !isTest(path))
  .flatMap(importsOf)
  .filter(({ from, to }) => from !== to);

test("there is something to look at", () => {
  expect(
    Object.keys(ALLOWED).filter((layer) => !sources.some((path) => layerOf(path) === layer)),
  ).toEqual([]);
  expect(crossing.length).toBeGreaterThan(100);
});

test("imports across layers go through the layer's index.ts", () => {
  const wrong = crossing.filter(
    ({ target, to }) => target !== join(to, "index.ts") && !DOORS.includes(target),
  );
  expect(wrong.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
});

test("imports go down only", () => {
  const wrong = crossing.filter(({ from, to }) => from !== "" && !ALLOWED[from]?.includes(to));
  expect(wrong.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
});

test("nothing that ships imports the fakes but their own door", () => {
  expect(crossing.filter(({ to }) => to === "testing").map(({ file }) => file)).toEqual([]);
});

/** Every module that the Everyday world imports, its tests included, by file. */
const guestImports = files(join(ROOT, "worlds"))
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) =>
    [
      ...readFileSync(path, "utf8").matchAll(/^(?:import .*|export .*|\}) from "([^"\n]+)";$/gm),
    ].map(([, module]) => ({ path, module: module! })),
  );

test("the Everyday world imports only the package's public doors", () => {
  const doors = Object.keys(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).exports);
  const isAllowed = ({ path, module }: (typeof guestImports)[number]) => {
    if (module.startsWith("."))
      return resolve(dirname(path), module).startsWith(join(ROOT, "worlds/everyday/"));
    if (module.startsWith("bowline")) return doors.includes(module.replace(/^bowline/, "."));
    return isTest(path) && (module === "vitest" || module.startsWith("node:"));
  };
  const wrong = guestImports.filter((one) => !isAllowed(one));
  expect(guestImports.length).toBeGreaterThan(500);
  expect(wrong.map(({ path, module }) => `${relative(ROOT, path)} -> ${module}`)).toEqual([]);
});

test("only the list of built-in worlds knows where the Everyday world is", () => {
  const naming = sources.filter(
    (path) => !isTest(path) && readFileSync(path, "utf8").includes("worlds/everyday"),
  );
  expect(naming.map((path) => relative(SOURCE, path))).toEqual([join("worlds", "index.ts")]);
});

test("types come by import statements, the only form in which Biome's rule against circles sees them", () => {
  const hidden = sources.filter((path) =>
    /(?<!\b(?:await|void) )\bimport\(\s*"/.test(readFileSync(path, "utf8")),
  );
  expect(hidden.map((path) => relative(ROOT, path))).toEqual([]);
});

test("no file of code is longer than 500 lines", () => {
  const code = ["src", "worlds", "tests", "examples", "web"].flatMap((name) =>
    files(join(ROOT, name)),
  );
  const long = code
    .filter((path) => /\.tsx?$/.test(path))
    .filter((path) => readFileSync(path, "utf8").split("\n").length > 501)
    .map((path) => relative(ROOT, path));
  expect(long.filter((path) => !(path in LONG_FILES))).toEqual([]);
});

test("one iteration of LOOP is read in at most 14 files; without an engine's contract, in 1,500 lines", () => {
  const page = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
  const [, order = ""] = page.split("## One iteration, file by file");
  const named = [...order.matchAll(/^\d+\. `(src\/[^`]+)`/gm)].map(([, file]) => file!);
  const linesOf = (file: string) => readFileSync(join(ROOT, file), "utf8").split("\n").length - 1;
  const lines = named.filter((file) => file !== "src/spec/engine.ts").map(linesOf);
  expect(named.length).toBeGreaterThan(9);
  expect(named.length).toBeLessThanOrEqual(14);
  expect(lines.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1500);
});

test("every file of code opens by saying what it is", () => {
  const silent = sources.filter(
    (path) => !isTest(path) && !/^(#!.*\n)?\s*\/\*\*/.test(readFileSync(path, "utf8")),
  );
  expect(silent.map((path) => relative(ROOT, path))).toEqual([]);
});

const texts = files(ROOT)
  .filter((path) => /\.(ts|js|mjs|json|md|py|sh|yml)$|[\\/](run|\.npmrc|\.gitignore)$/.test(path))
  .map((path) => ({ path: relative(ROOT, path), content: readFileSync(path, "utf8") }));

test("no file names a registry host or a path of one machine", () => {
  const roots = ["work", "home", "root", "Users"].join("|");
  const machine = new RegExp(`(?<![\\w.])/(${roots})/[\\w.]+`);
  const host = /\b(registry|npm)\.[\w-]+\.(com|org|net|io|dev)\b/;
  const found = texts.flatMap(({ path, content }) => {
    const match = machine.exec(content) ?? host.exec(content);
    return match ? [`${path}: ${match[0]}`] : [];
  });
  expect(found).toEqual([]);
});

test("the lock file names no place to download from", () => {
  const lock = texts.find(({ path }) => path === "package-lock.json");
  expect(lock?.content).toContain('"integrity":');
  // The page's workspace is a folder of the package itself.
  expect(lock?.content.replaceAll('"resolved": "web"', "")).not.toContain('"resolved":');
});

test("randomness has a seed everywhere", () => {
  const drawing = sources.filter(
    (path) => !isTest(path) && /\bMath\.random\(\)/.test(readFileSync(path, "utf8")),
  );
  expect(drawing.map((path) => relative(SOURCE, path))).toEqual([]);
});

test("docs/architecture.md names every folder of the source", () => {
  const page = readFileSync(join(ROOT, "docs", "architecture.md"), "utf8");
  for (const layer of Object.keys(ALLOWED)) expect(page).toMatch(new RegExp(`^  ${layer}/`, "m"));
});
