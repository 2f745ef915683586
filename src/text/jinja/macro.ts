/** Macros and the bodies of call blocks, as functions that return what their body prints. */
import { evaluate } from "./evaluate.ts";
import { Frame } from "./frame.ts";
import {
  Callable,
  Dict,
  type NamedValues,
  Tuple,
  typeError,
  Undefined,
  type Value,
} from "./python/values.ts";
import type { MacroBody, Statement } from "./syntax/nodes.ts";

type Execute = (statements: readonly Statement[], frame: Frame, out: string[]) => unknown;

/** Creates a macro. It has no name if it is the body of a call block. */
export function createMacro(
  name: string | undefined,
  macro: MacroBody,
  frame: Frame,
  execute: Execute,
): Callable {
  const printedName = name === undefined ? "anonymous" : `'${name}'`;
  const call: Callable["call"] = (args, named) => {
    frame.rendering.countStep();
    const inner = new Frame(frame.rendering, macro.scope!, frame);
    bindParameters(name, macro, args, named, inner);
    const out: string[] = [];
    execute(macro.body, inner, out);
    return out.join("");
  };
  const attributes = {
    name: name ?? null,
    arguments: new Tuple(macro.parameters.map((parameter) => parameter.name)),
    catch_kwargs: macro.special.has("kwargs"),
    catch_varargs: macro.special.has("varargs"),
    caller: macro.special.has("caller"),
  };
  return new Callable(name ?? "caller", call, { attributes, repr: `<Macro ${printedName}>` });
}

/** Gives the arguments of a call to the parameters, as Jinja's `Macro` does. */
function bindParameters(
  name: string | undefined,
  { parameters, special }: MacroBody,
  args: readonly Value[],
  named: NamedValues,
  frame: Frame,
): void {
  const shownName = name === undefined ? "None" : `'${name}'`;
  const left = new Map(named);
  const missing = parameters.filter((parameter, i) => {
    const value = i < args.length ? args[i] : left.get(parameter.name);
    if (i >= args.length) left.delete(parameter.name);
    if (value !== undefined) frame.assign(parameter.name, value);
    return value === undefined;
  });
  if (special.has("caller")) {
    const caller = left.get("caller");
    left.delete("caller");
    frame.assign(
      "caller",
      caller === undefined || caller === null ? new Undefined("No caller defined") : caller,
    );
  }
  if (special.has("kwargs")) frame.assign("kwargs", new Dict(left));
  else if (left.size > 0) {
    const [first] = left.keys();
    if (first === "caller" || left.has("caller"))
      throw typeError(`macro ${shownName} takes no caller, but was used in a call block`);
    throw typeError(`macro ${shownName} takes no keyword argument '${first}'`);
  }
  const rest = args.slice(parameters.length);
  if (special.has("varargs")) frame.assign("varargs", new Tuple(rest));
  else if (rest.length > 0)
    throw typeError(`macro ${shownName} takes not more than ${parameters.length} argument(s)`);
  for (const parameter of missing) {
    const message = `parameter '${parameter.name}' was not provided`;
    const { fallback } = parameter;
    frame.assign(parameter.name, fallback ? evaluate(fallback, frame) : new Undefined(message));
  }
}
