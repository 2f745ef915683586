/** Describes a published system as a method and its fields, which is a row of `docs/algorithms/systems.md`. */

/** A value that the command line takes as `--path value`; lists and objects are written as JSON. */
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
  /** Values by field path, for the setting `starter`. */
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** Names of `MECHANISMS` that the fields switch on. */
  readonly mechanisms: readonly string[];
  /** What the paper has and this row lacks; empty when it lacks nothing. */
  readonly outside: string;
  /** Why the row does not work in the check; absent when it should work. */
  readonly cannot?: string;
}

/** Formats the options that set a row up: `--method ei --algo.clip 0.2`. */
export function formatCommandLine({ method, fields }: System): string {
  const flags = Object.entries(fields).map(([path, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `--${path} ${/[\s"'[{]/.test(text) ? `'${text}'` : text}`;
  });
  return [`--method ${method}`, ...flags].join(" ");
}
