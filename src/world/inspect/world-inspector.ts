/** A world that shows what is inside it, and episodes that report what their calls did, whatever kind of world it is. */
import type {
  ApiCall,
  Demonstration,
  Episode,
  Rollout,
  Split,
  StepResult,
  TaskInfo,
} from "../../spec/index.ts";
import type { AppDetails, TablePageRequest, TableRows } from "./app-and-table-inspection.ts";
import type { AnsweredCall, EpisodeState } from "./episode-inspection.ts";
import type { TaskDetails, TaskPageRequest, WorldOverview } from "./world-inspection.ts";

/** A step with the answers of its calls and what they changed. */
export interface InspectedStep {
  readonly result: StepResult;
  readonly calls: readonly AnsweredCall[];
}

/** What a record says about an episode, for worlds that cannot answer its calls a second time. */
export interface EpisodeRecord {
  /** All calls of the record's cells, in order. */
  readonly calls: readonly ApiCall[];
  /** How the episode was judged after the last of these calls, if it was. */
  readonly evaluation?: Rollout["evaluation"];
}

/** A world that shows what is inside it; made by `inspectWorld`. */
export interface WorldInspector {
  readonly seed: number;
  /** True when the world has ended. Then every further call rejects. */
  readonly isEnded: boolean;
  overview(): Promise<WorldOverview>;
  app(name: string): Promise<AppDetails>;
  /** Returns rows of the population. The rows of a task's own setup are not among them. */
  table(name: string, page: TablePageRequest): Promise<TableRows>;
  tasks(
    split: Split,
    page: Omit<TaskPageRequest, "split">,
  ): Promise<{ readonly total: number; readonly tasks: readonly TaskInfo[] }>;
  task(taskId: string): Promise<TaskDetails>;
  /** Runs the careful solution of a task. Rejects with a `world` error when the task has none. */
  solve(taskId: string): Promise<Demonstration>;
  /** Opens an episode. A world of foreign apps answers the first calls from the record. */
  open(taskId: string, record?: EpisodeRecord): Promise<InspectedEpisode>;
  close(): Promise<void>;
}

/** An episode that reports what its calls answered and changed. */
export interface InspectedEpisode extends Episode {
  /**
   * Runs a step and reports what each call did. If the watchdog ended the step, only the statuses of its calls are
   * known.
   */
  inspectStep(code: string): Promise<InspectedStep>;
  /** Returns what changed since the start, how the agent ended the task, and the episode's clock. */
  state(): Promise<EpisodeState>;
  /** Returns a page of a table as it is in the episode now. */
  table(name: string, page: TablePageRequest): Promise<TableRows>;
  fork(): Promise<InspectedEpisode>;
}
