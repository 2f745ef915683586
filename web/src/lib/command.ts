/** The command line that starts a run, ready to be pasted into a shell. */

export interface StartChoice {
  readonly setting: string;
  readonly method: string;
  readonly seed: string;
  /** The studio's folder, as its user wrote it; undefined where it was opened on one run. */
  readonly root: string | undefined;
}

/** Where `bowline train` puts runs unless it is told otherwise. */
const USUAL_FOLDER = "runs";

export function startCommand({ setting, method, seed, root }: StartChoice): string {
  const words = ["bowline", "train", setting, "--method", method, "--seed", seed];
  const folder = (root ?? USUAL_FOLDER).replace(/\/+$/, "").replace(/^\.\//, "");
  if (folder !== USUAL_FOLDER && folder !== "") {
    words.push("--out", `${folder}/${setting}-${method}-seed${seed}`);
  }
  return words.map(shellWord).join(" ");
}

/** Quoted where a shell would read more than the word. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
