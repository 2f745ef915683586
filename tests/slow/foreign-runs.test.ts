/**
 * A run from elsewhere executes nothing: every door (command, server, page of the studio, function of the library) with
 * every field that may name a module. Each module leaves a mark when it runs. A door is tried before and after the
 * modules are trusted, so the second try shows that the first one could have failed.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readJson, readJsonLines } from "../../src/core/index.ts";
import { openStudio, type Studio } from "../../src/server/index.ts";
import {
  digestWorldModules,
  evaluate,
  exportPolicy,
  loadPolicy,
  MODULE_FIELDS,
} from "../../src/train/index.ts";
import { CLI_PATH, createTemporaryFolder } from "../e2e/support/cli.ts";
import { serveInProcess } from "../support/serve-in-process.ts";
import { drawCases } from "../support/sweep.ts";
import { runBowlineInProcess } from "../support/terminal.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 });

const folder = createTemporaryFolder();
const base = join(folder.path, "base");
const runs = join(folder.path, "runs");
const QWEN = fileURLToPath(new URL("../golden/hf-qwen2", import.meta.url));
const SMALL = [
  // A method whose rollouts may have participants.
  ...["--method", "grpo"],
  ...["--warm.demonstrations", "60", "--algo.iterations", "1", "--algo.tasks-per-iteration", "2"],
  ...["--evaluation.scenarios", "1", "--evaluation.scores", "dev"],
];
let studio: Studio;

type Field = (typeof MODULE_FIELDS)[number];

beforeAll(async () => {
  mkdirSync(runs);
  const { code, stderr } = await runBowlineInProcess(["train", "smoke", "--out", base, ...SMALL]);
  expect([code, stderr]).toEqual([0, ""]);
  studio = await openStudio({ root: runs, bowline: [process.execPath, CLI_PATH] });
});
afterAll(async () => {
  await studio.close();
  folder.remove();
});

/** A run whose files name a module in one field. */
interface ForeignRun {
  readonly name: string;
  readonly path: string;
  readonly module: string;
  readonly mark: string;
}

/** Returns the configuration with a module in the field, and without what belongs to the part that was there. */
function nameModule(config: Record<string, unknown>, field: Field, module: string): object {
  const { scaffold, ...others } = config as Record<string, Record<string, unknown>>;
  const { maxTurns, evaluationTurns, maxTurnTokens, maxTokens } = scaffold!;
  const limits = { maxTurns, evaluationTurns, maxTurnTokens, maxTokens };
  const [section = "", name] = field.split(".");
  if (name === undefined) return { ...config, [section]: module };
  if (field === "scaffold.name") {
    return { ...others, scaffold: { ...limits, name: module, date: null } };
  }
  if (field === "engine.name") {
    return { ...config, engine: { model: null, name: module, options: {} } };
  }
  const value = section === "extensions" ? [module] : module;
  return { ...config, [section]: { ...others[section], [name]: value } };
}

const RECORDS = ["run.json", "policy.json"] as const;

interface StoredRecord {
  readonly config: Record<string, unknown>;
  readonly world?: object;
}

/** Copies the run, and names a module in `field` of these files. The module lies in the run, or at `place`. */
function writeForeignRun(
  name: string,
  field: Field,
  records: readonly string[] = RECORDS,
  place = "module.mjs",
): ForeignRun {
  const path = join(runs, name);
  cpSync(base, path, { recursive: true });
  const module = join(path, place);
  const mark = join(path, "mark");
  mkdirSync(join(module, ".."), { recursive: true });
  const text = `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(mark)}, "");
export default 1;`;
  writeFileSync(module, text);
  const checkpoints = readdirSync(join(path, "checkpoints"));
  const files = ["run.json", ...checkpoints.map((one) => `checkpoints/${one}/policy.json`)];
  for (const file of files.filter((one) => records.some((known) => one.endsWith(known)))) {
    const record = readJson(join(path, file)) as StoredRecord;
    const config = nameModule(record.config, field, module);
    // A forger records the digests of the world that the run names.
    const modules = field === "world.name" ? digestWorldModules(pathToFileURL(module).href) : {};
    const world = record.world && { world: { ...record.world, modules, tasks: {} } };
    writeFileSync(join(path, file), JSON.stringify({ ...record, config, ...world }));
  }
  return { name, path, module, mark };
}

/** Opens a door and returns what it printed or answered. */
type Door = (run: ForeignRun) => Promise<string>;

const runCommand = async (args: readonly string[], input = "") => {
  const { code, stdout, stderr } = await runBowlineInProcess(args, input);
  return `${code} ${stdout} ${stderr}`;
};
const serve = async (args: readonly string[]) => {
  const words = ["serve", ...args, "--port", "0", "--json"];
  const { code, stdout, stderr } = await serveInProcess(words, ({ url }) => fetch(url));
  return `${code} ${stdout} ${stderr}`;
};
const callLibrary = async (call: () => Promise<unknown>) => {
  try {
    await call();
    return "0";
  } catch (error) {
    return `1 ${(error as Error).message}`;
  }
};

const POLICY_FIELDS: readonly Field[] = ["method", "engine.name", "scaffold.name"];
const PARTICIPANTS: readonly Field[] = ["participants.user", "participants.judge"];

/** Returns the fields whose modules a door loads if they are trusted, and some of the others: all in a whole sweep. */
const drawFields = (loaded: readonly Field[]): readonly Field[] => {
  const others = MODULE_FIELDS.filter((field) => !loaded.includes(field));
  return [...loaded, ...(others.length > 0 ? drawCases(others) : [])];
};

/** Each door with the fields whose modules it loads if they are trusted. */
const DOORS: Readonly<Record<string, readonly [readonly Field[], Door]>> = {
  eval: [
    ["world.name", ...POLICY_FIELDS, ...PARTICIPANTS],
    ({ path }) => runCommand(["eval", path, "--split", "dev", "--scenarios", "1"]),
  ],
  play: [
    ["world.name", ...POLICY_FIELDS, ...PARTICIPANTS],
    ({ path }) => runCommand(["play", "dev/0/1", "--policy", path]),
  ],
  chat: [POLICY_FIELDS, ({ path }) => runCommand(["chat", path], "hello\n/exit\n")],
  export: [
    ["method"],
    ({ path }) => runCommand(["export", path, "--merged", "--out", join(path, "exported")]),
  ],
  report: [[], ({ path }) => runCommand(["report", path])],
  "serve --openai": [POLICY_FIELDS, ({ path }) => serve(["--openai", path])],
  "serve --tinker": [["method"], ({ path }) => serve(["--tinker", "--checkpoint", path])],
  "train in its directory": [
    [],
    ({ path }) => runCommand(["train", "smoke", "--out", path, ...SMALL]),
  ],
  "train in its directory with a model": [
    ["scaffold.name"],
    ({ path }) => runCommand(["train", "smoke", "--out", path, "--engine.model", QWEN, ...SMALL]),
  ],
  "train from its policy": [
    POLICY_FIELDS,
    ({ path }) =>
      runCommand(["train", "smoke", "--warm", path, "--out", join(path, "new"), ...SMALL]),
  ],
  "evaluate()": [
    ["world.name", ...POLICY_FIELDS, ...PARTICIPANTS],
    ({ path }) => callLibrary(() => evaluate({ policy: path, split: "dev", scenarios: 1 })),
  ],
  "exportPolicy()": [
    ["method"],
    ({ path }) =>
      callLibrary(() => exportPolicy({ policy: path, out: join(path, "model"), merged: true })),
  ],
  "loadPolicy() and act()": [
    ["world.name", ...POLICY_FIELDS, ...PARTICIPANTS],
    ({ path }) =>
      callLibrary(async () => {
        await using policy = await loadPolicy(join(path, "checkpoints", "final"));
        await policy.act(policy.world, "dev/0/1");
      }),
  ],
};

const NEEDS_TRUST = /bowline trust /;

async function expectClosedUntilTrusted(run: ForeignRun, isLoaded: boolean, open: Door) {
  const refusal = await open(run);
  expect(existsSync(run.mark)).toBe(false);
  const isRefused = NEEDS_TRUST.test(refusal);
  if (isLoaded) expect(refusal).toMatch(NEEDS_TRUST);
  // Without a refusal, trust changes nothing.
  if (!isRefused) return rmSync(run.path, { recursive: true });
  const { code, stdout } = await runBowlineInProcess(["trust", run.path]);
  expect([code, stdout]).toEqual([0, expect.stringContaining(run.module)]);
  const answer = await open(run);
  expect([existsSync(run.mark), answer]).toEqual([
    isLoaded,
    expect.not.stringMatching(NEEDS_TRUST),
  ]);
  rmSync(run.path, { recursive: true });
}

describe.each(Object.entries(DOORS))("%s", (door, [loaded, open]) => {
  test.each(drawFields(loaded))("executes no %s of a foreign run", async (field) => {
    const run = writeForeignRun(`${door}-${field}`.replaceAll(/\W+/g, "-"), field);
    await expectClosedUntilTrusted(run, loaded.includes(field), open);
  });
});

/** Sends a request to the studio and returns status and text of the answer. */
async function ask(path: string, body?: object): Promise<string> {
  const headers = { authorization: `Bearer ${studio.token}`, "content-type": "application/json" };
  const response = await fetch(`http://127.0.0.1:${studio.port}/api/${path}`, {
    headers,
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  return `${response.status} ${await response.text()}`;
}

const id = encodeURIComponent;
const worldOf = ({ path }: ForeignRun) =>
  (readJson(join(path, "run.json")) as { config: { world: { name: string } } }).config.world.name;

const askWorld =
  (rest: string): Door =>
  async (run) => {
    const world = `worlds/${id(worldOf(run))}${rest}`;
    return `${await ask(world)} ${await ask(`${world}${rest.includes("?") ? "&" : "?"}run=${run.name}`)}`;
  };

function findRollout({ name, path }: ForeignRun) {
  const file = "train-0001";
  const [first] = readJsonLines(join(path, "rollouts", `${file}.jsonl`)) as { id: string }[];
  return { run: name, file, rollout: first!.id };
}

const openEpisode = (body: object) => ask("episodes", body);

/** Each request to the studio with the fields whose modules it loads if they are trusted. */
const STUDIO_DOORS: Readonly<Record<string, readonly [readonly Field[], Door]>> = {
  "the list of worlds": [[], () => ask("worlds")],
  "a world": [["world.name"], askWorld("")],
  "an app": [["world.name"], askWorld("/apps/me")],
  "a table": [["world.name"], askWorld("/tables/me.x")],
  "the tasks": [["world.name"], askWorld("/tasks?split=dev")],
  "a task": [["world.name"], askWorld(`/tasks/${id("dev/0/1")}`)],
  "a run": [
    [],
    async ({ name }) =>
      (
        await Promise.all(
          ["", "/metrics", "/behaviour", "/trainer", "/files"].map((part) =>
            ask(`runs/${name}${part}`),
          ),
        )
      ).join(),
  ],
  "a replay": [
    ["world.name"],
    async (run) => {
      const { file, rollout } = findRollout(run);
      return ask(`runs/${run.name}/files/${file}/rollouts/${id(rollout)}/replay`);
    },
  ],
  "an episode of a task": [
    ["world.name"],
    (run) =>
      openEpisode({ from: "task", world: worldOf(run), seed: 1, task: "dev/0/1", run: run.name }),
  ],
  "an episode of a rollout": [
    ["world.name"],
    async (run) => openEpisode({ from: "rollout", ...findRollout(run), turn: 0 }),
  ],
  "a continuation": [
    ["engine.name", "scaffold.name", ...PARTICIPANTS],
    async (run) => {
      const opened = await openEpisode({ from: "task", world: "toy", seed: 1, task: "dev/0/1" });
      const episode = JSON.parse(opened.slice(4)).id as string;
      return ask(`episodes/${episode}/continue`, {
        run: run.name,
        rollouts: 1,
        temperature: 0,
        seed: 1,
      });
    },
  ],
  "a run that is resumed": [
    MODULE_FIELDS.filter((field) => field !== "method"),
    async (run) => {
      rmSync(join(run.path, "summary.json"), { force: true });
      return ask(`runs/${run.name}/resume`, {});
    },
  ],
};

describe.each(Object.entries(STUDIO_DOORS))("the studio's %s", (door, [loaded, open]) => {
  test.each(drawFields(loaded))("executes no %s of a foreign run", async (field) => {
    const run = writeForeignRun(`studio-${door}-${field}`.replaceAll(/\W+/g, "-"), field);
    await expectClosedUntilTrusted(run, loaded.includes(field), open);
  });
});

describe("a run that hides what it names", () => {
  const evalRun: Door = DOORS["eval"]![1];

  test("is refused if only one of its files names the module", async () => {
    const inPolicy = writeForeignRun("only-policy", "engine.name", ["policy.json"]);
    await expectClosedUntilTrusted(inPolicy, true, evalRun);
    const inRun = writeForeignRun("only-run", "world.name", ["run.json"]);
    await expectClosedUntilTrusted(inRun, true, STUDIO_DOORS["a world"]![1]);
  });

  test("is refused by way of a link, of node_modules, and of a path through other folders", async () => {
    for (const place of ["node_modules/kit/index.js", "a b/./c/../module.mjs", "rollouts/x.js"]) {
      const run = writeForeignRun("place", "world.name", RECORDS, place);
      expect(await evalRun(run)).toMatch(/^1 .*bowline trust /s);
      expect(existsSync(run.mark)).toBe(false);
      rmSync(run.path, { recursive: true });
    }
    const run = writeForeignRun("link", "world.name");
    renameSync(run.module, join(run.path, "other.mjs"));
    symlinkSync("other.mjs", run.module);
    expect(await evalRun(run)).toMatch(/^1 .*bowline trust /s);
    expect(existsSync(run.mark)).toBe(false);
  });

  test("is refused if it names no file, such as an address or a package", async () => {
    const run = writeForeignRun("address", "world.name");
    const address = `data:text/javascript,import("node:fs").then((fs)=>fs.writeFileSync(${JSON.stringify(run.mark)},""))//.mjs`;
    for (const world of [
      address,
      "vitest",
      "node:fs",
      "file:///etc/passwd",
      "/etc/passwd",
      "/dev/zero",
    ]) {
      for (const file of ["checkpoints/final/policy.json", "checkpoints/latest/policy.json"]) {
        const record = readJson(join(run.path, file)) as StoredRecord;
        const config = nameModule(record.config, "world.name", world);
        writeFileSync(join(run.path, file), JSON.stringify({ ...record, config }));
      }
      expect(await evalRun(run)).toMatch(/^[12] .*(bowline trust |world)/s);
      expect(existsSync(run.mark)).toBe(false);
    }
  });
});

describe("a run of one's own", () => {
  const own = join(folder.path, "own");
  const world = join(own, "world.mjs");

  beforeAll(async () => {
    mkdirSync(own);
    const toy = fileURLToPath(new URL("../../dist/worlds/toy/toy.js", import.meta.url));
    writeFileSync(join(own, "names.mjs"), "");
    writeFileSync(
      world,
      `import "./names.mjs"; export { default } from ${JSON.stringify(pathToFileURL(toy).href)};`,
    );
    const run = join(runs, "own");
    const args = ["train", "smoke", "--world", world, "--out", run, ...SMALL];
    expect(await runCommand(args)).toMatch(/^0 /);
  });

  test("evaluates, plays, serves and resumes by one command, and without a note", async () => {
    const run = { name: "own", path: join(runs, "own"), module: world, mark: "" };
    for (const door of ["eval", "export", "serve --tinker"] as const) {
      const answer = await DOORS[door]![1](run);
      expect(answer).not.toMatch(/trust/);
      expect([door, answer]).toEqual([door, expect.stringMatching(/^0 /)]);
    }
    expect(await DOORS["play"]![1](run)).toMatch(/^[01] .*dev\/0\/1.*solved/s);
    expect(await STUDIO_DOORS["a replay"]![1](run)).toMatch(
      /^200 .*"kind":"replayed","equal":true/,
    );
    rmSync(join(run.path, "summary.json"));
    expect(await STUDIO_DOORS["a run that is resumed"]![1](run)).toMatch(/^200 /);
    await expect
      .poll(() => ask("runs/own/trainer"), { timeout: 120_000, interval: 200 })
      .toMatch(/"state":"ended","code":0/);
  });

  test("goes on after an edit of its world, with a note", async () => {
    writeFileSync(join(own, "names.mjs"), "// edited");
    const answer = await DOORS["eval"]![1]({
      name: "own",
      path: join(runs, "own"),
      module: world,
      mark: "",
    });
    expect(answer).toMatch(
      /^0 .*the world has changed since the policy .* was trained: names\.mjs/s,
    );
  });
});
