/**
 * Code that tries to stop, block, corrupt or leave the sandbox, and how each attempt ends. The sandbox's own test, the
 * test beside busy processes and the campaign share this table.
 */
export type Ending = "fuel" | "calls" | "jobs" | "memory" | "stack" | "error" | "ok";

export interface Attack {
  readonly name: string;
  readonly code: string;
  readonly ends: Ending;
  /** The printed text must contain this, or the message of the error must match it. */
  readonly says?: string;
}

const makeAttacks = (ends: Ending, attacks: Record<string, string | [string, string]>): Attack[] =>
  Object.entries(attacks).map(([name, row]) =>
    typeof row === "string"
      ? { name, code: row, ends }
      : { name, code: row[0], ends, says: row[1] },
  );

export const ATTACKS: Attack[] = [
  ...makeAttacks("fuel", {
    "endless for": "for (;;) {}",
    "endless while with a counter": "let i = 0; while (true) i++;",
    "endless do in a labelled block": "outer: do { for (;;) { continue outer; } } while (true);",
    "endless loop in catch": "try { throw 1 } catch { for (;;) {} }",
    "endless loop in finally": "try { for (;;) {} } finally { for (;;) {} }",
    "a loop that catches its own end":
      "for (;;) { try { for (;;) {} } catch (e) { print(e) } finally { continue } }",
    "endless getter": "const o = { get x() { for (;;) {} } }; o.x;",
    "endless setter": "const o = { set x(v) { for (;;) {} } }; o.x = 1;",
    "endless toString": "'' + { toString() { for (;;) {} } }",
    "endless valueOf": "+{ valueOf() { for (;;) {} } }",
    "endless Symbol.toPrimitive": "1 + { [Symbol.toPrimitive]() { for (;;) {} } }",
    "endless toJSON inside print": "print({ toJSON() { for (;;) {} } })",
    "endless generator": "function* g() { for (;;) yield 1 } for (const x of g()) {}",
    "spread of an endless iterator without values":
      "[...{ [Symbol.iterator]() { return { next() { for (;;) {} } } } }]",
    "endless loop after await": "await null; for (;;) {}",
    "endless loop in a promise job": "Promise.resolve().then(() => { for (;;) {} })",
    "endless async generator": "async function* g() { for (;;) {} } for await (const x of g()) {}",
    "endless Proxy trap": "new Proxy({}, { get() { for (;;) {} } }).x",
    "endless comparator": "[3, 2, 1].sort(() => { for (;;) {} })",
    "endless replacer": "'a'.replace(/a/, () => { for (;;) {} })",
    "endless constructor": "new (class { constructor() { for (;;) {} } })()",
    "endless static block": "class A { static { for (;;) {} } }",
    "endless default argument": "((x = (() => { for (;;) {} })()) => x)()",
    "endless instanceof": "1 instanceof { [Symbol.hasInstance]() { for (;;) {} } }",
    "endless eval": "eval('for (;;) {}')",
    "endless Function": "new Function('for (;;) {}')()",
    "endless error message":
      "const e = new Error(); Object.defineProperty(e, 'message', { get() { for (;;) {} } }); throw e",
    "endless error name":
      "throw Object.defineProperty(new Error('x'), 'name', { get() { for (;;) {} } })",
    "endless thenable": "await { then() { for (;;) {} } }",
    "endless printing": "for (;;) print('spam')",
    "endless printing of nothing": "for (;;) print()",
    "catastrophic backtracking": "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    "catastrophic backtracking in replace": "('x'.repeat(40) + 'y').replace(/(x+x+)+z/g, '')",
    "catastrophic lookahead":
      "/(?=(a+))*b/.test('a'.repeat(50)); /^(?:(?:a|aa)+)+$/.test('a'.repeat(60) + 'b')",
    "unknown APIs without end": "for (;;) { try { apis.mail.nothing } catch {} }",
    "an array that grows slowly": "const a = []; for (;;) a.push(a.length);",
    // Collecting garbage is work too.
    "promises that are kept": "const a = []; for (;;) a.push(new Promise(() => {}));",
    "BigInt explosion": "let b = 2n; for (;;) b *= b;",
    "a search through an endless array-like": "[].indexOf.call({ length: 2 ** 53 - 1 }, 1)",
    "an includes through an endless array-like":
      "Array.prototype.includes.call({ length: 1e12 }, 1)",
    "a fill without end": "const a = new Array(100000); for (;;) a.fill(0)",
    "a parse without end": "const big = '[' + '1,'.repeat(50000) + '1]'; for (;;) JSON.parse(big)",
    "a power of many digits": "print((3n ** 600000n).toString().length)",
    "a text search without end": "const x = 'x'.repeat(1e6); for (;;) x.includes('y')",
    "bytes filled without end": "const a = new Uint8Array(1e6); for (;;) a.fill(3)",
    "long code without a branch": `for (;;) {${"x = 1;".repeat(30000)}}`,
    "a copy without end": "const a = new Uint8Array(1e6); for (;;) a.slice()",
    "sorting without end":
      "const a = Array.from({ length: 1e4 }, (_, i) => -i); for (;;) a.toSorted()",
    "a loop head that never ends":
      "for (const x of { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }) {}",
  }),
  ...makeAttacks("memory", {
    "arrays that are kept": "const a = []; for (;;) a.push(new Array(10000).fill(1));",
    "a string that doubles": "let s = 'abcdefgh'; for (;;) { s += s; s.codePointAt(1) }",
    "a giant repeat": "'x'.repeat(2 ** 28)",
    "a repeat that is caught": "for (;;) { try { 'x'.repeat(2 ** 28) } catch {} }",
    padStart: "'x'.padStart(2 ** 28)",
    "one giant typed array": "new Float64Array(2 ** 27)",
    "typed arrays that are kept": "const a = []; for (;;) a.push(new Uint8Array(2 ** 20));",
    "one giant ArrayBuffer": "new ArrayBuffer(2 ** 30)",
    "a Map that grows": "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });",
    "a Set of strings": "const s = new Set(); for (let i = 0; ; i++) s.add('entry number ' + i);",
    "closures that are kept":
      "const a = []; for (;;) { const data = new Array(1000).fill(0); a.push(() => data); }",
    "objects with many keys": "const o = {}; for (let i = 0; ; i++) o['key' + i] = i;",
    "a linked list":
      "let list = null; for (;;) list = { list, data: 'x'.repeat(1000) + Math.random() };",
    "an array joined": "new Array(2 ** 24).fill('abcdefgh').join('')",
    "a spread of an endless generator":
      "const a = [...(function* () { for (;;) yield 'x'.repeat(500) })()];",
    "split into millions": "'x'.repeat(2 ** 22).split('')",
    "a giant regular expression": "new RegExp('(?:ab*)'.repeat(2 ** 19))",
    "a giant eval": "eval('1+'.repeat(2 ** 19) + '1')",
    "a chain of bound functions": "let f = () => 1; for (;;) f = f.bind(null);",
    "an error with a giant message": "throw new Error('x'.repeat(2 ** 26))",
    "a giant print": "print('x'.repeat(2 ** 26))",
    "structured text parsed": "JSON.parse('[' + '{},'.repeat(2 ** 20) + '1]')",
  }),
  ...makeAttacks("jobs", {
    "a job that queues itself": "const again = () => Promise.resolve().then(again); again();",
    "a flood of jobs":
      "const flood = () => { Promise.resolve().then(flood); Promise.resolve().then(flood) }; flood();",
    "endless async recursion": "const f = async () => { await null; await f(); }; await f();",
    "a thenable that resolves to itself anew":
      "const t = () => ({ then(done) { done(t()) } }); await t();",
    "an async loop": "(async () => { for (;;) await null; })();",
    "an async generator without end":
      "async function* g() { for (;;) yield 1 } for await (const x of g()) {}",
  }),
  ...makeAttacks("calls", {
    "calls without end": "for (;;) apis.mail.send();",
    "calls that are caught": "for (;;) { try { apis.mail.send() } catch {} }",
    "calls in promise jobs":
      "const f = async () => { await apis.mail.send(); return f() }; await f();",
    "calls of one function kept aside":
      "const { send } = apis.mail; for (let i = 0; i < 51; i++) send({ i });",
    "failing calls": "for (;;) { try { apis.mail.send({ fail: true }) } catch {} }",
    "calls at the bottom of a recursion":
      "function f() { try { f() } finally { apis.mail.send({ deep: 1 }) } } f();",
  }),
  ...makeAttacks("error", {
    "plain recursion": "function f() { return f() + 1 } f();",
    "mutual recursion": "const a = () => b() + 1, b = () => a() + 1; a();",
    "method recursion with many locals":
      "class A { f(a, b, c, d) { const x = [a, b, c, d]; return this.f(...x, ...x) } } new A().f(1);",
    "toString recursion": "const o = { toString() { return '' + o } }; '' + o;",
    "getter recursion": "const o = { get x() { return o.x } }; o.x;",
    "Proxy recursion": "const p = new Proxy({}, { get: (t, k) => p[k] }); p.x;",
    "a chain of Proxies": "let p = {}; for (let i = 0; i < 20000; i++) p = new Proxy(p, {}); p.x;",
    "constructor recursion": "class A { constructor() { new A() } } new A();",
    "iterator recursion": "const o = { [Symbol.iterator]() { return [...o] } }; [...o];",
    "nested arrays flattened":
      "let a = []; for (let i = 0; i < 50000; i++) a = [a]; a.flat(Infinity);",
    "nested arrays as text": "let a = []; for (let i = 0; i < 50000; i++) a = [a]; String(a);",
    "nested JSON parsed": "JSON.parse('['.repeat(100000))",
    "nested groups in a regular expression": "new RegExp('('.repeat(50000) + ')'.repeat(50000))",
    "nested code evaluated": "eval('('.repeat(100000) + ')'.repeat(100000))",
    "recursion in a comparator": "const f = () => { [2, 1].sort(f); return 0 }; f();",
    "recursion in toJSON":
      "const o = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o);",
    "recursion in a reviver": "const f = () => JSON.parse('[1]', f); f();",
    "recursion through Function.prototype.apply":
      "function f() { f.apply(null, arguments) } f(1, 2, 3);",
    "recursion through Reflect.construct": "function F() { Reflect.construct(F, []) } new F();",
    "recursion through replace": "const f = () => 'a'.replace(/a/, f); f();",
    "recursion through eval": "function f() { eval('f()') } f();",
    "recursion in arguments":
      "const o = { get x() { return apis.mail.send(o) } }; apis.mail.send(o);",
    "a rope of strings": ["let s = 'x'; for (;;) s = s + s;", "too long"],
    "yield* recursion": "function* g() { yield* g() } [...g()];",
    "async recursion without await": "const f = async () => { await f() }; await f();",
  }),
  // These attempts try to leave the sandbox.
  ...makeAttacks("error", {
    "the process by the Function constructor": [
      "constructor.constructor('return process')()",
      "not defined",
    ],
    "the process by an API's constructor": [
      "apis.mail.send.constructor('return process')()",
      "not defined",
    ],
    "the process by print's constructor": ["print.constructor('return process')()", "not defined"],
    "the process by an API error": [
      "try { apis.mail.send({ fail: 1 }) } catch (e) { e.constructor.constructor('return process')() }",
      "not defined",
    ],
    "the process by an async function's constructor": [
      "await (async () => {}).constructor('return process')()",
      "not defined",
    ],
    "the process by a generator's constructor": [
      "[...(function* () {}).constructor('yield process')()]",
      "not defined",
    ],
    "the process by indirect eval": ["(0, eval)('process')", "not defined"],
    require: ["require('fs').readFileSync('/etc/passwd')", "not defined"],
    "dynamic import": ["await import('fs')", "could not load"],
    "dynamic import of a file": ["await import('/etc/passwd')", "could not load"],
    "dynamic import of data": ["await import('data:text/javascript,1')", "could not load"],
    "an import statement": ["import fs from 'fs';", "import"],
    "import.meta": ["import.meta.url", "import.meta"],
    "an export statement": ["export const x = 1;", "export"],
    WebAssembly: ["new WebAssembly.Memory({ initial: 1 })", "not defined"],
    fetch: ["await fetch('http://localhost')", "not defined"],
    setTimeout: ["await new Promise((done) => setTimeout(done, 1e9))", "not defined"],
    queueMicrotask: ["const next = () => queueMicrotask(next); next();", "not defined"],
    "blocking the thread": "Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 1e9)",
    "a promise that never settles": ["await new Promise(() => {})", "never happens"],
    "a promise that rejects itself": [
      "const p = Promise.resolve().then(() => p); await p;",
      "self",
    ],
    "a rejection that nobody awaits": [
      "async function main() { await null; throw new Error('inside') }\nmain();",
      "inside",
    ],
    "redefining print": [
      "Object.defineProperty(globalThis, 'print', { value: 1 })",
      "not configurable",
    ],
    "redefining apis": [
      "Object.defineProperty(globalThis, 'apis', { get: () => 1 })",
      "not configurable",
    ],
    "redefining an app": [
      "Object.defineProperty(apis, 'mail', { value: 1 })",
      "defineProperty|configurable|extensible",
    ],
    "replacing apis in strict code": ["'use strict'; apis = {}", "no setter"],
    "replacing an API in strict code": [
      "'use strict'; apis.mail.send = () => 1",
      "read-only|not extensible|extensible",
    ],
    "deleting an app in strict code": ["'use strict'; delete apis.mail", "delete"],
    "another prototype for apis": "Object.setPrototypeOf(apis, { evil: 1 })",
    "another prototype for all objects": "Object.setPrototypeOf(Object.prototype, { then() {} })",
    "print as a var": ["var print = 1", "provided by the sandbox"],
    "apis as a let": ["let apis = {}", "provided by the sandbox"],
    "apis out of a pattern": ["const { a: [{ apis }] } = { a: [{}] }", "provided by the sandbox"],
    "print out of a rest element": ["var [x, ...print] = [1, 2]", "provided by the sandbox"],
    "console as a class": ["class console {}", "provided by the sandbox"],
    "print as a function": ["function print() {}", "provided by the sandbox"],
    "an unknown app": ["apis.mial.send()", "404 there is no app 'mial'; did you mean 'mail'"],
    "an unknown API": ["apis.mail.sned()", "404 app 'mail' has no API 'sned'; did you mean 'send'"],
    "the prototype of apis": ["apis.__proto__.x = 1", "no app '__proto__'"],
    "a throwing error": [
      "throw { get message() { throw 1 }, toString() { throw 2 }, toJSON() { throw 3 } }",
      "fails to describe",
    ],
    "an error with a throwing message": [
      "throw Object.defineProperty(new Error(), 'message', { get() { throw 1 } })",
      "fails to describe",
    ],
    "throwing nothing": ["throw undefined", "undefined"],
    "throwing a symbol": ["throw Symbol('s')", "Symbol"],
    "throwing the global object": "globalThis.self = globalThis; throw globalThis",
    "throwing a Proxy": "throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })",
  }),
  // These attempts pass values that are not valid arguments.
  ...makeAttacks("error", {
    "cyclic arguments": ["const a = {}; a.a = a; apis.mail.send(a)", "circular"],
    "BigInt arguments": ["apis.mail.send({ n: 1n })", "BigInt|bigint"],
    "a function as arguments": ["apis.mail.send(() => 1)", "object of named arguments"],
    "a symbol as arguments": ["apis.mail.send(Symbol('x'))", "object of named arguments"],
    "two arguments": ["apis.mail.send('a', 'b')", "400 apis.mail.send takes one object"],
    "huge arguments": ["apis.mail.send({ body: 'x'.repeat(300000) })", "413"],
    "arguments that throw": ["apis.mail.send({ get to() { throw new Error('mine') } })", "mine"],
    "revoked Proxy arguments":
      "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); apis.mail.send(proxy)",
  }),
  ...makeAttacks("ok", {
    "nested arguments": [
      "let a = []; for (let i = 0; i < 2000; i++) a = [a]; print(apis.mail.send({ a }).app)",
      "mail",
    ],
    "Proxy arguments": ["print(apis.mail.send(new Proxy({ to: 'p' }, {})).args)", '{"to":"p"}'],
    "sparse arrays": ["print(apis.mail.send({ list: [, 1, ,] }).args)", '{"list":[null,1,null]}'],
    "functions inside arguments": [
      "print(apis.mail.send({ f() {}, list: [() => 1] }).args)",
      '{"list":[null]}',
    ],
    "toJSON arguments": [
      "print(apis.mail.send({ toJSON: () => ({ to: 'j' }) }).args)",
      '{"to":"j"}',
    ],
    "a __proto__ key": [
      'print(apis.mail.send(JSON.parse(\'{"__proto__":{"polluted":1}}\')).app)',
      "mail",
    ],
    "a primitive": ["print(apis.mail.send(5).args, apis.mail.send(null).args)", "5 null"],
    "NUL and lone surrogates": [
      "print(apis.mail.send({ s: 'a\\0b\\ud800c\\udc00' }).args.s === 'a\\0b\\ud800c\\udc00')",
      "true",
    ],
  }),
  // These attempts tamper with the REPL. An agent may break its own REPL, but nothing else.
  ...makeAttacks("ok", {
    "nothing of the host": [
      "print([typeof process, typeof require, typeof module, typeof Buffer, typeof std, typeof os, typeof scriptArgs, typeof Deno, typeof performance, typeof Atomics, typeof load].filter((t) => t !== 'undefined'))",
      "[]",
    ],
    "no host paths in a stack": [
      "print(/node|file:|[/]src|[/]dist/.test(new Error().stack))",
      "false",
    ],
    "no host paths in an API error's stack": [
      "try { apis.mail.send({ fail: 1 }) } catch (e) { print(/node|file:|[/]src|[/]dist/.test(e.stack)) }",
      "false",
    ],
    "the global by the Function constructor": [
      "print(Function('return this')() === globalThis)",
      "true",
    ],
    "the caller of a function":
      "function f() { return f.caller } try { print(f()) } catch (e) { print(e) }",
    "replacing JSON": [
      "JSON.stringify = () => 'x'; JSON.parse = () => 'y'; print({ a: 1 }, apis.mail.send({ a: 2 }).args)",
      '{"a":1} {"a":2}',
    ],
    "removing JSON": ["JSON = null; print({ a: 1 })", '{"a":1}'],
    "replacing Object's methods": [
      "Object.keys = Object.defineProperty = Object.freeze = null; print({ a: 1 })",
      '{"a":1}',
    ],
    "removing Function.prototype.call": [
      "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = null; print('x')",
      "x",
    ],
    "replacing String.prototype": [
      "String.prototype.slice = String.prototype.toString = () => 'z'; print('x')",
      "x",
    ],
    "removing Error": [
      "Error = TypeError = null; try { apis.mail.send({ fail: 1 }) } catch (e) { print(e.message) }",
      "422 refused",
    ],
    "removing Map, Set, Proxy and Reflect": [
      "Map = Set = Proxy = Reflect = Symbol = null; print([1])",
      "[1]",
    ],
    "replacing Array's iterator": [
      "Array.prototype[Symbol.iterator] = function* () { yield 'evil' }; print('a', 1)",
      "a 1",
    ],
    "replacing push": ["Array.prototype.push = Array.prototype.map = null; print([1, 2])", "[1,2]"],
    "Array.prototype.toJSON": "Array.prototype.toJSON = () => 'evil'; print('x')",
    "polluting Object.prototype": [
      "Object.prototype.polluted = 1; print(typeof {}.polluted)",
      "undefined",
    ],
    "an inherited then": "Object.prototype.then = (done) => done('evil');",
    "an inherited toJSON": ["Object.prototype.toJSON = () => 'evil'; print({ a: 1 })", '{"a":1}'],
    "an inherited setter": [
      "try { Object.defineProperty(Object.prototype, 'status', { set() { throw 1 } }) } catch {} try { apis.mail.send({ fail: 1 }) } catch (e) { print(e.status) }",
      "422",
    ],
    __defineGetter__: "try { Object.prototype.__defineGetter__('ok', () => false) } catch {}",
    "replacing then": "Promise.prototype.then = () => { throw 1 };",
    "removing Promise": "Promise = null;",
    "a Promise with another constructor": "Promise.prototype.constructor = null;",
    "replacing Math.random and Date.now":
      "Math.random = () => 4; Date.now = () => 0; Date.prototype.toISOString = () => 'never';",
    "removing Date": "Date = null;",
    "a subclass of Date": [
      "class D extends Date {} print(new D().toISOString(), D.now())",
      "2031-05-06T07:08:09.000Z 1935817689000",
    ],
    "the host's time zone": [
      "print(new Date().getTimezoneOffset(), new Date(2031, 0).toISOString())",
      "0 2031-01-01T00:00:00.000Z",
    ],
    "another clock": [
      "print(typeof performance === 'undefined' || performance.now() === performance.now())",
      "true",
    ],
    "replacing print": [
      "print = () => 'mine'; globalThis.print = null; delete globalThis.print; print('still')",
      "still",
    ],
    "replacing apis": [
      "apis = {}; apis.mail = {}; apis.mail.send = () => 1; delete apis.mail; print(apis.mail.send().app)",
      "mail",
    ],
    "print by a loop head": ["for (var print of [1]) {} print('still')", "still"],
    "print by indirect eval": [
      "try { (0, eval)('var print = 1') } catch {} print('still')",
      "still",
    ],
    "print by with": ["with ({ print: 1 }) {} print('still')", "still"],
    "an app that is first looked at where the stack ends": [
      "function f() { try { f() } finally { apis.mail } } try { f() } catch {} print(Object.keys(apis.mail), Object.isFrozen(apis.mail), apis.mail.list().api)",
      '["send","list"] true list',
    ],
    "an app that is first looked at through a descriptor": [
      "const { value, writable } = Object.getOwnPropertyDescriptor(apis, 'mail'); print(Object.keys(value), Object.isFrozen(value), writable, value.send().api)",
      '["send","list"] true false send',
    ],
    "apps that are copied before they were looked at": [
      "const { mail } = { ...apis }; print(mail === apis.mail, mail.send === Object.values(apis)[0].send, mail.send().api)",
      "true true send",
    ],
    "writing to an app that was not looked at": [
      "try { Object.defineProperty(Reflect.get(apis, 'mail'), 'send', { value: 1 }) } catch {} Object.prototype.mail = 1; print(apis.mail.send().api, apis)",
      'send {"mail":{"send":"[function]","list":"[function]"}}',
    ],
    "awaiting apis": ["await apis; await apis.mail; print('x')", "x"],
    "awaiting an API": ["print((await apis.mail.send({ to: 'b' })).args.to)", "b"],
    "a thenable that gives apis": [
      "print(typeof (await { then(done) { done(apis) } }).mail.send)",
      "function",
    ],
    "a reviver with a long memory": [
      "JSON.parse('[1,2]', function (k, v) { return this }); print(1)",
      "1",
    ],
    "a FinalizationRegistry":
      "if (typeof FinalizationRegistry !== 'undefined') { const r = new FinalizationRegistry(() => { for (;;) {} }); for (let i = 0; i < 100; i++) r.register({}, i); }",
    "a frozen global": "Object.freeze(Array.prototype); Object.freeze(Function.prototype);",
    "replacing eval and Function": "eval = Function = null;",
    "removing every configurable global":
      "const all = globalThis; for (const name of Object.getOwnPropertyNames(all)) delete all[name];",
    "output that is cut": ["print('x'.repeat(5000)); print('y')", "output cut at 1000 characters"],
    "output that is cut in a pair": "print('😀'.repeat(3000));",
    "printing what cannot be printed": [
      "print(undefined, () => 1, Symbol('s'), 5n, NaN, new Map([[1, { a: 2n }]]), new Set([1]), Promise.resolve())",
      'undefined "[function]" Symbol(s) 5 null [[1,{"a":"2"}]] [1] "[promise; use await]"',
    ],
  }),
  // These attempts are hardly valid programs.
  ...makeAttacks("error", {
    "an unterminated string": ["print('abc", "Unterminated string"],
    "an unterminated template": ["print(`abc", "Unterminated template"],
    "an unterminated comment": ["/* abc", "Unterminated comment"],
    "an unterminated regular expression": ["/abc", "Unterminated regular"],
    "a brace too many": ["}", "Unexpected token"],
    "a bare arrow of HTML": ["x --> y", ""],
    "a wrapper that is closed early": ["}); for (;;) {} (() => {", "Unexpected token"],
    "return at the top level": ["return 5", "return"],
    "yield at the top level": ["yield 5", "Unexpected"],
    "break at the top level": ["break;", "break"],
    "await in a function": ["function f() { await null }", "Unexpected token"],
    "await as a name": ["let await = 1", "name"],
    "let twice in one cell": ["let twice = 1; let twice = 2;", "already been declared"],
    "super at the top level": ["super.x", "super"],
    "new.target at the top level": ["new.target", "new.target"],
    "a private name at the top level": ["this.#x", "#x"],
    "strict octals": ["'use strict'; 010", "Invalid number"],
    "strict with": ["'use strict'; with ({}) {}", "with"],
    "strict undeclared names": ["'use strict'; nobody = 1", "not defined"],
    "a bad regular expression": ["/(/", "regular expression"],
    "code that is nested too deeply": ["(".repeat(50000), "^the code is nested too deeply$"],
    "blocks that are nested too deeply": [
      "{".repeat(50000) + "}".repeat(50000),
      "^the code is nested too deeply$",
    ],
    "arrays that are nested too deeply": [
      `x = ${"[".repeat(20000)}${"]".repeat(20000)}`,
      "^the code is nested too deeply$",
    ],
    "too much code": [`//${"x".repeat(200000)}`, "at most 200000 characters"],
    NUL: ["\0", ""],
    "a lone surrogate": ["\ud800", ""],
  }),
  ...makeAttacks("ok", {
    nothing: "",
    "comments of HTML": ["<!-- for (;;) {}\nprint(1)\n--> for (;;) {}", "1"],
    "a line separator": ["print('a\u2028b')", "a\u2028b"],
    "a label on a function": "here: for (const x of [1]) { continue here }",
    "deep sums": [`print(${"1+".repeat(3000)}1)`, "3001"],
  }),
];
