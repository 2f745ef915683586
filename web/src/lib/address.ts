/**
 * Where the page is: everything behind `#`, as segments and a query. A view is found by its first segments, so any state that
 * is worth a link (run, file, rollout, turn, filter) stands in the address, and Back works everywhere.
 */
import { useEffect, useMemo, useState } from "preact/hooks";

export interface Address {
  readonly path: readonly string[];
  /** Of a repeated name: its last value. */
  readonly query: Readonly<Record<string, string>>;
  /** Every value of each name, in order. */
  readonly queryValues: Readonly<Record<string, readonly string[]>>;
}

type QueryValue = string | number | readonly string[] | undefined;

/** What every view is given. */
export interface ViewProps {
  readonly address: Address;
  /** What stands for `:name` in the view's pattern. */
  readonly names: Readonly<Record<string, string>>;
}

export function parseAddress(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const search = new URLSearchParams(query);
  const names = [...new Set(search.keys())];
  return {
    path: path.split("/").filter(Boolean).map(decodeOrKeep),
    query: Object.fromEntries(search),
    queryValues: Object.fromEntries(names.map((name) => [name, search.getAll(name)])),
  };
}

/** As an `href`. Undefined and empty values of the query are left out; a list repeats its name. */
export function buildAddress(
  path: readonly (string | number)[],
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value ?? ""].flat().flatMap((one) => (one === "" ? [] : [[name, String(one)]])),
  );
  const search = parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`;
  return `#/${path.map((part) => encodeURIComponent(part)).join("/")}${search}`;
}

/** At once: a key pressed before the browser has told of the change is the next view's already. */
export function navigateTo(address: string): void {
  location.hash = address;
  dispatchHashChange();
}

/** Instead of the present address: no new entry for Back. */
export function replaceAddress(address: string): void {
  history.replaceState(null, "", address);
  dispatchHashChange();
}

function dispatchHashChange(): void {
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Changes the query in place: no new entry for Back. */
export function replaceQuery(changes: Readonly<Record<string, QueryValue>>): void {
  const { path, queryValues } = parseAddress(location.hash);
  replaceAddress(buildAddress(path, { ...queryValues, ...changes }));
}

export function useAddress(): Address {
  // The text is the state: the same change told twice is one.
  const [hash, set] = useState(() => location.hash);
  useEffect(() => {
    const changed = () => set(location.hash);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return useMemo(() => parseAddress(hash), [hash]);
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
