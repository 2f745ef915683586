/** A copy of a state for trying things out, which knows what was written to it. */
import type { Scratch } from "../define.ts";
import type { State } from "./state.ts";

export function scratchOf(start: State): Scratch {
  const state = start.clone();
  return Object.assign(state, { changes: () => state.changesSince(start) });
}
