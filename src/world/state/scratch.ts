/** A copy of a state for trying things out, which can list what was written to it. */
import type { Scratch } from "../define.ts";
import type { TableState } from "./table-state.ts";

export function makeScratch(start: TableState): Scratch {
  const state = start.clone();
  return Object.assign(state, { changes: () => state.changesSince(start) });
}
