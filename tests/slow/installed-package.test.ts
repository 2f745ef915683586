/** Packs the package, installs it into an empty project, and uses and type-checks it from there. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTemporaryFolder, ROOT, runCommand } from "../e2e/support/cli.ts";
import { installPackage, type PackedPackage, packPackage } from "../support/packed-project.ts";
import { listEntryPoints, listExports } from "../support/public-exports.ts";

const folder = createTemporaryFolder();
const project = folder.path;
afterAll(folder.remove);

let packed: PackedPackage;

beforeAll(async () => {
  packed = await packPackage(project);
  const installed = await installPackage(project, packed);
  expect({ code: installed.code, stderr: installed.code === 0 ? "" : installed.stderr }).toEqual({
    code: 0,
    stderr: "",
  });
});

test("the tarball has only the build, the sandbox, the Everyday world, documentation, examples and the licence", () => {
  const names = readdirSync(join(project, "node_modules", "bowline")).sort();
  expect(names).toEqual([
    "LICENSE",
    "README.md",
    "dist",
    "docs",
    "examples",
    "package.json",
    "templates",
    "wasm",
    "worlds",
  ]);
  const guest = join(project, "node_modules", "bowline", "worlds", "everyday");
  expect(readdirSync(guest).sort()).toEqual(["README.md", "dist"]);
  const { size, unpackedSize, files: packedFiles } = packed;
  const formatMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;
  console.log(
    `npm pack: ${formatMegabytes(size)}, unpacked ${formatMegabytes(unpackedSize)}, ${packedFiles.length} files`,
  );
  expect(size).toBeLessThan(4e6);
  expect(packedFiles.filter((file) => file.size > 600_000)).toEqual([]);
  const files = readdirSync(join(project, "node_modules", "bowline", "dist"), { recursive: true });
  expect(files.filter((name) => /tsbuildinfo$|\.map$|\.test\./.test(String(name)))).toEqual([]);
});

test("the bowline command runs with a custom world in TypeScript", async () => {
  copyFileSync(join(ROOT, "examples", "my-world.ts"), join(project, "my-world.ts"));
  const args = [
    "bowline",
    "eval",
    "solution",
    "--world",
    "./my-world.ts",
    "--split",
    "dev",
    "--scenarios",
    "3",
    "--json",
  ];
  const { code, stdout, stderr } = await runCommand("npx", args, { cwd: project });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ tasks: 9, tgc: 1 });
});

test("the studio of the installed package serves its page and API", async () => {
  const page = join(project, "node_modules", "bowline", "dist", "web", "index.html");
  expect(readFileSync(page, "utf8")).toContain("__NONCE__");
  mkdirSync(join(project, "runs"));
  // Node is started directly, because a signal to npx does not reach the process that npx starts.
  const bin = join(project, "node_modules", "bowline", "dist", "cli", "main.js");
  let child: ChildProcess | undefined;
  const ended = runCommand(process.execPath, [bin, "studio", "runs", "--json", "--port", "0"], {
    cwd: project,
    onStart: (started) => {
      child = started;
    },
  });
  const [line] = await Promise.race([
    once(child!.stdout!, "data"),
    ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  try {
    const { port, token } = JSON.parse(String(line)) as { port: number; token: string };
    const at = `http://127.0.0.1:${port}`;
    expect(await (await fetch(at)).text()).toContain('<script type="module"');
    const headers = { authorization: `Bearer ${token}` };
    expect(await (await fetch(`${at}/api/runs`, { headers })).json()).toEqual({ runs: [] });
  } finally {
    child!.kill("SIGINT");
    await ended;
  }
});

/** Type-checks programs in the project, with the package's declarations, and returns the output of `tsc`. */
async function typeCheck(...programs: readonly string[]): Promise<string> {
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const options = "--strict --noEmit --module NodeNext --target ES2023 --types node".split(" ");
  const { stdout, stderr } = await runCommand(process.execPath, [tsc, ...options, ...programs], {
    cwd: project,
  });
  return stdout + stderr;
}

test.each(listEntryPoints())(
  "no export of $entryPoint has the type any in the installed package",
  async ({ entryPoint, source }) => {
    const exports = listExports(source).filter(({ name }) => !name.includes("."));
    const values = exports.filter(({ isType }) => !isType).map(({ name }) => name);
    const only = exports.filter(({ isType }) => isType).map(({ name }) => name);
    expect(values.length).toBeGreaterThan(0);
    writeFileSync(
      join(project, "exports.mts"),
      `import { ${values.join(", ")} } from "${entryPoint}";
     import type { ${only.join(", ")} } from "${entryPoint}";
     type IsAny<T> = 0 extends 1 & T ? true : false;
     type Anys<T> = { [K in keyof T]: IsAny<T[K]> extends true ? K : never }[keyof T];
     const all = { ${values.join(", ")} };
     const none: [Anys<typeof all>] extends [never] ? true : Anys<typeof all> = true;
     export { none };\n`,
    );
    expect(await typeCheck("exports.mts")).toBe("");
  },
);

test("with the types of the installed package, a correct program compiles and programs with type errors do not", async () => {
  copyFileSync(join(ROOT, "examples", "my-world.ts"), join(project, "my-world.mts"));
  writeFileSync(
    join(project, "types.mts"),
    `import { BowlineError, defineApi, openWorld, type Rollout, resolveConfig, resolveWorld, train, z } from "bowline";
     const config = resolveConfig({ recipe: "smoke", overrides: { "run.seed": 2 } });
     const seed: number = config.run.seed;
     export const summary = train(config, { out: "run", onEvent: (event) => event.type satisfies string });
     const world = await openWorld(resolveWorld("toy").url, { seed });
     export const ids: readonly string[] = world.tasks("dev", 1).map((task) => task.id);
     export const passed = (rollout: Rollout): boolean | undefined => rollout.evaluation?.passed;
     export const code = (error: BowlineError) => error.code satisfies string;
     export const api = defineApi({
       summary: "Double a number.",
       params: z.strictObject({ value: z.number() }),
       returns: z.object({ twice: z.number() }),
       handler: (_, { value }) => ({ twice: 2 * value }),
     });
     // @ts-expect-error: no such split
     world.tasks("development");
     // @ts-expect-error: a number of scenarios, not options
     world.tasks("dev", { scenarios: 3 });
     // @ts-expect-error: a world needs a seed
     await openWorld("toy", {});
     // @ts-expect-error: the result is not what \`returns\` says
     defineApi({ summary: "One.", params: z.strictObject({}), returns: z.object({ n: z.number() }), handler: () => ({ n: "1" }) });\n`,
  );
  expect(await typeCheck("my-world.mts", "types.mts")).toBe("");
});

test("each entry point has its exports, and a function that two entry points export is the same function", async () => {
  const program = `
    import * as whole from "bowline";
    import * as world from "bowline/world";
    import { scoreRollouts } from "bowline/algo";
    import { loop, methods } from "bowline/methods";
    import { reactScaffold } from "bowline/agent";
    import { createOnnxEngine, createTinkerClient, checkOnnxRuntime } from "bowline/engine";
    const same = ["defineWorld", "openWorld", "checkWorld", "z", "BowlineError"].filter((name) => whole[name] === world[name]);
    console.log(JSON.stringify({ same, score: typeof scoreRollouts, loop: methods.loop === loop && whole.loop === loop,
      scaffold: reactScaffold().name, engine: [typeof createOnnxEngine, typeof createTinkerClient], kernels: checkOnnxRuntime().installed }));
  `;
  writeFileSync(join(project, "entry-points.mjs"), program);
  const { code, stdout, stderr } = await runCommand(process.execPath, ["entry-points.mjs"], {
    cwd: project,
  });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({
    same: ["defineWorld", "openWorld", "checkWorld", "z", "BowlineError"],
    score: "function",
    loop: true,
    scaffold: "react",
    engine: ["function", "function"],
    kernels: true,
  });
});

test("the installed library trains and opens a world", async () => {
  const program = `
    import { algo, loop, openWorld, resolveConfig, resolveWorld, train } from "bowline";
    import { fakeWorld, scriptedPolicy, tableEngine } from "bowline/testing";
    const fakes = [fakeWorld().name, tableEngine(8).info.name, (await scriptedPolicy(["hi"]).complete([]))];
    const overrides = { "warm.demonstrations": 64, "algo.iterations": 1, "algo.tasksPerIteration": 2, "algo.groupSize": 6, "evaluation.scenarios": 1 };
    const phases = new Set();
    const config = resolveConfig({ recipe: "smoke", overrides });
    const summary = await train(config, { out: "run", onEvent: (event) => phases.add(event.phase) });
    const world = await openWorld(resolveWorld("toy").url, { seed: 1 });
    const episode = await world.open("dev/0/1");
    const { text } = await episode.step("print(6 * 7)");
    await world.close();
    console.log(JSON.stringify({ rollouts: summary.rollouts, phases: [...phases].filter(Boolean), text, loop: typeof loop.summary, algo: typeof algo.scoreRollouts, fakes }));
  `;
  writeFileSync(join(project, "program.mjs"), program);
  const { code, stdout, stderr } = await runCommand(process.execPath, ["program.mjs"], {
    cwd: project,
  });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({
    rollouts: 12,
    phases: ["world", "tokenizer", "warm", "eval", "loop", "done"],
    text: "42",
    loop: "string",
    algo: "function",
    fakes: ["fake", "table", "hi"],
  });
});
