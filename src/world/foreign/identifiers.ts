/** Names of others as identifiers that the agent's code can use. */
import { BowlineError } from "../../core/index.ts";

/** Two tools that would get the same identifier. */
export interface NameClash {
  readonly tool: string;
  readonly other: string;
  readonly api: string;
}

const explainClash = ({ tool, other, api }: NameClash) =>
  `the tools ${other} and ${tool} would both be called ${api}`;

/**
 * Returns tools by their names as identifiers. Throws a `world` error, with the text of `explain`, when two of them
 * would get the same identifier, or one that is `taken`.
 */
export function nameTools<T extends { readonly name: string }>(
  tools: readonly T[],
  {
    taken = [],
    explain = explainClash,
  }: { readonly taken?: readonly string[]; readonly explain?: (clash: NameClash) => string } = {},
): ReadonlyMap<string, T> {
  const named = new Map<string, T>();
  for (const tool of tools) {
    const api = toIdentifier(tool.name);
    const other = named.get(api)?.name ?? taken.find((name) => name === api);
    if (other !== undefined) {
      throw new BowlineError("world", explain({ tool: tool.name, other, api }));
    }
    named.set(api, tool);
  }
  return named;
}

/**
 * Returns a name as letters and digits that begin with a lower-case letter: `get-sum` and `get_sum` become `getSum`. A
 * name that has no such form becomes `api` with what is left of it.
 */
export function toIdentifier(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words
    .map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
  const lowered = lowerStart(joined);
  return /^[a-z]/.test(lowered) ? lowered : `api${lowered}`;
}

/** Lowers the capitals with which a name begins: `GetSum` becomes `getSum`, and `URLOf` becomes `urlOf`. */
function lowerStart(name: string): string {
  const [capitals = ""] = /^[A-Z]+/.exec(name) ?? [];
  const count =
    capitals.length > 1 && capitals.length < name.length ? capitals.length - 1 : capitals.length;
  return name.slice(0, count).toLowerCase() + name.slice(count);
}
