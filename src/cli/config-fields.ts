/**
 * Config fields on the command line: `--algo.groupSize 8`, `--algo.group-size=8`, `--algo.stragglers` (a switch).
 *
 * An option with a dot in its name is a config field; the configuration itself says which fields exist. Fields are
 * separated from a command's own options before these are parsed, so a command need not know the fields.
 */

/** Maps the name of each field to its text, or to true if it has no value and acts as a switch. */
export type ConfigFieldValues = Readonly<Record<string, string | true>>;

/** The arguments of a command line, and the config fields that were among them. */
export interface SeparatedArguments {
  readonly rest: readonly string[];
  readonly fields: ConfigFieldValues;
}

const FIELD_OPTION = /^--([A-Za-z][\w-]*(?:\.[\w-]+)+)(?:=(.*))?$/s;

/** Separates config fields from the other arguments, which keep their order. */
export function separateConfigFields(argv: readonly string[]): SeparatedArguments {
  const rest: string[] = [];
  const fields: Record<string, string | true> = {};
  for (let i = 0; i < argv.length; i++) {
    const match = FIELD_OPTION.exec(argv[i]!);
    if (match === null) {
      rest.push(argv[i]!);
      continue;
    }
    const [, name, inline] = match;
    const following = argv[i + 1];
    const hasNextAsValue =
      inline === undefined && following !== undefined && !following.startsWith("--");
    fields[name!] = inline ?? (hasNextAsValue ? following : true);
    if (hasNextAsValue) i++;
  }
  return { rest, fields };
}
