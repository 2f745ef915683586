/**
 * Assigns addresses to views. `#/` runs, `#/runs/RUN` one run, `.../behaviour`, `.../files/FILE` its groups,
 * `.../files/FILE/groups/TASK`, `.../files/FILE/rollouts/ROLLOUT`, `#/overlay?run=a&run=b`, `#/worlds/...`,
 * `#/documents/...`, `#/episodes/EPISODE`.
 */
import type { ComponentType } from "preact";
import type { Address, ViewProps } from "./lib/address.ts";
import { isFromRun } from "./lib/episode-address.ts";
import { Behaviour } from "./views/behaviour.tsx";
import { Document, Documents } from "./views/documents.tsx";
import { Episode } from "./views/episode.tsx";
import { File } from "./views/file.tsx";
import { Fork } from "./views/fork.tsx";
import { Group } from "./views/group.tsx";
import { Overlay } from "./views/overlay.tsx";
import { Rollout } from "./views/rollout.tsx";
import { Run } from "./views/run.tsx";
import { Runs } from "./views/runs.tsx";
import { World } from "./views/world.tsx";
import { WorldApp } from "./views/world-app.tsx";
import { WorldTable } from "./views/world-table.tsx";
import { WorldTask } from "./views/world-task.tsx";
import { WorldTasks } from "./views/world-tasks.tsx";
import { Worlds } from "./views/worlds.tsx";

interface View {
  readonly pattern: string;
  /** The section of the page to which the view belongs. */
  readonly section: "runs" | "worlds" | "documents";
  readonly view: ComponentType<ViewProps>;
}

export const VIEWS: readonly View[] = [
  { pattern: "", section: "runs", view: Runs },
  { pattern: "runs/:run", section: "runs", view: Run },
  { pattern: "runs/:run/files/:file", section: "runs", view: File },
  { pattern: "overlay", section: "runs", view: Overlay },
  { pattern: "runs/:run/behaviour", section: "runs", view: Behaviour },
  { pattern: "runs/:run/files/:file/groups/:task", section: "runs", view: Group },
  { pattern: "runs/:run/files/:file/rollouts/:rollout", section: "runs", view: Rollout },
  { pattern: "documents", section: "documents", view: Documents },
  { pattern: "documents/:document", section: "documents", view: Document },
  { pattern: "episodes/:episode", section: "worlds", view: Episode },
  {
    pattern: "runs/:run/files/:file/rollouts/:rollout/fork/:turn",
    section: "runs",
    view: Fork,
  },
  { pattern: "worlds", section: "worlds", view: Worlds },
  { pattern: "worlds/:world", section: "worlds", view: World },
  { pattern: "worlds/:world/apps/:app", section: "worlds", view: WorldApp },
  { pattern: "worlds/:world/tables/:table", section: "worlds", view: WorldTable },
  { pattern: "worlds/:world/tasks", section: "worlds", view: WorldTasks },
  { pattern: "worlds/:world/tasks/:task", section: "worlds", view: WorldTask },
];

export function findView({ path, query }: Pick<Address, "path" | "query">) {
  for (const { pattern, section, view } of VIEWS) {
    const parts = pattern.split("/").filter(Boolean);
    const isMatch =
      parts.length === path.length &&
      parts.every((part, i) => part.startsWith(":") || part === path[i]);
    if (!isMatch) continue;
    const named = parts.flatMap((part, i) =>
      part.startsWith(":") ? [[part.slice(1), path[i]!] as const] : [],
    );
    const names = Object.fromEntries(named);
    return { section: isFromRun({ query }) ? "runs" : section, view, names };
  }
  return undefined;
}
