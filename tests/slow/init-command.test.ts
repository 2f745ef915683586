/**
 * Follows the path of a new user: installs the packed package into an empty folder and runs the commands that `bowline
 * init` prints and its README names. Also uses the package from a CommonJS project.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CliOptions, createTemporaryFolder, ROOT, runCommand } from "../e2e/support/cli.ts";
import { listEntryPoints } from "../support/public-exports.ts";
import { drawCases, isWhole, sweepSize } from "../support/sweep.ts";

const folder = createTemporaryFolder();
afterAll(folder.remove);
const pathTo = (...names: string[]) => join(folder.path, ...names);
const project = pathTo("helpdesk");
const TYPES = "@types/node";
const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** Runs a command that must succeed, and returns its output. */
async function mustRun(command: string, cwd: string, options: CliOptions = {}): Promise<string> {
  const env = { npm_config_loglevel: "error", npm_config_prefer_offline: "true" };
  const { code, stdout, stderr } = await runCommand("bash", ["-c", command], {
    cwd,
    env,
    ...options,
  });
  expect({ command, code, output: code === 0 ? "" : stdout + stderr }).toEqual({
    command,
    code: 0,
    output: "",
  });
  return stdout;
}

beforeAll(async () => {
  await mustRun(`npm pack --ignore-scripts --pack-destination ${folder.path}`, ROOT);
  writeFileSync(
    pathTo("package.json"),
    '{ "name": "empty", "version": "1.0.0", "private": true }\n',
  );
  const types = `${TYPES}@${devDependencies[TYPES]}`;
  await mustRun(`npm install --ignore-scripts ./bowline-*.tgz ${types}`, folder.path);
});

describe("projects that bowline init creates", () => {
  test("a created project depends on the installed package, and init prints the next commands", async () => {
    const shown = await mustRun("npx bowline init helpdesk --yes", folder.path);
    expect(shown).toMatch(/cd helpdesk\n +npm install\n +npm run check .*\n +npm run train /);
    const { dependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
    expect(dependencies.bowline).toMatch(/^file:\.\.\/bowline-.*\.tgz$/);
  });

  test("a created project installs, passes its tests, and its test command finds type errors", async () => {
    await mustRun("npm install", project);
    expect(await mustRun("npm test", project)).toMatch(/^# pass 3\n# fail 0/m);
    writeFileSync(
      join(project, "wrong.ts"),
      'import "./world.ts";\nexport const n: number = "one";\n',
    );
    const { code, stdout } = await runCommand("npm", ["test"], { cwd: project });
    expect(code).not.toBe(0);
    expect(stdout).toContain("wrong.ts(2,14): error TS2322");
    await mustRun("rm wrong.ts", project);
  });

  test("world check finds no error in the world of a created project", async () => {
    const report = JSON.parse(
      await mustRun("npm run --silent check -- --json --tasks 90", project),
    );
    expect(report).toMatchObject({
      score: 1,
      acceptance: 1,
      survivors: [],
      failures: [],
      rejected: [],
    });
    expect(report.splits.map(({ split }: { split: string }) => split)).toEqual([
      "train",
      "dev",
      "test-normal",
    ]);
  });

  test("a created project can be trained, scored and reported", async () => {
    const [short, scenarios] = sweepSize(
      ["--warm.demonstrations 320 --algo.iterations 1", 2],
      ["--warm.demonstrations 2400 --algo.iterations 8", 10],
    );
    const { before, after } = JSON.parse(
      await mustRun(
        `npm run --silent train -- --json ${short} --evaluation.scenarios ${scenarios}`,
        project,
      ),
    );
    // Only with BOWLINE_SWEEP=whole does this test train long enough to learn.
    if (isWhole) {
      expect(before["test-normal"].tgc).toBeLessThan(0.2);
      expect(after["test-normal"].tgc).toBeGreaterThan(before["test-normal"].tgc + 0.2);
    }
    const scored = JSON.parse(
      await mustRun(`npm run --silent eval -- --json --scenarios ${scenarios}`, project),
    );
    expect(scored.tgc).toBe(after["test-normal"].tgc);
    const report = (await mustRun("npm run --silent report", project)).trim();
    expect(report).toMatch(/^runs.[\w-]+.report\.html$/);
    expect(existsSync(join(project, report))).toBe(true);
  });
});

describe.each(drawCases(["scaffold", "both"]))(
  "a project of bowline init with the part: %s",
  (parts) => {
    const ownFolder = pathTo(parts);

    test("a project with a scaffold passes its tests and can be trained", async () => {
      const flags = parts === "both" ? "--world --scaffold" : "--scaffold";
      await mustRun(`npx bowline init ${parts} ${flags}`, folder.path);
      symlinkSync(join(project, "node_modules"), join(ownFolder, "node_modules"));
      expect(await mustRun("npm test", ownFolder)).toMatch(/^# fail 0/m);
      await mustRun("npm run check -- --tasks 9", ownFolder);
      const tiny = "--warm.demonstrations 64 --algo.iterations 1 --evaluation.scenarios 1";
      const { rollouts } = JSON.parse(
        await mustRun(`npm run --silent train -- --json ${tiny}`, ownFolder),
      );
      expect(rollouts).toBe(24 * 8);
      const [name = ""] = readdirSync(join(ownFolder, "runs"));
      const { config } = JSON.parse(
        readFileSync(join(ownFolder, "runs", name, "run.json"), "utf8"),
      );
      expect(config.scaffold.name).toBe("./scaffold.ts");
      expect(config.world.name).toBe(parts === "both" ? "./world.ts" : "toy");
    });
  },
);

test.each([
  ["files that exist already", "helpdesk --yes", /helpdesk already has README\.md, .*world\.ts/],
  ["a file", "package.json --yes", /package\.json is a file; expected a folder/],
  ["an unknown option", "new --yess", /unknown option '--yess' \(did you mean --yes\?\)/],
])("bowline init is refused for %s", async (_, args, message) => {
  const { code, stdout, stderr } = await runCommand(
    "npx",
    ["bowline", "init", ...args.split(" ")],
    {
      cwd: folder.path,
    },
  );
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(message);
  expect(existsSync(pathTo("new"))).toBe(false);
});

describe.each(drawCases([undefined, "commonjs"]))("a project of CommonJS (type: %s)", (type) => {
  const ownFolder = pathTo(`cjs-${type}`);
  beforeAll(() => {
    mkdirSync(ownFolder, { recursive: true });
    writeFileSync(join(ownFolder, "package.json"), JSON.stringify({ name: "old", type }));
  });

  test("a CommonJS project can require every entry point", async () => {
    const modules = listEntryPoints().map(({ entryPoint }) => `require("${entryPoint}")`);
    writeFileSync(
      join(ownFolder, "modules.cjs"),
      `console.log([${modules}].every((module) => Object.keys(module).length > 0));\n`,
    );
    expect(await mustRun("node modules.cjs", ownFolder)).toBe("true\n");
  });

  test("a CommonJS project type-checks and runs a TypeScript program whose await is in a function", async () => {
    writeFileSync(join(ownFolder, "program.ts"), PROGRAM);
    const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    const options = "--ignoreConfig --strict --noEmit --module NodeNext --types node";
    await mustRun(`node ${tsc} ${options} program.ts`, ownFolder);
    expect(await mustRun("node --import tsx program.ts", ownFolder)).toMatch(
      /^done 12 true\n.*\ntrue\n$/s,
    );
  });
});

const PROGRAM = `import { openWorld, resolveConfig, resolveWorld, train, writeReport } from "bowline";

async function main(): Promise<void> {
  const overrides = { "warm.demonstrations": 64, "algo.iterations": 1, "algo.tasksPerIteration": 2, "algo.groupSize": 6, "evaluation.scenarios": 1 };
  const config = resolveConfig({ recipe: "smoke", overrides });
  const summary = await train(config, { out: "run" });
  console.log("done", summary.rollouts, (await writeReport("run")).endsWith("report.html"));

  const world = await openWorld(resolveWorld("toy").url, { seed: 1 });
  const episode = await world.open("dev/0/1");
  const { text } = await episode.step("print(apis.docs.listApps().items.length > 0)");
  console.log(episode.task.instruction);
  console.log(text.trim());
  await world.close();
}

main();
`;
