/** Adds a tag to the chosen runs. */
import { useState } from "preact/hooks";
import type { ApiError } from "../lib/api.ts";
import { parseTags, saveNotes } from "../lib/notes.ts";
import type { RunExtras } from "../lib/run-extras.ts";
import { ErrorMessage } from "./loaded-content.tsx";

export function TagForm({
  chosen,
  extras,
  onDone,
}: {
  readonly chosen: readonly string[];
  readonly extras: RunExtras;
  onDone(): void;
}) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const addTags = async () => {
    setProblem(undefined);
    try {
      for (const run of chosen) {
        const { tags = [], note = "" } = extras.notes(run) ?? {};
        await saveNotes(run, { tags: [...new Set([...tags, ...parseTags(text)])], note });
      }
      setText("");
    } catch (error) {
      setProblem((error as ApiError).message);
    }
    onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (parseTags(text).length > 0) void addTags();
      }}
    >
      <label>
        Add a tag{" "}
        <input size={12} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>{" "}
      <button type="submit">Tag</button>
      {problem !== undefined && <ErrorMessage text={problem} />}
    </form>
  );
}
