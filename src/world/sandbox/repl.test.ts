import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type CellResult,
  createSandbox,
  type HostReply,
  type Repl,
  type ReplOptions,
  type Sandbox,
} from "./index.ts";

let sandbox: Sandbox;
const zone = process.env["TZ"];

beforeAll(async () => {
  process.env["TZ"] = "Asia/Tokyo"; // The host's time zone must not be visible in the sandbox.
  sandbox = await createSandbox();
});

afterAll(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

/**
 * Makes a host that returns its arguments and fails for `{ fail: [status, message] }`. Its clock moves on by one second
 * at each call.
 */
function makeHost(overrides: Partial<ReplOptions> = {}): ReplOptions & { calls: unknown[] } {
  const calls: unknown[] = [];
  const call = (app: string, api: string, args: unknown): HostReply => {
    calls.push([app, api, args]);
    const { fail, value } = args as { fail?: [number, string]; value?: unknown };
    if (fail) return { ok: false, status: fail[0], message: fail[1] };
    return { ok: true, value: value === undefined ? { app, api, args } : value };
  };
  const now = () => new Date(Date.UTC(2031, 4, 6, 7, 8, 9) + 1000 * calls.length).toISOString();
  return {
    apps: { mail: ["send", "list"], pay: ["sendMoney"] },
    call,
    now,
    seed: 1,
    calls,
    ...overrides,
  };
}

/** Runs the cells one by one in a new REPL and returns the last result. */
async function runCells(...cells: string[]): Promise<CellResult> {
  const repl = sandbox.open(makeHost());
  let result: CellResult = { status: "ok", stdout: "" };
  for (const cell of cells) result = await repl.run(cell);
  return result;
}

const okResult = (stdout: string): CellResult => ({ status: "ok", stdout });

describe("running cells in a REPL", () => {
  test.each<[string, string[], string]>([
    [
      "variables persist",
      ["let x = 1; const y = 2; var z = 3; w = 4", "print(x + y + z + w)"],
      "10\n",
    ],
    [
      "functions and classes persist",
      ["function f() { return 1 } class A { b = f() }", "print(new A().b)"],
      "1\n",
    ],
    ["let again", ["let x = 1", "let x = 2; print(x)"], "2\n"],
    ["const again", ["const x = 1", "const x = 2; print(x)"], "2\n"],
    ["let without a value again", ["let x = 1", "let x; print(x)"], "undefined\n"],
    [
      "class again, as another kind",
      ["class X {}", "const X = 5; print(X)", "function X() {} print(typeof X)"],
      "function\n",
    ],
    [
      "destructuring",
      ["const { a, b: [c] } = { a: 1, b: [2] }", "let [a, c] = [3, 4]; print(a, c)"],
      "3 4\n",
    ],
    [
      "blocks keep their scope",
      ["let x = 1; { let x = 2 } for (let x = 0; x < 3; x++) {} print(x)"],
      "1\n",
    ],
    [
      "a closure per round of a loop",
      ["const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); print(fs.map((f) => f()))"],
      "[0,1,2]\n",
    ],
    [
      "a name after its initialiser threw",
      ["let x = (() => { throw 1 })()", "print(x)", "let x = 2; print(x)"],
      "2\n",
    ],
    [
      "a class after its heritage threw",
      ["class A extends null.x {}", "class A {} print(typeof A)"],
      "function\n",
    ],
    ["await", ["const x = await Promise.resolve(5)", "print(x, await (async () => 6)())"], "5 6\n"],
    ["for await", ["for await (const x of [Promise.resolve(1), 2]) print(x)"], "1\n2\n"],
    [
      "jobs run before the cell ends",
      ["let x = 0; Promise.resolve().then(() => { x = 1 }).then(() => { x++ })", "print(x)"],
      "2\n",
    ],
    ["a syntax error changes nothing", ["let x = 1", "x = 2; }", "print(x)"], "1\n"],
    ["an error keeps what came before it", ["let x = 1; throw 0", "print(x)"], "1\n"],
    [
      "a directive is kept",
      ["'use strict'; let x = 1; print((function () { return typeof this })())"],
      "undefined\n",
    ],
  ])("in cells, %s", async (_name, cells, stdout) =>
    expect(await runCells(...cells)).toEqual(okResult(stdout)),
  );

  test("cells keep what was printed before an error", async () => {
    expect(await runCells("print('before'); null.x; print('after')")).toEqual({
      status: "error",
      stdout: "before\n",
      error: { name: "TypeError", message: "cannot read property 'x' of null" },
    });
  });

  test("cells fail when their last expression is a rejected promise, although nobody awaited it", async () => {
    const result = await runCells(
      "async function main() { await null; throw new RangeError('deep') }\nmain()",
    );
    expect(result.error).toEqual({ name: "RangeError", message: "deep" });
  });

  test("a closed REPL refuses to run cells", async () => {
    const repl = sandbox.open(makeHost());
    await repl.run("let x = 1");
    repl.close();
    await expect(repl.run("x")).rejects.toThrow("closed");
    await expect(repl.run("}")).rejects.toThrow("closed");
    expect(() => repl.fork(makeHost().call, makeHost().now)).toThrow("closed");
  });
});

describe("printing in the sandbox", () => {
  test.each([
    ["print('a', 'b c')", "a b c\n"],
    ["print('line\\nline'); console.log('x'); console.error('y')", "line\nline\nx\ny\n"],
    ["print()", "\n"],
    ["print({ a: [1, 'b', null, true] }, [])", '{"a":[1,"b",null,true]} []\n'],
    ["print(undefined, null, NaN, -0, 1e21, 10n)", "undefined null null 0 1e+21 10\n"],
    ["print(new Error('no'), [new TypeError('why')])", 'Error: no ["TypeError: why"]\n'],
    [
      "print(new Map([['a', 1]]), new Set(['b']), new Date(0))",
      '[["a",1]] ["b"] "1970-01-01T00:00:00.000Z"\n',
    ],
    ["print('\\0', '\\ud800', '\\u2028', '😀')", "\0 \ud800 \u2028 😀\n"],
    ["print('\0\ud800')", "\0\ud800\n"],
  ])("a cell prints as expected: %s", async (code, stdout) =>
    expect(await runCells(code)).toEqual(okResult(stdout)),
  );

  test("printed text is cut at the limit of its cell, with a note, and the next cell can print again", async () => {
    const repl = sandbox.open(makeHost({ limits: { stdoutChars: 10 } }));
    const cut = await repl.run("print('1234'); print('12345678'); print('more')");
    expect(cut).toEqual(okResult("1234\n12345\n[output cut at 10 characters]\n"));
    expect(await repl.run("print('123456789')")).toEqual(okResult("123456789\n"));
    expect(await repl.run("print('12345678😀')")).toEqual(okResult("12345678😀\n"));
    const pair = await repl.run("print('123456789😀')");
    expect(pair).toEqual(okResult("123456789\n[output cut at 10 characters]\n"));
  });
});

describe("APIs in the sandbox", () => {
  test("APIs take one object and return plain values, with and without await", async () => {
    const options = makeHost();
    const repl = sandbox.open(options);
    const result = await repl.run(
      "const a = apis.mail.send({ to: ['x'] }); const b = await apis.pay.sendMoney(); print(a.args.to, b)",
    );
    expect(result).toEqual(okResult('["x"] {"app":"pay","api":"sendMoney","args":{}}\n'));
    expect(options.calls).toEqual([
      ["mail", "send", { to: ["x"] }],
      ["pay", "sendMoney", {}],
    ]);
  });

  test("a failed API call throws an Error that has a status", async () => {
    const caught =
      "try { apis.mail.send({ fail: [404, 'no such person'] }) } catch (e) { print(e instanceof Error, e.status, e.message) }";
    expect(await runCells(caught)).toEqual(okResult("true 404 404 no such person\n"));
    expect((await runCells("await apis.mail.send({ fail: [422, 'a\\0b'] })")).error).toEqual({
      name: "ApiError",
      message: "422 a\0b",
    });
  });

  test.each([
    ["apis.mial.send()", "404 there is no app 'mial'; did you mean 'mail'?"],
    ["apis.calendar.send()", "404 there is no app 'calendar'; there are mail, pay"],
    ["apis.mail.Send()", "404 app 'mail' has no API 'Send'; did you mean 'send'?"],
    ["apis.pay.send_money()", "404 app 'pay' has no API 'send_money'; did you mean 'sendMoney'?"],
    ["apis.pay.x()", "404 app 'pay' has no API 'x'; there is sendMoney"],
    ["apis['\\0\\ud800']", "404 there is no app '\0\ud800'; there are mail, pay"],
  ])("a wrong call is explained to the agent: %s", async (code, message) => {
    expect((await runCells(code)).error).toEqual({ name: "ApiError", message });
  });

  test("APIs can be listed with Object.keys", async () => {
    const code = "print(Object.keys(apis), Object.keys(apis.mail), 'pay' in apis, 'x' in apis)";
    expect(await runCells(code)).toEqual(okResult('["mail","pay"] ["send","list"] true false\n'));
  });

  test.each([
    [null],
    [0],
    [""],
    [[]],
    ["\0\ud800😀"],
    [{ "": [{ __proto__: null, a: 1 }] }],
    [undefined],
  ])("APIs pass the value %j unchanged in both directions", async (value) => {
    const repl = sandbox.open(makeHost({ call: () => ({ ok: true, value }) }));
    expect(await repl.run("print([apis.mail.send()])")).toEqual(
      okResult(`${JSON.stringify([value])}\n`),
    );
  });

  test("`run` rejects when the host throws, but variables do not change and the REPL still works", async () => {
    let broken = true;
    const call = (): HostReply => {
      if (broken) throw new RangeError("the host's bug");
      return { ok: true, value: 1 };
    };
    const repl = sandbox.open(makeHost({ call }));
    await repl.run("let x = 1");
    await expect(repl.run("x = 2; try { apis.mail.send() } catch {} x = 3")).rejects.toThrow(
      "the host's bug",
    );
    broken = false;
    expect(await repl.run("print(x, apis.mail.send())")).toEqual(okResult("1 1\n"));
  });
});

describe("the limits of a cell", () => {
  const cell = "x = 2; apis.mail.send({ n: 1 }); print('said'); for (;;) {}";

  test("a limit undoes the variables of its cell, keeps its calls and output, and prevents further calls", async () => {
    const options = makeHost();
    const repl = sandbox.open(options);
    await repl.run("let x = 1");
    expect(await repl.run(cell)).toEqual({ status: "limit", stdout: "said\n", limit: "fuel" });
    expect(options.calls).toHaveLength(1);
    expect(await repl.run("print(x)")).toEqual(okResult("1\n"));
    expect(repl.history()).toHaveLength(2);
  });

  test("a limit stops the code, even in catch and finally", async () => {
    const options = makeHost({ limits: { calls: 3 } });
    const repl = sandbox.open(options);
    const code =
      "for (let i = 0; i < 1000; i++) { try { apis.mail.send({ i }); print(i) } catch (e) { print('caught', e) } }";
    expect(await repl.run(code)).toEqual({ status: "limit", stdout: "0\n1\n2\n", limit: "calls" });
    expect(options.calls).toHaveLength(3);
  });

  test.each([
    ["fuel", { fuel: 5 }, "for (;;) {}", "for (let i = 0; i < 1000; i++) {}"],
    [
      "calls",
      { calls: 5 },
      "for (let i = 0; i < 6; i++) apis.mail.send()",
      "for (let i = 0; i < 5; i++) apis.mail.send()",
    ],
    [
      "jobs",
      { jobs: 20 },
      "for (let i = 0; i < 30; i++) await null",
      "for (let i = 0; i < 10; i++) await null",
    ],
    ["memory", {}, "x = new ArrayBuffer(2 ** 24)", "x = new ArrayBuffer(2 ** 22)"],
  ] as const)("the limit on %s starts again for each cell", async (limit, limits, over, within) => {
    const repl = sandbox.open(makeHost({ limits }));
    for (let round = 0; round < 2; round++) {
      expect((await repl.run(over)).limit).toBe(limit);
      expect((await repl.run(within)).status).toBe("ok");
    }
  });

  test("the memory limit can allow more memory than an instance has at the start", async () => {
    const big = sandbox.open(makeHost({ limits: { memoryBytes: 64 * 2 ** 20 } }));
    const small = sandbox.open(makeHost());
    expect(
      await big.run("const kept = new Uint8Array(30 * 2 ** 20).fill(7); print(kept.length)"),
    ).toEqual(okResult("31457280\n"));
    expect((await small.run("x = new Uint8Array(2 ** 24)")).limit).toBe("memory");
    expect(await big.run("print(kept.at(-1)); const more = new Uint8Array(2 ** 20)")).toEqual(
      okResult("7\n"),
    );
    expect((await big.run("const most = new Uint8Array(40 * 2 ** 20)")).limit).toBe("memory");
    expect(await small.run("print(typeof x)")).toEqual(okResult("undefined\n"));
    const copy = big.fork(makeHost().call, makeHost().now);
    big.close();
    expect(await copy.run("print(kept.length + more.length)")).toEqual(okResult("32505856\n"));
  });

  test("a limit stops the code at the same place, whatever ran before it", async () => {
    const code =
      "const a = []; for (;;) { a.push('x'.repeat(1000) + a.length); if (a.length % 50 === 0) print(a.length) }";
    const first = await runCells(code);
    expect(first.limit).toBe("memory");
    await runCells("const y = new Array(1e5).fill({})");
    expect(await runCells(code)).toEqual(first);
    const other = await createSandbox();
    expect(await other.open(makeHost()).run(code)).toEqual(first);
  });
});

describe("clock and randomness in the sandbox", () => {
  test("dates show the episode's clock in UTC, which moves on with calls", async () => {
    const repl = sandbox.open(makeHost());
    const show =
      "print(new Date().toISOString(), Date.now(), new Date().getHours(), new Date().getTimezoneOffset());";
    expect(await repl.run(`${show} apis.mail.send(); ${show}`)).toEqual(
      okResult(
        "2031-05-06T07:08:09.000Z 1935817689000 7 0\n2031-05-06T07:08:10.000Z 1935817690000 7 0\n",
      ),
    );
    const local =
      "print(new Date(2031, 0, 31, 23).toISOString(), String(new Date(0)), new Date('2031-07-01T12:00').getTime() === Date.UTC(2031, 6, 1, 12))";
    expect((await repl.run(local)).stdout).toBe(
      "2031-01-31T23:00:00.000Z Thu Jan 01 1970 00:00:00 GMT+0000 true\n",
    );
  });

  test("Math.random depends on the seed only", async () => {
    const drawNumber = async (seed: number) =>
      (await sandbox.open(makeHost({ seed })).run("print([1,2,3].map(Math.random))")).stdout;
    expect(await drawNumber(5)).toBe(await drawNumber(5));
    expect(new Set(await Promise.all([0, 1, 2, 3, -1].map(drawNumber))).size).toBe(5);
  });

  test("`run` rejects when the clock does not return an instant", async () => {
    await expect(sandbox.open(makeHost({ now: () => "noon" })).run("1")).rejects.toThrow(
      "got 'noon'",
    );
  });
});

describe("many REPLs in one thread", () => {
  test("many REPLs keep separate states, even hundreds of them", async () => {
    const repls: Repl[] = [];
    for (let i = 0; i < 300; i++) {
      const repl = sandbox.open(makeHost({ seed: i }));
      await repl.run(`let mine = ${i}; Object.keys(Array.prototype); Array.prototype.own = ${i}`);
      repls.push(repl);
    }
    for (const [i, repl] of repls.entries()) {
      expect(await repl.run("print(mine, [].own)")).toEqual(okResult(`${i} ${i}\n`));
    }
  });

  test("many REPLs can run cells at the same time without mixing them up", async () => {
    const repls = Array.from({ length: 8 }, () => sandbox.open(makeHost()));
    const results = await Promise.all(
      repls.map((repl, i) => repl.run(`let x = ${i}; await null; print(x)`)),
    );
    expect(results.map(({ stdout }) => stdout)).toEqual(repls.map((_, i) => `${i}\n`));
  });

  test("many REPLs write nothing to the host's console", async () => {
    const spies = (["log", "error", "warn"] as const).map((name) => vi.spyOn(console, name));
    await runCells(
      "console.log(1); console.error(2); throw 3",
      "for (;;) {}",
      "x = new ArrayBuffer(2 ** 30)",
    );
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });
});
