/** Names of others as identifiers that the agent's code can use. */

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
