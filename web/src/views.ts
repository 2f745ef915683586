/**
 * Assigns addresses to views: `#/` runs, `#/runs/RUN` one run, `.../behaviour`, `.../files/FILE` its groups,
 * `.../files/FILE/groups/TASK`, `.../files/FILE/rollouts/ROLLOUT`, `#/overlay?run=a&run=b`, `#/explore?run=a&q=...`, `#/worlds/...`,
 * `#/documents/...`, `#/episodes/EPISODE`.
 */
import type { ComponentType } from "preact";
import type { Address, ViewProps } from "./lib/address.ts";
import { isFromRun } from "./lib/episode-address.ts";
import { BehaviourPage } from "./views/behaviour.tsx";
import { DocumentPage, DocumentsPage } from "./views/documents.tsx";
import { EpisodePage } from "./views/episode.tsx";
import { ExplorePage } from "./views/explore.tsx";
import { FilePage } from "./views/file.tsx";
import { ForkPage } from "./views/fork.tsx";
import { GroupPage } from "./views/group.tsx";
import { KeptForkPage } from "./views/kept-fork.tsx";
import { OverlayPage } from "./views/overlay.tsx";
import { RolloutPage } from "./views/rollout.tsx";
import { RunPage } from "./views/run.tsx";
import { RunsPage } from "./views/runs.tsx";
import { WorldPage } from "./views/world.tsx";
import { WorldAppPage } from "./views/world-app.tsx";
import { WorldTablePage } from "./views/world-table.tsx";
import { WorldTaskPage } from "./views/world-task.tsx";
import { WorldTasksPage } from "./views/world-tasks.tsx";
import { WorldsPage } from "./views/worlds.tsx";

interface View {
  readonly pattern: string;
  /** The section of the page to which the view belongs. */
  readonly section: "runs" | "worlds" | "documents";
  readonly view: ComponentType<ViewProps>;
}

export const VIEWS: readonly View[] = [
  { pattern: "", section: "runs", view: RunsPage },
  { pattern: "runs/:run", section: "runs", view: RunPage },
  { pattern: "runs/:run/files/:file", section: "runs", view: FilePage },
  { pattern: "overlay", section: "runs", view: OverlayPage },
  { pattern: "explore", section: "runs", view: ExplorePage },
  { pattern: "runs/:run/behaviour", section: "runs", view: BehaviourPage },
  { pattern: "runs/:run/files/:file/groups/:task", section: "runs", view: GroupPage },
  { pattern: "runs/:run/files/:file/rollouts/:rollout", section: "runs", view: RolloutPage },
  { pattern: "documents", section: "documents", view: DocumentsPage },
  { pattern: "documents/:document", section: "documents", view: DocumentPage },
  { pattern: "episodes/:episode", section: "worlds", view: EpisodePage },
  {
    pattern: "runs/:run/files/:file/rollouts/:rollout/fork/:turn",
    section: "runs",
    view: ForkPage,
  },
  { pattern: "runs/:run/forks/:fork", section: "runs", view: KeptForkPage },
  { pattern: "worlds", section: "worlds", view: WorldsPage },
  { pattern: "worlds/:world", section: "worlds", view: WorldPage },
  { pattern: "worlds/:world/apps/:app", section: "worlds", view: WorldAppPage },
  { pattern: "worlds/:world/tables/:table", section: "worlds", view: WorldTablePage },
  { pattern: "worlds/:world/tasks", section: "worlds", view: WorldTasksPage },
  { pattern: "worlds/:world/tasks/:task", section: "worlds", view: WorldTaskPage },
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
