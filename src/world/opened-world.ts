/**
 * An open world with what commands ask of it, and the interface of a world that opens itself.
 *
 * A world definition is opened by the pool of workers. Other kinds of worlds, such as one of foreign apps, export an
 * object with `openWorld` instead, and the pool hands over to it.
 */
import type { DemonstrationStyle, Dials, Split, World } from "../spec/index.ts";
import type { ApiDescription } from "./api/index.ts";
import type { SolutionMeasure, TaskReport } from "./check/index.ts";
import type { Inventory } from "./inspect/inventory.ts";
import type { WorldInspector } from "./inspect/world-inspector.ts";

/** The habits of demonstrations, as a caller may name them. */
export const DEMONSTRATION_STYLES: readonly DemonstrationStyle[] = ["careful", "hasty"];

/** An open world with what commands show and check. */
export interface OpenedWorld extends World {
  /** The splits that have tasks, in their usual order. */
  readonly splits: readonly Split[];
  /** Describes the APIs that the agent can call, with the JSON Schemas of their arguments. */
  describeApis(): readonly ApiDescription[];
  /** Counts what is in the world before any task. */
  inventory(): Inventory;
  /** Proves one task. */
  check(taskId: string): Promise<TaskReport>;
  /** Measures a task by its solution; see `SolutionMeasure`. Absent in worlds that live outside of this package. */
  measure?(taskId: string, tryEachApi: boolean): Promise<SolutionMeasure>;
}

/** The seed and the dials with which a world opens itself. */
export interface OpenSelfOptions {
  readonly seed: number;
  readonly dials: Dials;
  /** The URL by which the world's module was named. Its query may say more than which file it is. */
  readonly url?: string;
}

/** The default export of a world module that opens itself. */
export interface SelfOpeningWorld {
  readonly name: string;
  openWorld(options: OpenSelfOptions): Promise<OpenedWorld>;
  /** Opens the world for inspection, as the studio does. */
  inspectWorld(options: OpenSelfOptions): Promise<WorldInspector>;
}

/** Returns true if a module's default export opens itself. */
export function isSelfOpening(exported: unknown): exported is SelfOpeningWorld {
  const { openWorld, inspectWorld } = Object(exported) as Partial<SelfOpeningWorld>;
  return typeof openWorld === "function" && typeof inspectWorld === "function";
}
