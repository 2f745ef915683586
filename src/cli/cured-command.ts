/**
 * The command line that cures an error: the one that failed, with other values of some config fields. It is printed
 * below the error, so that it can be pasted into a shell.
 */
import { toCamelCase } from "../core/index.ts";
import { separateConfigFields } from "./config-fields.ts";

/**
 * Returns the arguments with these values of config fields. A field that was given is replaced, whatever its spelling,
 * and everything else stays as it was.
 */
export function cureArguments(
  argv: readonly string[],
  cure: Readonly<Record<string, string | number>>,
): string[] {
  const { rest, fields } = separateConfigFields(argv);
  const others = Object.entries(fields).filter(([name]) => !(toCamelCase(name) in cure));
  return [
    ...rest,
    ...others.flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, value])),
    ...Object.entries(cure).flatMap(([path, value]) => [`--${path}`, String(value)]),
  ];
}
