/** A system of the field as a method and its fields: a row of `docs/algorithms/systems.md`. */

/** What is written on the command line as `--path value`; lists and objects as JSON. */
export type FieldValue =
  | string
  | number
  | boolean
  | readonly unknown[]
  | { readonly [name: string]: unknown };

export interface System {
  readonly system: string;
  /** Number of the paper on arXiv. */
  readonly arxiv: string;
  readonly method: string;
  /** By path, for the setting `starter`. */
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** Names of `MECHANISMS` that the fields switch on. */
  readonly mechanisms: readonly string[];
  /** What of the paper there is not; empty: nothing. */
  readonly outside: string;
  /** Why the row does not work on the world of the check; absent: it is meant to. */
  readonly cannot?: string;
}

/** The command line that sets a row up: `--method ei --algo.clip 0.2`. */
export function formatCommandLine({ method, fields }: System): string {
  const flags = Object.entries(fields).map(([path, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `--${path} ${/[\s"'[{]/.test(text) ? `'${text}'` : text}`;
  });
  return [`--method ${method}`, ...flags].join(" ");
}
