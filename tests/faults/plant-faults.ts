/**
 * Plants faults one after the other and reports which check catches each fault: the compiler, the tests of its folder,
 * the tests of its layer, `npm test`, or `npm run test:slow`. It runs these checks in order until one fails, and then
 * restores the file.
 *
 * - `npx tsx tests/faults/plant-faults.ts`: 40 faults of seed 1, which takes hours
 * - `... --seed 2 --count 5`: five faults of another seed
 * - `... --faults list.json`: plants the faults of a list instead of drawn ones
 * - `... --draw`: only prints the list of drawn faults
 * - `... --fast`: leaves out `npm run test:slow`
 *
 * It changes the checkout that it runs in, so run it in a copy. It prints a line of JSON for each fault, with the
 * name of the first test that failed, so that a test that fails for another reason is not counted as a catch.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { drawFaults, type Fault } from "./draw-faults.ts";

const ROOT = join(import.meta.dirname, "../..");
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "40" },
    faults: { type: "string" },
    draw: { type: "boolean", default: false },
    fast: { type: "boolean", default: false },
  },
});

/** Lists the commands that could catch a fault, in the order in which they are tried. */
function listChecks({ file }: Fault): readonly (readonly [name: string, command: string[]])[] {
  const layer = file.split("/").slice(0, 2).join("/");
  const bail = ["--bail", "1", "--reporter", "dot", "--testTimeout", "240000"];
  return [
    ["compiler", ["npx", "tsc", "-b"]],
    ["folder", ["npx", "vitest", "run", ...bail, "--passWithNoTests", dirname(file)]],
    ["layer", ["npx", "vitest", "run", ...bail, "--passWithNoTests", layer]],
    ["npm test", ["npx", "vitest", "run", ...bail]],
    ...(values.fast
      ? []
      : ([
          [
            "npm run test:slow",
            ["npx", "vitest", "run", ...bail, "--config", "vitest.slow.config.ts"],
          ],
        ] as const)),
  ].map(([name, command]) => [name as string, command as string[]] as const);
}

interface Catch {
  readonly caughtBy: string | null;
  /** The first test that failed, as vitest prints it; absent for the compiler. */
  readonly failing?: string;
}

/** Plants a fault, runs the checks until one fails, and restores the file. */
function findFailingCheck(fault: Fault): Catch {
  const path = join(ROOT, fault.file);
  const original = readFileSync(path, "utf8");
  const lines = original.split("\n");
  if (lines[fault.line - 1] !== fault.before) {
    throw new Error(`${fault.file}:${fault.line}: expected the line ${fault.before}`);
  }
  writeFileSync(path, lines.with(fault.line - 1, fault.after).join("\n"));
  try {
    for (const [name, [command = "", ...args]] of listChecks(fault)) {
      const { status, stdout, stderr } = spawnSync(command, args, {
        cwd: ROOT,
        encoding: "utf8",
        env: { ...process.env, NO_COLOR: "1" },
        maxBuffer: 2 ** 28,
        timeout: 3_600_000,
      });
      if (status !== 0) {
        const failing = /FAIL\s+(.*)/.exec(stdout + stderr)?.[1];
        return { caughtBy: name, ...(failing !== undefined && { failing }) };
      }
    }
    return { caughtBy: null };
  } finally {
    writeFileSync(path, original);
  }
}

const faults: readonly Fault[] =
  values.faults === undefined
    ? drawFaults(ROOT, Number(values.seed), Number(values.count))
    : JSON.parse(readFileSync(values.faults, "utf8"));
if (values.draw) console.log(JSON.stringify(faults, null, 1));
else {
  for (const fault of faults) {
    console.log(JSON.stringify({ ...findFailingCheck(fault), ...fault }));
  }
}
