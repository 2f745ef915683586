/**
 * The only code of Bowline inside the sandbox: `apis`, `print`, `console`, and the description of thrown values.
 *
 * It runs before the agent's first cell and keeps the built-in functions that it needs in its closure. So an agent that
 * overwrites `JSON`, `Object` or a prototype changes only its own REPL. All values cross the boundary as JSON text,
 * because a C string ends at NUL and cannot hold lone surrogates. The text of the prelude evaluates to a function
 * (host, apps, room) => describe.
 */

/** The largest length of the JSON text of a call's arguments, in UTF-16 units. */
export const MAX_ARGUMENT_CHARS = 200_000;

export const PRELUDE = `"use strict";
(host, apps, room) => {
  const { parse, stringify } = JSON;
  const { defineProperty, freeze, getOwnPropertyDescriptor, keys, preventExtensions } = Object;
  const uncurry = (method) => Function.prototype.call.bind(method);
  const slice = uncurry(String.prototype.slice);
  const toText = String, TheError = Error, TheMap = Map, TheSet = Set, ThePromise = Promise, TheType = TypeError;
  const eachOfMap = uncurry(Map.prototype.forEach), eachOfSet = uncurry(Set.prototype.forEach);
  const constant = (target, name, value) =>
    defineProperty(target, name, { __proto__: null, value, enumerable: false, writable: false, configurable: false });

  // The host answers nothing once a limit was hit. The code then ends here, at the next interrupt, which nothing can
  // catch.
  const ask = (kind, a, b, c) => {
    const answer = host(kind, a, b, c);
    while (answer === undefined);
    return answer;
  };

  // Shows values that JSON would drop or refuse.
  const readable = (_key, value) => {
    if (typeof value === "bigint") return toText(value);
    if (typeof value === "function") return "[function]";
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof TheError) return value.name + ": " + value.message;
    if (value instanceof ThePromise) return "[promise; use await]";
    const list = [];
    if (value instanceof TheMap) eachOfMap(value, (item, key) => { list[list.length] = [key, item]; });
    else if (value instanceof TheSet) eachOfSet(value, (item) => { list[list.length] = item; });
    else return value;
    return list;
  };
  const show = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof TheError) return value.name + ": " + value.message;
    return typeof value === "bigint" ? toText(value) : (stringify(value, readable) ?? toText(value));
  };
  const print = (...values) => {
    let line = "";
    for (let i = 0; i < values.length; i++) line += (i ? " " : "") + show(values[i]);
    ask("print", stringify(slice(line, 0, room)));
  };
  const console = { __proto__: null };
  for (const name of ["log", "info", "warn", "error", "debug"]) console[name] = print;

  const failure = (status, message) => {
    const error = new TheError(status + " " + message);
    constant(error, "name", "ApiError");
    constant(error, "status", status);
    return error;
  };
  const invoke = (app, api, values) => {
    const name = "apis." + app + "." + api;
    if (values.length > 1) {
      throw failure(400, name + " takes one object of named arguments, as in " + name + "({ ... }), but got " + values.length + " arguments");
    }
    const args = values[0] === undefined ? "{}" : stringify(values[0]);
    if (args === undefined) throw new TheType(name + " takes an object of named arguments, but got a " + typeof values[0]);
    if (args.length > ${MAX_ARGUMENT_CHARS}) {
      throw failure(413, name + ": the arguments are too large (" + args.length + " characters of JSON, at most ${MAX_ARGUMENT_CHARS})");
    }
    const reply = parse(ask("call", app, api, args));
    if (!reply.ok) throw failure(reply.status, reply.message);
    return reply.value;
  };

  // The language itself asks any object for these names, so they are no typing errors.
  const usual = { __proto__: null, then: 1, toJSON: 1, toString: 1, valueOf: 1, constructor: 1, hasOwnProperty: 1 };
  const hinted = (app) => (target, name) => {
    if (name in target || typeof name === "symbol" || name in usual) return target[name];
    throw failure(404, parse(ask("hint", app, stringify(name))));
  };
  // An app's functions are made when the app is first used, because most episodes use few of many apps. No code can
  // hold an app that is not filled. When filling ends early, because the stack is full, the next use starts it again.
  const names = parse(apps);
  const unfilled = { __proto__: null };
  const fill = (app) => {
    const list = parse(names[app]);
    for (let i = 0; i < list.length; i++) {
      const api = list[i];
      unfilled[app][api] = freeze((...values) => invoke(app, api, values));
    }
    freeze(unfilled[app]);
    unfilled[app] = undefined;
  };
  const apis = { __proto__: null };
  for (const app of keys(names)) {
    unfilled[app] = { __proto__: null };
    apis[app] = new Proxy(unfilled[app], { __proto__: null, get: hinted(app) });
  }
  freeze(apis);
  const known = hinted("");
  const look = (app) => { if (unfilled[app] !== undefined) fill(app); };
  const traps = {
    __proto__: null,
    get: (target, name) => { look(name); return known(target, name); },
    getOwnPropertyDescriptor: (target, name) => { look(name); return getOwnPropertyDescriptor(target, name); },
  };
  // These are getters, because QuickJS lets defineProperty replace the value of a constant of the global object.
  const globals = { __proto__: null, print: freeze(print), console: freeze(console), apis: new Proxy(apis, traps) };
  for (const name of keys(globals)) {
    const value = globals[name];
    defineProperty(globalThis, name, { __proto__: null, get: () => value, set: undefined, enumerable: false, configurable: false });
  }
  // A cell's result is a plain object in a promise, so an inherited "then" would change the result of every later cell.
  preventExtensions(Object.prototype);

  return (thrown) => {
    let name = "Error", message;
    if (thrown instanceof TheError) {
      name = toText(thrown.name);
      message = toText(thrown.message);
    } else {
      message = show(thrown);
    }
    return stringify([slice(name, 0, 100), slice(message, 0, room)]);
  };
}`;
