/**
 * Reads the target of an HTTP request: the path and the query in its first line. Targets come from strangers and may be
 * anything, so they are split as text. `new URL` would take `//` for the beginning of a host's name, and throw.
 */

export interface RequestTarget {
  /** The path as it was sent, with its percent escapes. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Returns the parts of a target; undefined if it does not begin with a slash. A fragment is dropped. */
export function parseRequestTarget(target = "/"): RequestTarget | undefined {
  if (!target.startsWith("/")) return undefined;
  const [withoutFragment = ""] = target.split("#");
  const [path = ""] = withoutFragment.split("?");
  return { path, query: new URLSearchParams(withoutFragment.slice(path.length)) };
}
