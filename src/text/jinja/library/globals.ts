/** The functions that Jinja and transformers offer to templates. */
import { bindArguments, requireInteger } from "../python/arguments.ts";
import { dictFromKeys } from "../python/container-methods.ts";
import { toText } from "../python/print.ts";
import { strftime } from "../python/strftime.ts";
import {
  Callable,
  type NamedValues,
  orElse,
  Range,
  typeError,
  UnsupportedError,
  type Value,
} from "../python/values.ts";
import { Cycler, DictFunction, Joiner, Namespace } from "./instances.ts";

/** The error that a template raises by `raise_exception`. */
export class TemplateRaisedError extends Error {}

/** Creates the functions. `now` is the time of `strftime_now`; without it, there is no such function. */
export function createGlobals(now: Date | undefined): ReadonlyMap<string, Value> {
  const globals = new Map<string, Value>([
    ["range", createFunction("range", createRange)],
    ["dict", new DictFunction(createFunction("fromkeys", dictFromKeys))],
    ["namespace", createFunction("namespace", (args, named) => new Namespace(args, named))],
    ["cycler", createFunction("cycler", (args) => new Cycler(args))],
    [
      "joiner",
      createFunction(
        "joiner",
        ([sep], named) => new Joiner(orElse(sep, orElse(named.get("sep"), ", "))),
      ),
    ],
    [
      "lipsum",
      createFunction("lipsum", () => {
        throw new UnsupportedError("the function lipsum");
      }),
    ],
    ["raise_exception", createFunction("raise_exception", raise)],
  ]);
  if (now !== undefined) {
    const format = (args: readonly Value[], named: NamedValues) =>
      strftime(now, bindArguments("strftime_now", ["format"], args, named).text("format"));
    globals.set("strftime_now", createFunction("strftime_now", format));
  }
  return globals;
}

const createFunction = (name: string, call: Callable["call"]) => new Callable(name, call);

function raise(args: readonly Value[], named: NamedValues): never {
  const message = bindArguments("raise_exception", ["message"], args, named).get("message");
  throw new TemplateRaisedError(toText(message));
}

function createRange(args: readonly Value[]): Range {
  const [first, second, step] = args.map(requireInteger);
  if (first === undefined || args.length > 3)
    throw typeError(`range expected 1 to 3 arguments, got ${args.length}`);
  return second === undefined ? new Range(0n, first, 1n) : new Range(first, second, step ?? 1n);
}
