import { once } from "node:events";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { packageModuleUrl } from "../../../tests/support/package-module.ts";
import { spawnWorker } from "../../core/index.ts";
import { type CellRecord, createSandbox, type Repl, type ReplOptions } from "./index.ts";
import { SharedInstance } from "./shared-instance.ts";

const sandbox = await createSandbox();

/** Makes a host with a counter. Each call adds to it and returns the sum. Every host has its own clock and counter. */
function makeCounterHost(start = 0): ReplOptions & { count(): number } {
  let count = start;
  return {
    apps: { counter: ["add"] },
    call: (_app, _api, args) => {
      count += 1;
      const { fail } = args as { fail?: boolean };
      return fail
        ? { ok: false, status: 409, message: `refused at ${count}` }
        : { ok: true, value: { count } };
    },
    now: () => new Date(Date.UTC(2031, 0, 1) + 1000 * count).toISOString(),
    seed: 3,
    limits: { fuel: 20, calls: 20, jobs: 200, stdoutChars: 500 },
    count: () => count,
  };
}

/** Cells that read and change every kind of state that a REPL can hold. */
const CELLS = [
  "let n = (globalThis.n ?? 0) + 1; print(n)",
  "print(Math.random(), new Date().toISOString())",
  "const kept = apis.counter.add({ n: globalThis.n }); print(kept)",
  "try { apis.counter.add({ fail: true }) } catch (e) { print(e.message, e.status) }",
  "class Box { #v = Math.random(); get v() { return this.#v } } let box = new Box(); print(box.v)",
  "print(globalThis.box?.v, globalThis.kept)",
  "let m = new Map([[{}, 1], ['k', Math.random()]]); m.set(m, m.size); print([...m.values()])",
  "function* walk() { let i = 0; while (true) yield i++ } let w = globalThis.w ?? walk(); print(w.next())",
  "let late = (async () => { await null; await apis.counter.add(); return Math.random() })(); print(await late)",
  "let pending = new Promise((done) => { globalThis.done = done }); pending.then((x) => print('resumed', x))",
  "globalThis.done?.(Math.random())",
  "let s = (globalThis.s ?? 'x') + '\\0\\ud800' + 'y'.repeat(1000); print(s.length)",
  "let big = Array.from({ length: 2000 }, (_, i) => ({ i })); big.length = 10; print(big)",
  "throw new TypeError('at ' + Math.random())",
  "null.x",
  "let broken = (() => { throw 1 })()",
  "}",
  "n = 'lost'; apis.counter.add(); for (;;) {}",
  "for (;;) apis.counter.add()",
  "const again = () => Promise.resolve().then(again); again()",
  "x = new ArrayBuffer(2 ** 26)",
  "Array.prototype.own = Math.random(); print([].own)",
  "const re = /a(?<b>.)/g; print('abac'.replace(re, '$<b>'), re.lastIndex)",
];
const cells = fc.array(fc.constantFrom(...CELLS), { maxLength: 12 });

const runAll = async (repl: Repl, list: readonly string[]) => {
  const results = [];
  for (const code of list) results.push(await repl.run(code));
  return results;
};

test("the same cells give the same results, and a fork and a restored REPL continue exactly like the original", async () => {
  await fc.assert(
    fc.asyncProperty(cells, cells, async (before, after) => {
      const options = makeCounterHost();
      const repl = sandbox.open(options);
      const first = await runAll(repl, before);
      const history = structuredClone(repl.history()) as CellRecord[];
      const sum = options.count();
      const [forWorld, restoredWorld, twinWorld] = [
        makeCounterHost(sum),
        makeCounterHost(sum),
        makeCounterHost(),
      ];
      const fork = repl.fork(forWorld.call, forWorld.now);
      const restored = await sandbox.restore(restoredWorld, history);
      const twin = sandbox.open(twinWorld);
      expect(await runAll(twin, before)).toEqual(first);
      expect(restoredWorld.count()).toBe(sum);
      const expected = await runAll(repl, after);
      expect(await runAll(fork, after)).toEqual(expected);
      expect(await runAll(restored, after)).toEqual(expected);
      expect(await runAll(twin, after)).toEqual(expected);
      expect(fork.history()).toEqual(repl.history());
      expect(restored.history()).toEqual(repl.history());
    }),
    { numRuns: 30, seed: 11 },
  );
});

test("a restored REPL has exactly the bytes of the original", async () => {
  const save = vi.spyOn(SharedInstance.prototype, "save");
  const bytes = () => {
    const { bytes, end } = save.mock.results.at(-1)!.value;
    return { bytes: Buffer.from(bytes), end };
  };
  const repl = sandbox.open(makeCounterHost());
  await runAll(
    repl,
    CELLS.filter((code) => !code.includes("for (;;)")),
  );
  const original = bytes();
  await sandbox.restore(makeCounterHost(), repl.history());
  const restored = bytes();
  save.mockRestore();
  expect(restored.end).toBe(original.end);
  const used = Math.min(original.bytes.length, restored.bytes.length);
  expect(restored.bytes.compare(original.bytes, 0, used, 0, used)).toBe(0);
});

test("running cells does not make the memory of a REPL grow", async () => {
  const save = vi.spyOn(SharedInstance.prototype, "save");
  const repl = sandbox.open(makeCounterHost());
  const ends = [];
  for (let i = 0; i < 200; i++) {
    await repl.run("let x = apis.counter.add({ fail: false }); print(x); await null");
    await repl.run("apis.counter.add({ fail: true })");
    await repl.run("await new Promise(() => {})");
    if (i > 20) ends.push(save.mock.results.at(-1)!.value.end);
  }
  save.mockRestore();
  expect(new Set(ends).size).toBe(1);
});

test("a fork and its parent do not change each other", async () => {
  const options = makeCounterHost();
  const repl = sandbox.open(options);
  await repl.run("let list = [1]");
  const world = makeCounterHost(100);
  const fork = repl.fork(world.call, world.now);
  await fork.run("list.push(2); apis.counter.add()");
  await repl.run("list.push(3)");
  expect((await fork.run("print(list, new Date().toISOString())")).stdout).toBe(
    "[1,2] 2031-01-01T00:01:41.000Z\n",
  );
  expect((await repl.run("print(list, new Date().toISOString())")).stdout).toBe(
    "[1,3] 2031-01-01T00:00:00.000Z\n",
  );
  expect(options.count()).toBe(0);
  repl.close();
  expect((await fork.run("print(list)")).stdout).toBe("[1,2]\n");
});

test("a fork before the first cell is a fresh REPL with the same seed", async () => {
  const repl = sandbox.open(makeCounterHost());
  const fork = repl.fork(makeCounterHost().call, makeCounterHost().now);
  expect(await fork.run("print(Math.random())")).toEqual(await repl.run("print(Math.random())"));
});

test("restoring calls no API, and fails when the code does something other than the record says", async () => {
  const repl = sandbox.open(makeCounterHost());
  await repl.run("print(apis.counter.add({ a: 1 }))");
  const [cell] = repl.history() as [CellRecord];
  const options = { ...makeCounterHost(), call: () => expect.unreachable("the world was called") };
  const restored = await sandbox.restore(options, [cell]);
  expect(restored.history()).toEqual([cell]);
  const other = { ...cell, code: "apis.counter.add({ a: 2 })" };
  await expect(sandbox.restore(options, [other])).rejects.toThrow(
    'call 1 was counter.add {"a":1}, now it is counter.add {"a":2}',
  );
  await expect(sandbox.restore(options, [{ ...cell, calls: [] }])).rejects.toThrow(
    "call 1 was absent",
  );
  await expect(sandbox.restore(options, [{ ...cell, code: "for (;;) {}" }])).rejects.toThrow(
    "fuel limit",
  );
});

test("a REPL can be moved to another thread by its history", async () => {
  const repl = sandbox.open(makeCounterHost());
  await runAll(repl, CELLS);
  const source = `
    import { parentPort, workerData } from "node:worker_threads";
    import { createSandbox } from ${JSON.stringify(packageModuleUrl("world/sandbox/index.ts"))};
    const { history, ...plain } = workerData;
    const unused = () => { throw new Error("the world was called") };
    const restored = await (await createSandbox()).restore({ ...plain, call: unused, now: unused }, history);
    const world = restored.fork(() => ({ ok: true, value: 1 }), () => "2032-01-01T00:00:00Z");
    parentPort.postMessage(await world.run("print(n, box.v, Math.random(), s.length, w.next(), m.size)"));
  `;
  const { apps, seed, limits } = makeCounterHost();
  const worker = spawnWorker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    workerData: { apps, seed, limits, history: repl.history() },
    resourceLimits: { stackSizeMb: 8 },
  });
  const [moved] = await once(worker, "message");
  await worker.terminate();
  expect(moved.status).toBe("ok");
  expect(moved).toEqual(
    await repl.run("print(n, box.v, Math.random(), s.length, w.next(), m.size)"),
  );
});
