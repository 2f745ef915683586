/**
 * Addresses of the page: the part of the URL after `#`, as path segments and a query. The address contains everything
 * that a link should restore (run, file, rollout, turn, filter), so links and the Back button work everywhere.
 */
import { useEffect, useMemo, useState } from "preact/hooks";

export interface Address {
  readonly path: readonly string[];
  /** The value of each name. If a name is repeated, its last value counts. */
  readonly query: Readonly<Record<string, string>>;
  /** All values of each name, in order. */
  readonly queryValues: Readonly<Record<string, readonly string[]>>;
}

type QueryValue = string | number | readonly string[] | undefined;

/** The properties of every view. */
export interface ViewProps {
  readonly address: Address;
  /** The path segments that match `:name` in the view's pattern, by name. */
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

/**
 * Builds an address as an `href`. Undefined and empty query values are left out, and a name with a list of values is
 * repeated.
 */
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

/** Opens an address. The event is dispatched at once, so that the next pressed key already belongs to the new view. */
export function navigateTo(address: string): void {
  location.hash = address;
  dispatchHashChange();
}

/** Replaces the current address without a new history entry. */
export function replaceAddress(address: string): void {
  history.replaceState(history.state, "", address);
  dispatchHashChange();
}

function dispatchHashChange(): void {
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Changes the query of the current address without a new history entry. */
export function replaceQuery(changes: Readonly<Record<string, QueryValue>>): void {
  const { path, queryValues } = parseAddress(location.hash);
  replaceAddress(buildAddress(path, { ...queryValues, ...changes }));
}

export function useAddress(): Address {
  // The state is a string, so a change that is reported twice causes only one rendering.
  const [hash, set] = useState(() => location.hash);
  useEffect(() => {
    const readHash = () => set(location.hash);
    addEventListener("hashchange", readHash);
    return () => removeEventListener("hashchange", readHash);
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
