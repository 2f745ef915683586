/**
 * Faults in the functions that a world's author writes. Each is reported as a fault of the world that names the
 * function, its task and the line, also when the function never returns. Nothing blames Bowline and nothing hangs.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { packageModuleUrl } from "../../../tests/support/package-module.ts";
import { BowlineError } from "../../core/index.ts";
import { openWorld } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-faults-"));
afterAll(() => rmSync(folder, { recursive: true }));

let worlds = 0;
/** The source of functions that replace those of a right world. */
interface Parts {
  readonly setup?: string;
  readonly goal?: string;
  readonly solution?: string;
  readonly handler?: string;
  readonly returns?: string;
  readonly populate?: string;
  readonly scenario?: string;
  readonly top?: string;
}

/** Writes a world with one table, one app and one scenario. */
function writeWorld(parts: Parts): string {
  const url = (name: string) => JSON.stringify(packageModuleUrl(name));
  const text = `import { z } from ${JSON.stringify(import.meta.resolve("zod"))};
import { defineApi, defineApp, defineTable, defineWorld } from ${url("world/index.ts")};
const beds = defineTable("ward.beds");
${parts.top ?? ""}
const ward = defineApp({ name: "ward", summary: "A ward.", tables: [beds], apis: {
  free: defineApi({ summary: "Free a bed.", params: z.strictObject({}), returns: ${parts.returns ?? "z.object({ id: z.number() })"},
    handler: ${parts.handler ?? "({ db }) => db.update(beds, 1, { taken: false })"} }),
} });
const task = { signature: "free", difficulty: 1, instruction: "Free the bed.",
  setup: ${parts.setup ?? "() => {}"},
  goal: ${parts.goal ?? "(db) => { db.update(beds, 1, { taken: false }); }"},
  solution: ${parts.solution ?? "function* () { yield 'apis.ward.free({}); apis.me.finishTask({})'; }"} };
export default defineWorld({ name: "ward", now: "2026-01-01T00:00:00Z", apps: [ward], scenarios: { train: 1 },
  populate: ${parts.populate ?? `(db) => { db.insert(beds, { taken: true }); return { name: "Bo", email: "b@x.org", phone: "1" }; }`},
  scenario: ${parts.scenario ?? "() => [task, task, task]"} });
`;
  const path = join(folder, `world-${++worlds}.mjs`);
  writeFileSync(path, text);
  return pathToFileURL(path).href;
}

const LIMIT_MS = 400;

/**
 * Opens a world, lists its tasks and checks the first one twice. Returns the error or the reason of the failure. The
 * second check meets what the first one left behind.
 */
async function findFault(parts: Parts): Promise<string> {
  try {
    const world = await openWorld(writeWorld(parts), { seed: 1, wallClockMs: LIMIT_MS });
    try {
      const [task] = world.tasks("train");
      await world.check(task!.id);
      const { why, exceptions } = await world.check(task!.id);
      return [...exceptions.map(({ what }) => what), why].join("\n");
    } finally {
      await world.close();
    }
  } catch (error) {
    if (!BowlineError.is(error) || error.code !== "world") throw error;
    return error.message;
  }
}

test("a right world has no fault", async () => {
  expect(await findFault({})).toBe("");
});

test.each<[string, RegExp]>([
  ["new Date(0)", /got a Date \(1970-01-01T00:00:00\.000Z\); store its toISOString\(\) at .*mjs/],
  ["10n", /got 10n; store Number\(value\) or its text/],
  ["(() => { const o = {}; o.self = o; return o; })()", /got an object; give its fields columns/],
])("a setup that stores %s is named with table, column, row and task", async (value, got) => {
  const fault = await findFault({ setup: `(db) => { db.insert(beds, { note: ${value} }); }` });
  expect(fault).toMatch(
    /^the setup of task train\/0\/1 failed: ward\.beds\.note of row 2: expected a cell \(/,
  );
  expect(fault).toMatch(got);
});

describe("what fails in a function of the world names the function, the task and the line", () => {
  test.each<[string, Parts, RegExp]>([
    [
      "a setup that throws",
      { setup: `() => { throw new TypeError("oops"); }` },
      /^the setup of task train\/0\/1 failed: TypeError: oops at .*world-\d+\.mjs:\d+:\d+$/,
    ],
    [
      "a setup that throws a text",
      { setup: `() => { throw "oops"; }` },
      /^the setup of task train\/0\/1 failed: oops$/,
    ],
    [
      "a setup that inserts no row",
      { setup: "(db) => { db.insert(beds); }" },
      /^the setup of task train\/0\/1 failed: insert into ward\.beds: expected an object of columns, got nothing/,
    ],
    [
      "an asynchronous setup",
      { setup: "async () => { throw new Error('later'); }" },
      /^the setup of task train\/0\/1 failed: it returned a promise; the functions of a world run synch/,
    ],
    [
      "an asynchronous goal",
      { goal: "async () => {}" },
      /^the goal of task train\/0\/1 failed: it returned a promise/,
    ],
    [
      "a goal whose answer is a Date",
      { goal: "() => ({ answer: new Date(0) })" },
      /^the goal of task train\/0\/1 failed: answer: expected a text, a number, .*, got a Date/,
    ],
    [
      "a goal with a guess that is not a number",
      { goal: "() => ({ answer: 1, guesses: [NaN] })" },
      /^the goal of task train\/0\/1 failed: guesses\.0: expected a text, .*, got NaN/,
    ],
    [
      "a populate that throws",
      { populate: `() => { throw new Error("no beds"); }` },
      /^populate of world "ward" failed: no beds at .*world-\d+\.mjs:\d+:\d+$/,
    ],
    [
      "an asynchronous populate",
      { populate: "async () => ({})" },
      /^populate of world "ward" failed: it returned a promise/,
    ],
    [
      "a populate with a wrong cell",
      { populate: "(db) => { db.insert(beds, { taken: undefined }); }" },
      /^populate of world "ward" failed: ward\.beds\.taken of row 1: expected a cell .* got nothing/,
    ],
    [
      "a scenario that throws",
      { scenario: `() => { null.x; }` },
      /^the drawing of scenario train\/0 failed: TypeError: .* at .*world-\d+\.mjs:\d+:\d+$/,
    ],
    [
      "an asynchronous scenario",
      { scenario: "async () => [task, task, task]" },
      /^the drawing of scenario train\/0 failed: it returned a promise/,
    ],
    [
      "an asynchronous solution",
      { solution: "async function* () { yield '1'; }" },
      /^the solution of task train\/0\/1 failed: expected a generator, .* got an async function; leave out `async`/,
    ],
    [
      "a solution that is no generator",
      { solution: "() => '1'" },
      /^the solution of task train\/0\/1 failed: expected a generator, .* got "1"$/,
    ],
    [
      "a solution that yields a promise",
      { solution: "function* () { yield Promise.resolve('1'); }" },
      /^the solution of task train\/0\/1 failed: expected it to yield the text of a cell, got a promise/,
    ],
    [
      "a handler that fetches",
      { handler: "() => fetch('http://127.0.0.1:9/')" },
      /^ward\.free\(\{\}\) is broken: it returned a promise; .*no async, await or fetch/,
    ],
    [
      "a handler that returns a BigInt",
      { handler: "() => ({ id: 1, big: 1n })", returns: "z.any()" },
      /^ward\.free\(\{\}\) is broken: its return value does not fit its type at "big": expected a value that JSON has, got 1n/,
    ],
    [
      "a promise that nobody waits for",
      {
        handler:
          "({ db }) => { Promise.reject(new Error('lost')); return db.update(beds, 1, { taken: false }); }",
      },
      /^the worker of world .* ended: a promise of the world's own code was rejected: lost at .*world-\d+\.mjs/,
    ],
    [
      "a module that throws",
      { top: `throw new Error("no licence");` },
      /^cannot load the world .*world-\d+\.mjs: no licence at .*world-\d+\.mjs:\d+:\d+$/,
    ],
  ])("%s", async (_, parts, message) => {
    expect(await findFault(parts)).toMatch(message);
  });
});

describe("a function of the world that never returns is named", () => {
  const LOOP = "for (;;);";
  test.each<[string, Parts, RegExp]>([
    ["setup", { setup: `() => { ${LOOP} }` }, /the setup of task train\/0\/1 did not return/],
    ["goal", { goal: `() => { ${LOOP} }` }, /the goal of task train\/0\/1 did not return/],
    [
      "solution",
      { solution: `function* () { ${LOOP} }` },
      /the solution of task train\/0\/1 did not/,
    ],
    [
      "handler",
      { handler: `() => { ${LOOP} }` },
      /the handler of ward\.free\(\{\}\) did not return/,
    ],
    [
      "populate",
      { populate: `() => { ${LOOP} }` },
      /^loading the world \(file:.*world-\d+\.mjs\): populate of world "ward" did not return within 0\.4 s/,
    ],
    [
      "scenario",
      { scenario: `() => { ${LOOP} }` },
      /^the drawing of scenario train\/0 did not return/,
    ],
    [
      "module",
      { top: LOOP },
      /^loading the world \(file:.*world-\d+\.mjs\): the module of the world did not return/,
    ],
  ])("%s", async (_, parts, message) => {
    expect(await findFault(parts)).toMatch(message);
  });
});
