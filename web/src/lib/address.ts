/**
 * Where the page is: everything behind `#`, as segments and a query. A view is found by its first segments, so any state that
 * is worth a link (run, file, rollout, turn, filter) stands in the address, and Back works everywhere.
 */
import { useEffect, useState } from "preact/hooks";

export interface Address {
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** What every view is given. */
export interface ViewProps {
  readonly address: Address;
  /** What stands for `:name` in the view's pattern. */
  readonly names: Readonly<Record<string, string>>;
}

export function parseAddress(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  return {
    path: path.split("/").filter(Boolean).map(safeDecode),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** As an `href`. Undefined values of the query are left out. */
export function addressOf(
  path: readonly (string | number)[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  const search = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
  return `#/${path.map((part) => encodeURIComponent(part)).join("/")}${search}`;
}

export function go(address: string): void {
  location.hash = address;
}

/** Changes the query in place: no new entry for Back. */
export function replaceQuery(changes: Readonly<Record<string, string | number | undefined>>): void {
  const { path, query } = parseAddress(location.hash);
  history.replaceState(null, "", addressOf(path, { ...query, ...changes }));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useAddress(): Address {
  const [address, set] = useState(() => parseAddress(location.hash));
  useEffect(() => {
    const changed = () => set(parseAddress(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return address;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
