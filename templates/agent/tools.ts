/** How the agent reaches its tools: as functions in this process. */
import { createDeskTools, type Desk, type DeskTool } from "./desk.ts";

export type Tools = readonly DeskTool[];

/** Connects an agent to the tools of a desk. `close` ends the connection. */
export async function connectTools(
  desk: Desk,
): Promise<{ readonly tools: Tools; readonly close: () => Promise<void> }> {
  return { tools: createDeskTools(desk), close: async () => {} };
}
