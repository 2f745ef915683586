/**
 * The command line that cures an error: the one that failed, with other values of some config fields. It is printed
 * below the error, so that it can be pasted into a shell.
 */
import { type Cure, toCamelCase } from "../core/index.ts";
import { separateConfigFields } from "./config-fields.ts";
import { SHORT_OPTIONS } from "./short-options.ts";

/**
 * Returns the arguments with these values of config fields. A field that was given is replaced or left out, whatever
 * its spelling, and everything else stays as it was.
 */
export function cureArguments(argv: readonly string[], cure: Cure): string[] {
  const { rest, fields } = separateConfigFields(argv);
  const cured = Object.keys(cure);
  const isCured = (name: string) =>
    cured.some((field) => `${toCamelCase(name)}.`.startsWith(`${field}.`));
  const others = Object.entries(fields).filter(([name]) => !isCured(name));
  return [
    ...withoutShortOptions(rest, cured),
    ...others.flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, value])),
    ...Object.entries(cure).flatMap(([path, value]) =>
      value === null ? [] : [`--${path}`, String(value)],
    ),
  ];
}

/** Returns the arguments without the short options of these fields, such as `--engine onnx` for engine.name. */
function withoutShortOptions(args: readonly string[], fields: readonly string[]): string[] {
  const names = Object.entries(SHORT_OPTIONS)
    .filter(([, field]) => fields.includes(field))
    .map(([name]) => `--${name}`);
  return args.filter(
    (arg, i) =>
      !names.includes(arg) &&
      !names.includes(args[i - 1] ?? "") &&
      !names.some((name) => arg.startsWith(`${name}=`)),
  );
}
