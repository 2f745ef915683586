/**
 * Describes a published system by a method and configuration fields. Each system is a row of
 * `docs/algorithms/systems.md`.
 */

/** The value of a field that the command line takes as `--path value`. Lists and objects are written as JSON. */
export type FieldValue =
  | string
  | number
  | boolean
  | readonly unknown[]
  | { readonly [name: string]: unknown };

export interface System {
  readonly system: string;
  /** The arXiv number of the paper, such as 2502.01600. */
  readonly arxiv: string;
  readonly method: string;
  /** Values by field path, for the setting `starter`. */
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** Names of the `MECHANISMS` that the fields switch on. */
  readonly mechanisms: readonly string[];
  /**
   * The core of the paper that this row does not have, for a row that is only an idea from the paper. Absent for a row
   * that has the core.
   */
  readonly idea?: string;
  /** What the paper has and this row leaves out. Empty when the row leaves nothing out. */
  readonly outside: string;
  /** The reason why the row does not work in the check. Absent when it should work. */
  readonly cannot?: string;
}

/** Returns the name under which the page lists a row, such as "an idea from SAGE". */
export function displayName({ system, idea }: System): string {
  return idea === undefined ? system : `an idea from ${system}`;
}

/** Formats the method and fields of a system as options of the command line, such as `--method ei --algo.clip 0.2`. */
export function formatCommandLine({ method, fields }: System): string {
  const flags = Object.entries(fields).map(([path, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `--${path} ${/[\s"'[{]/.test(text) ? `'${text}'` : text}`;
  });
  return [`--method ${method}`, ...flags].join(" ");
}
