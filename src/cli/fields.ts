/**
 * Config fields on the command line: `--algo.groupSize 8`, `--algo.group-size=8`, `--algo.stragglers` (a switch).
 *
 * A dot in an option's name makes it a field; the configuration itself says which fields exist and what they may be.
 * They are taken out before the command's own options are parsed, so a command need not know them.
 */
/** Values by name; true: none was given, as for a switch. */
export type Fields = Readonly<Record<string, string | true>>;

export interface Taken {
  readonly rest: readonly string[];
  readonly fields: Fields;
  /** A field that was given more than once. */
  readonly twice: string | undefined;
}

const FIELD = /^--([A-Za-z][\w-]*(?:\.[\w-]+)+)(?:=(.*))?$/s;

export function takeFields(argv: readonly string[]): Taken {
  const rest: string[] = [];
  const fields: Record<string, string | true> = {};
  let twice: string | undefined;
  for (let i = 0; i < argv.length; i++) {
    const match = FIELD.exec(argv[i]!);
    if (match === null) {
      rest.push(argv[i]!);
      continue;
    }
    const [, name, inline] = match;
    if (Object.keys(fields).some((known) => plain(known) === plain(name!))) twice = name;
    const following = argv[i + 1];
    const takesNext =
      inline === undefined && following !== undefined && !following.startsWith("--");
    fields[name!] = inline ?? (takesNext ? following : true);
    if (takesNext) i++;
  }
  return { rest, fields, twice };
}

/** The same for every spelling of a name. */
function plain(name: string): string {
  return name.replaceAll("-", "").toLowerCase();
}
