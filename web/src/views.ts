/**
 * Which view an address is. `#/` runs, `#/runs/RUN` one run, `.../behaviour`, `.../files/FILE` its groups,
 * `.../files/FILE/groups/TASK`, `.../files/FILE/rollouts/ROLLOUT`, `#/overlay?run=a&run=b`, `#/worlds/...`, `#/documents/...`,
 * `#/episodes/EPISODE`.
 */
import type { ComponentType } from "preact";
import type { ViewProps } from "./lib/view-props.ts";
import { Runs } from "./views/runs.tsx";

interface View {
  readonly pattern: string;
  /** Which of the page's sections it belongs to. */
  readonly section: "runs" | "worlds" | "documents";
  readonly view: ComponentType<ViewProps>;
}

export const VIEWS: readonly View[] = [{ pattern: "", section: "runs", view: Runs }];

export function viewAt(path: readonly string[]) {
  for (const { pattern, section, view } of VIEWS) {
    const parts = pattern.split("/").filter(Boolean);
    const isIt =
      parts.length === path.length &&
      parts.every((part, i) => part.startsWith(":") || part === path[i]);
    if (!isIt) continue;
    const named = parts.flatMap((part, i) =>
      part.startsWith(":") ? [[part.slice(1), path[i]!] as const] : [],
    );
    return { section, view, names: Object.fromEntries(named) };
  }
  return undefined;
}
