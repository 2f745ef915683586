/** Converts the form that starts a run into a request and into a command line. */
import type { StartRunRequest } from "../../../src/spec/studio/index.ts";

/** The content of the form, as typed. */
export interface StartChoice {
  readonly setting: string;
  readonly method: string;
  readonly seed: string;
  /** The name of the run's folder. If it is empty, the name is made of setting, method and seed. */
  readonly name: string;
  /** Lines of the form `field=value`. */
  readonly fields: string;
}

type Fields = Readonly<Record<string, string>>;

/** Parses lines such as `algo.groupSize=4` or `--algo.groupSize 4`. Throws an error that quotes a wrong line. */
export function parseFields(text: string): Fields {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const pairs = lines.map((line) => {
    const [, field, value] =
      /^\s*(?:--)?([A-Za-z][\w.-]*)(?:\s*=\s*|\s+)(\S.*?)\s*$/.exec(line) ?? [];
    if (field?.includes(".") && value !== undefined) return [field, value] as const;
    throw new Error(
      `expected field=value, such as algo.groupSize=4, got the line "${line.trim()}"`,
    );
  });
  const twice = pairs.find(([field], i) => pairs.findIndex(([other]) => other === field) !== i);
  if (twice) throw new Error(`the field ${twice[0]} is given twice`);
  return Object.fromEntries(pairs);
}

/** Builds the request that starts a run. Throws an error for wrong fields. */
export function buildStartRequest({
  setting,
  method,
  seed,
  name,
  fields,
}: StartChoice): StartRunRequest {
  return {
    setting: setting.trim(),
    method: method.trim(),
    seed: Number(seed),
    ...(name.trim() !== "" && { name: name.trim() }),
    fields: parseFields(fields),
  };
}

/** The folder in which `bowline train` puts runs by default. */
const DEFAULT_FOLDER = "runs";

/** Builds the command for a shell. `root` is the studio's folder; undefined if the studio was opened on one run. */
export function buildStartCommand(choice: StartChoice, root: string | undefined): string {
  const { setting, method, seed, name } = choice;
  const words = ["bowline", "train", setting, "--method", method, "--seed", seed];
  const folder = (root ?? DEFAULT_FOLDER).replace(/\/+$/, "").replace(/^\.\//, "");
  if (name !== "" || (folder !== DEFAULT_FOLDER && folder !== "")) {
    words.push("--out", `${folder || "."}/${name || defaultRunName(choice)}`);
  }
  const given = Object.entries(parseFieldsOrNone(choice.fields));
  return [...words, ...given.map(([field, value]) => `--${field}=${value}`)]
    .map(quoteForShell)
    .join(" ");
}

/** Returns the name that the server gives to a run if the user chose none. */
export function defaultRunName({ setting, method, seed }: StartChoice): string {
  return `${setting}-${method}-seed${seed}`.replaceAll(/[^\w.-]+/g, "-");
}

function parseFieldsOrNone(text: string): Fields {
  try {
    return parseFields(text);
  } catch {
    return {};
  }
}

/** Quotes a word if it contains characters that are special in a shell. */
function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
