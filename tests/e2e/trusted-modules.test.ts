/** Loads TypeScript modules that a file names, in a process of its own, whose working directory has a tsconfig.json. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createTemporaryFolder, ROOT, runCommand } from "./support/cli.ts";

const folder = createTemporaryFolder();
afterAll(folder.remove);

const CORE = pathToFileURL(join(ROOT, "dist", "core", "index.js")).href;

/** Trusts the module `trusted`, loads `loaded` as the module of a file, and returns what the process printed. */
async function loadInFolder(cwd: string, trusted: string, loaded = trusted): Promise<string> {
  const source = `
    const { loadUserModule, trustModule } = await import(${JSON.stringify(CORE)});
    trustModule(${JSON.stringify(trusted)});
    const origin = { by: "file", file: "run.json", subject: "run" };
    await loadUserModule(${JSON.stringify(pathToFileURL(loaded).href)}, "world.name", origin);`;
  const { stdout } = await runCommand(process.execPath, ["--input-type=module", "--eval", source], {
    cwd,
    env: { BOWLINE_HOME: join(folder.path, "home") },
  });
  return stdout;
}

function writeProject(name: string): string {
  const project = join(folder.path, name);
  mkdirSync(project);
  writeFileSync(join(project, "world.ts"), 'import "zod"; export default 1;');
  writeFileSync(join(project, "other.ts"), 'console.log("executed");');
  const compilerOptions = { baseUrl: ".", paths: { zod: ["./other.ts"] } };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  return project;
}

test("the tsconfig.json of a folder from elsewhere does not put its own code into a trusted module", async () => {
  const [own, foreign] = [writeProject("own"), writeProject("foreign")];
  expect(await loadInFolder(foreign, join(own, "world.ts"))).toBe("");
  expect(await loadInFolder(foreign, join(own, "world.ts"), join(foreign, "world.ts"))).toBe("");
  expect(await loadInFolder(own, join(own, "world.ts"))).toBe("executed\n");
});
