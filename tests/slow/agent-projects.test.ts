/**
 * Follows each kind of project that `bowline init --agent` writes: its types and tests, and for kinds that are drawn
 * each day a tiny training, the trained policy behind a server, and the application that uses it. The packages of the clients come from this repository and
 * from `tests/slow/clients/`, so the test links them instead of installing them again.
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
import { AGENT_KIND_NAMES, AGENT_KINDS } from "../../src/cli/init/agent-kinds.ts";
import {
  createTemporaryFolder,
  type FinishedProcess,
  ROOT,
  runBowline,
  runCommand,
} from "../e2e/support/cli.ts";
import { withServer } from "../e2e/support/with-server.ts";
import { drawCases } from "../support/sweep.ts";
import { installPackages, MISSING_PACKAGES } from "./support/install-packages.ts";

const CLIENTS = join(ROOT, "tests/slow/clients");
const hasClients = await installPackages(CLIENTS, "@langchain/core");
const folder = createTemporaryFolder();
afterAll(folder.remove);

/** Links the packages of these folders into the project's `node_modules`, and this package as `bowline`. */
function linkPackages(project: string): void {
  const link = (from: string, to: string) => existsSync(to) || symlinkSync(from, to);
  const target = (...names: string[]) => join(project, "node_modules", ...names);
  mkdirSync(target(), { recursive: true });
  link(ROOT, target("bowline"));
  for (const source of [join(CLIENTS, "node_modules"), join(ROOT, "node_modules")]) {
    for (const name of readdirSync(source)) {
      const isScope = name.startsWith("@");
      if (isScope) mkdirSync(target(name), { recursive: true });
      for (const inside of isScope ? readdirSync(join(source, name)) : [""])
        link(join(source, name, inside), target(name, inside));
    }
  }
}

/** Returns the output of a process, which must have succeeded. */
function requireSuccess({ code, stdout, stderr }: FinishedProcess): string {
  expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
  return stdout;
}

const TRAINED_KINDS = drawCases(AGENT_KIND_NAMES, 0.3);
const TINY =
  "warm.demonstrations=64 tokenizer.minimumCount=2 algo.iterations=2 algo.tasksPerIteration=4";

/** Calls the application as a serverless platform does. */
const CALL = `import app from "./serverless.ts";

const body = JSON.stringify({ request: "Ada asks about the lamp." });
const response = await app.fetch(new Request("http://app/", { method: "POST", body }));
const { answer, actions } = (await response.json()) as { answer: unknown; actions: unknown };
console.log(response.status, typeof answer, Array.isArray(actions));
process.exit(0);
`;

describe.skipIf(!hasClients).each(AGENT_KIND_NAMES)("a project with the agent %s", (kind) => {
  const project = join(folder.path, kind);
  const { isInProcess, variables } = AGENT_KINDS[kind]!;
  const runScript = (script: string, env: Readonly<Record<string, string>> = {}) =>
    runCommand("bash", ["-c", script], {
      cwd: project,
      env: { PATH: `${join(ROOT, "node_modules", ".bin")}:${process.env["PATH"]}`, ...env },
    });

  beforeAll(async () => {
    requireSuccess(await runBowline(["init", project, "--agent", kind]));
    linkPackages(project);
    writeFileSync(join(project, "call.ts"), CALL);
  });

  test("passes its type checks and its tests", async () => {
    const { scripts } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
    expect(requireSuccess(await runScript(scripts.test))).toMatch(/^# pass 3\n# fail 0/m);
  });

  const isTrained = TRAINED_KINDS.includes(kind);
  test.runIf(isTrained)("trains its model, which then answers in the application", async () => {
    const shown = requireSuccess(await runScript(`tsx train.ts runs/agent ${TINY}`));
    expect(shown).toMatch(/^iteration 2: reward 0\.\d\d$/m);
    expect(shown).toMatch(/^held-out reward after: \d\.\d\d greedy, \d\.\d\d at T = 1$/m);
    const use = async (env: Readonly<Record<string, string>>) => {
      const scored = requireSuccess(await runScript("tsx eval.ts 6", env));
      expect(scored).toMatch(/^reward \d\.\d\d ± \d\.\d\d on 6 tasks\n$/);
      expect(requireSuccess(await runScript("tsx call.ts", env))).toBe("200 string true\n");
    };
    if (isInProcess) await use({ POLICY: "runs/agent" });
    const { code } = await withServer<{ url: string; key: string }>(
      ["--openai", join(project, "runs/agent")],
      ({ url, key }) =>
        use({
          [`${variables}_BASE_URL`]: variables === "OPENAI" ? `${url}/v1` : url,
          [`${variables}_API_KEY`]: key,
        }),
    );
    expect(code).toBe(0);
  });
});

test("the clients are installed", ({ skip }) => skip(!hasClients, MISSING_PACKAGES));
