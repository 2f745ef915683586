/** Checks that custom modules in a folder where nothing is installed can import the package that runs them. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createTemporaryFolder, ROOT, runBowline } from "../e2e/support/cli.ts";

const EXAMPLE_WORLD = join(ROOT, "examples", "my-world.ts");

describe.concurrent("modules in a folder where nothing is installed", () => {
  const folder = createTemporaryFolder();
  afterAll(folder.remove);
  const evaluateSolutions = (world: string) =>
    runBowline(
      ["eval", "solution", "--world", world, "--split", "dev", "--scenarios", "1", "--json"],
      { cwd: folder.path },
    );

  test("a world can import the package and its subpaths, also in worker threads", async () => {
    const text = readFileSync(EXAMPLE_WORLD, "utf8");
    const helper =
      'import { fakeWorld } from "bowline/testing";\nexport const name = fakeWorld().name;\n';
    writeFileSync(join(folder.path, "helper.ts"), helper);
    writeFileSync(
      join(folder.path, "world.ts"),
      `import { name } from "./helper.ts";\n${text}\nname;\n`,
    );
    const { code, stdout, stderr } = await evaluateSolutions("./world.ts");
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ tasks: 3, tgc: 1 });
  });

  test("a method, which the main thread loads, can import the package", async () => {
    copyFileSync(join(ROOT, "examples", "my-method.ts"), join(folder.path, "my-method.ts"));
    const { code, stdout } = await runBowline(["config", "elite", "--method", "./my-method.ts"], {
      cwd: folder.path,
    });
    expect(code).toBe(0);
    expect(stdout).toContain("elite.share");
  });

  test("importing another package or an unknown subpath is an error", async () => {
    writeFileSync(join(folder.path, "other.mjs"), 'import "bowlines";\n');
    writeFileSync(join(folder.path, "sub.mjs"), 'import "bowline/nothing";\n');
    const [other, sub] = await Promise.all([
      evaluateSolutions("./other.mjs"),
      evaluateSolutions("./sub.mjs"),
    ]);
    expect(other.stderr).toMatch(/other\.mjs: Cannot find package 'bowlines'/);
    expect(sub.stderr).toMatch(/sub\.mjs: Package subpath '\.\/nothing' is not defined/);
    expect([other.code, sub.code]).toEqual([1, 1]);
  });
});
