/** What the panel that starts a run was filled with, as a request and as a command line. */
import type { StartRunRequest } from "../../../src/spec/studio/index.ts";

/** As typed. */
export interface StartChoice {
  readonly setting: string;
  readonly method: string;
  readonly seed: string;
  /** Of the run's folder; empty: by setting, method and seed. */
  readonly name: string;
  /** Lines of `field=value`. */
  readonly fields: string;
}

type Fields = Readonly<Record<string, string>>;

/** Throws a sentence that names the line. `--algo.groupSize 4`, as one types it elsewhere, is a line too. */
export function parseFields(text: string): Fields {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const pairs = lines.map((line) => {
    const [, field, value] =
      /^\s*(?:--)?([A-Za-z][\w.-]*)(?:\s*=\s*|\s+)(\S.*?)\s*$/.exec(line) ?? [];
    if (field?.includes(".") && value !== undefined) return [field, value] as const;
    throw new Error(`expected field=value, such as algo.groupSize=4, in the line "${line.trim()}"`);
  });
  const twice = pairs.find(([field], i) => pairs.findIndex(([other]) => other === field) !== i);
  if (twice) throw new Error(`${twice[0]} stands there twice`);
  return Object.fromEntries(pairs);
}

/** Throws a sentence for what cannot be asked for. */
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

/** Where `bowline train` puts runs unless it is told otherwise. */
const DEFAULT_FOLDER = "runs";

/** To be pasted into a shell. `root`: the studio's folder, as its user wrote it; undefined where it was opened on one run. */
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

/** What the server names a run that nobody names. */
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

/** Quoted where a shell would read more than the word. */
function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
