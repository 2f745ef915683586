// @ts-nocheck: the modules that it reads are those of commit 1472da1.
/**
 * Records what runs of commit 1472da1 leave: every recipe, every field changed alone, and every row of docs/systems.md on
 * the fake world. To be copied into a checkout of that commit and run there:
 *
 *   npx tsx bench/refactor/record.ts > baseline.json
 *
 * A case is the resolved configuration (what differs from the defaults) and the hashes of its metrics, rollouts and
 * weights. `compare.ts` runs the same configurations with today's code.
 */
// @ts-nocheck: what it imports is of that commit
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Episode, World } from "../../src/spec/index.ts";
import { configSchema } from "../../src/train/config.ts";
import { recipes } from "../../src/train/recipes/index.ts";
import { configFields, resolveConfig } from "../../src/train/resolve-config.ts";
import { SHAPE_SETTINGS, SHAPE_VALUES } from "../../src/train/shapes/field-settings.ts";
import { fakeParts, fakeWorld, memoryFolder } from "../../src/train/testing.ts";
import { trainWith } from "../../src/train/train.ts";

type Fields = Readonly<Record<string, unknown>>;
interface Setting {
  readonly recipe: string;
  readonly fields: Fields;
}

const source = readFileSync("src/train/config-fields.test.ts", "utf8");
const between = (a: string, b: string) => source.slice(source.indexOf(a), source.indexOf(b));
const tables = between("const TINY = {", "/** The only value that there is so far")
  .replace(/: \{ readonly \[(prefix|path): string\]: (Setting|unknown) \}/g, "")
  .replace(/: Setting(\["fields"\])?/g, "");
const { TINY, SETTINGS, OTHER } = new Function(
  "SHAPE_SETTINGS",
  "SHAPE_VALUES",
  `${tables}; return { TINY, SETTINGS, OTHER };`,
)(SHAPE_SETTINGS, SHAPE_VALUES) as {
  TINY: Fields;
  SETTINGS: Record<string, Setting>;
  OTHER: Fields;
};

/** Observations of several lines, tasks of all difficulties, failing code of odd length, a call a cell. */
function wordyWorld(): World {
  const world = fakeWorld();
  const wordy = (episode: Episode): Episode => ({
    ...episode,
    step: async (code) => {
      const result = await episode.step(code);
      const call = { app: "fake", api: "say", args: {}, status: 200, wrote: false };
      const text = `${result.text}\nand more is said\nand then some`;
      const status = code.length % 2 === 1 ? "error" : "ok";
      return { ...result, text, status, calls: code === "" ? [] : [call] };
    },
    fork: async () => wordy(await episode.fork()),
  });
  const tasks: World["tasks"] = (split, scenarios) =>
    world
      .tasks(split, scenarios)
      .map((task, i) => ({ ...task, difficulty: ([1, 2, 3] as const)[i % 3]! }));
  return { ...world, tasks, open: async (id) => wordy(await world.open(id)) };
}

const root = memoryFolder("bowline-record-");
let runs = 0;
const hash = (...texts: string[]) => {
  const h = createHash("sha256");
  for (const t of texts) h.update(t);
  return h.digest("hex").slice(0, 16);
};

async function hashes(config: unknown) {
  const out = join(root, String(runs++));
  await trainWith(fakeParts(wordyWorld()), config as never, { out });
  const read = (name: string) => readFileSync(join(out, name), "utf8");
  const files = readdirSync(join(out, "rollouts")).sort();
  const result = {
    metrics: hash(read("metrics.jsonl")),
    rollouts: hash(...files.flatMap((name) => [name, read(join("rollouts", name))])),
    weights: hash(read("checkpoints/final/engine/table.json")),
  };
  rmSync(out, { recursive: true });
  return result;
}

const standard = configSchema.parse({});
function difference(value: unknown, plain: unknown): unknown {
  if (
    typeof value !== "object" ||
    value === null ||
    Array.isArray(value) ||
    typeof plain !== "object" ||
    plain === null
  ) {
    return JSON.stringify(value) === JSON.stringify(plain) ? undefined : value;
  }
  const entries = Object.entries(value).flatMap(([k, v]) => {
    const d = difference(v, (plain as Record<string, unknown>)[k]);
    return d === undefined ? [] : [[k, d]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const cases: { name: string; config: unknown; hashes: unknown }[] = [];
async function add(name: string, recipe: string, overrides: Fields) {
  let config: ReturnType<typeof resolveConfig>;
  try {
    config = resolveConfig({ recipe, overrides });
  } catch {
    return;
  }
  try {
    cases.push({ name, config: difference(config, standard), hashes: await hashes(config) });
  } catch (error) {
    console.error(`${name}: ${String((error as Error).message).slice(0, 120)}`);
  }
}

function settingFor(path: string): Setting {
  const prefixes = Object.keys(SETTINGS).filter((prefix) => path.startsWith(prefix));
  return SETTINGS[prefixes.sort((a, b) => b.length - a.length)[0]!]!;
}
function otherValue(path: string, expected: string, now: unknown): unknown {
  if (path in OTHER) return OTHER[path];
  if (typeof now === "boolean") return !now;
  const options = /^one of (.*?)(?: or null)?$/.exec(expected)?.[1]?.split(", ");
  if (options !== undefined) return options[(options.indexOf(String(now)) + 1) % options.length];
  if (typeof now === "number") return expected.startsWith("an integer") ? now + 1 : now / 2 || 0.5;
  return "another";
}

for (const recipe of Object.keys(recipes)) {
  const local = recipe.startsWith("loop-qwen")
    ? {
        "engine.name": "onnx",
        "engine.baseModel": null,
        "engine.lora.rank": 0,
        "engine.lora.alpha": 16,
        "scaffold.name": "compact",
        "scaffold.maxTokens": 256,
      }
    : {};
  const rft =
    recipe === "rft" || recipe === "sft-gt" || recipe === "imitation-control"
      ? {}
      : { "algo.iterations": 3 };
  await add(`recipe ${recipe}`, recipe, {
    ...TINY,
    ...(recipe === "imitation-control" ? {} : rft),
    "warm.demonstrations": 96,
    ...local,
  });
}
const at = (config: object, path: string) =>
  path.split(".").reduce<unknown>((v, k) => (v as Record<string, unknown>)?.[k], config);
for (const { path, expected } of configFields()) {
  if (
    ["engine.name", "run.minutes", "world.name", "engine.provider"].includes(path) ||
    path.startsWith("world.dials") ||
    path.startsWith("engine.") ||
    path.startsWith("participants.judge")
  )
    continue;
  const { recipe, fields } = settingFor(path);
  const now = at(resolveConfig({ recipe, overrides: { ...TINY, ...fields } }), path);
  await add(`field ${path}`, recipe, {
    ...TINY,
    ...fields,
    [path]: otherValue(path, expected, now),
  });
}
const page = readFileSync("docs/systems.md", "utf8").split("\n");
const begin = page.findIndex((l) => l.startsWith("| System |"));
for (const line of page.slice(begin + 2)) {
  if (!line.startsWith("|")) break;
  const [name = "", , recipeCell = ""] = line.slice(2, -2).split(" | ");
  const words = [...recipeCell.replace(/^`(.*)`$/, "$1").matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, q, p]) => q ?? p!,
  );
  const named = Object.hasOwn(recipes, words[0]!);
  const flags = named ? words.slice(1) : words;
  const overrides: Record<string, string> = {};
  for (let i = 0; i < flags.length; i += 2) overrides[flags[i]!.replace(/^--/, "")] = flags[i + 1]!;
  const recipe = named ? words[0]! : "starter";
  const config = resolveConfig({ recipe, overrides });
  const stages = config.schedule.stages.map((stage) => ({ ...stage, iterations: 1 }));
  await add(`system ${name}`, recipe, {
    ...TINY,
    "warm.demonstrations": 96,
    "warm.rows": 8,
    "warm.learningRate": 0.45,
    "algo.groupSize": 4,
    "algo.minibatch": 0,
    "optimizer.learningRate": 0.1,
    "evaluation.every": 0,
    ...overrides,
    "algo.iterations": Math.max(2, stages.length),
    "algo.tasksPerIteration": 4,
    "scaffold.maxTurns": Math.min(4, config.scaffold.maxTurns),
    ...((config.shapes.branches > 0 || stages.length > 0) && {
      "algo.groupSize": config.algo.groupSize,
    }),
    ...(stages.length > 0 && { "schedule.stages": stages }),
  });
}
rmSync(root, { recursive: true });
console.log(JSON.stringify({ commit: "1472da1", cases }, null, 1));
