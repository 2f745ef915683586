/** The title of the browser's tab: the view, and the run or world that it is about. */
import type { Address } from "./address.ts";
import { escapeInvisible } from "./invisible-characters.ts";

const NAMES: Readonly<Record<string, string>> = {
  behaviour: "Behaviour",
  documents: "Results",
  episodes: "Episode",
  explore: "Explore",
  overlay: "Comparison",
  worlds: "Worlds",
};

/** Returns a title such as `1/0/3 · starter-seed1 · Bowline studio`. */
export function pageTitle({ path, queryValues }: Pick<Address, "path" | "queryValues">): string {
  const [section = "", subject, ...rest] = path;
  const last = rest.at(-1);
  const runs = subject === undefined ? (queryValues["run"] ?? []) : [];
  const parts = [
    last === undefined ? undefined : (NAMES[last] ?? last),
    section === "runs" || section === "worlds" ? (subject ?? NAMES[section]) : NAMES[section],
    runs.length > 0 && section !== "" ? runs.join(", ") : undefined,
    "Bowline studio",
  ];
  return escapeInvisible(parts.filter((part) => part !== undefined).join(" · "));
}
