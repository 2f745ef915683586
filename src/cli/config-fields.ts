/**
 * Config fields on the command line: `--algo.groupSize 8`, `--algo.group-size=8`, `--algo.stragglers` (a switch).
 *
 * A dot in an option's name makes it a field; the configuration itself says which fields exist and what they may be.
 * They are taken out before the command's own options are parsed, so a command need not know them.
 */

/** Values by name; true: none was given, as for a switch. */
export type ConfigFieldValues = Readonly<Record<string, string | true>>;

export interface SeparatedArguments {
  readonly rest: readonly string[];
  readonly fields: ConfigFieldValues;
}

const FIELD_OPTION = /^--([A-Za-z][\w-]*(?:\.[\w-]+)+)(?:=(.*))?$/s;

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
    const takesNext =
      inline === undefined && following !== undefined && !following.startsWith("--");
    fields[name!] = inline ?? (takesNext ? following : true);
    if (takesNext) i++;
  }
  return { rest, fields };
}
