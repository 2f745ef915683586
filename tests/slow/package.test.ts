/** The package as a person gets it: packed, installed into an empty project, used from there. */
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, run, temporaryFolder } from "../e2e/support/cli.ts";

const folder = temporaryFolder();
const project = folder.path;
afterAll(folder.remove);
const npm = (...args: string[]) =>
  run("npm", args, { cwd: project, env: { npm_config_loglevel: "error" } });

beforeAll(async () => {
  const packed = await run(
    "npm",
    ["pack", "--ignore-scripts", "--json", "--pack-destination", project],
    { cwd: ROOT },
  );
  const [{ filename }] = JSON.parse(packed.stdout);
  // What `npm init -y` makes: a CommonJS package.
  writeFileSync(
    join(project, "package.json"),
    '{ "name": "empty", "version": "1.0.0", "private": true }\n',
  );
  const installed = await npm(
    "install",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    `./${filename}`,
  );
  expect({ code: installed.code, stderr: installed.code === 0 ? "" : installed.stderr }).toEqual({
    code: 0,
    stderr: "",
  });
});

test("the tarball holds the build, the README and the licence, and nothing else", () => {
  const names = readdirSync(join(project, "node_modules", "bowline")).sort();
  expect(names).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  const files = readdirSync(join(project, "node_modules", "bowline", "dist"), { recursive: true });
  expect(files.filter((name) => /tsbuildinfo$|\.map$|\.test\./.test(String(name)))).toEqual([]);
});

test("the command runs, with one's own world in TypeScript", async () => {
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
  const { code, stdout, stderr } = await run("npx", args, { cwd: project });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ tasks: 9, tgc: 1 });
});

test("the library can do it too: types aside, from an empty project", async () => {
  const program = `
    import { algo, loop, openWorld, resolveConfig, resolveWorld, train } from "bowline";
    const overrides = { "warm.demonstrations": 64, "algo.iterations": 1, "algo.tasksPerIteration": 2, "algo.groupSize": 6, "evaluation.scenarios": 1 };
    const phases = new Set();
    const config = resolveConfig({ recipe: "smoke", overrides });
    const summary = await train(config, { out: "run", onEvent: (event) => phases.add(event.phase) });
    const world = await openWorld(resolveWorld("toy").url, { seed: 1 });
    const episode = await world.open("dev/0/1");
    const { text } = await episode.step("print(6 * 7)");
    await world.close();
    console.log(JSON.stringify({ rollouts: summary.rollouts, phases: [...phases].filter(Boolean), text, loop: typeof loop.summary, algo: typeof algo.score }));
  `;
  writeFileSync(join(project, "program.mjs"), program);
  const { code, stdout, stderr } = await run(process.execPath, ["program.mjs"], { cwd: project });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({
    rollouts: 12,
    phases: ["world", "tokenizer", "warm", "eval", "loop", "done"],
    text: "42",
    loop: "string",
    algo: "function",
  });
});
