/** Sends notes and tags, and reads tags that a person types. */
import type { EditNotesRequest, RunNotes } from "../../../src/spec/studio/index.ts";
import { requestJson } from "./api.ts";

/** Returns the tags of a text in which they are separated by spaces or commas. */
export function parseTags(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}

export function saveNotes(run: string, body: EditNotesRequest): Promise<RunNotes> {
  return requestJson<RunNotes>(["runs", run, "notes"], { method: "POST", body });
}
