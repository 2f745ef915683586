/** The note and the tags of a run, with a form that changes them. */
import { useState } from "preact/hooks";
import type { RunNotes } from "../../../src/spec/studio/index.ts";
import type { ApiError } from "../lib/api.ts";
import { parseTags, saveNotes } from "../lib/notes.ts";
import { useApi } from "../lib/use-api.ts";
import { ErrorMessage } from "./loaded-content.tsx";
import { RecordedText } from "./recorded-text.tsx";
import { RunTags } from "./run-tags.tsx";
import "../style/run-notes.css";

export function RunNotesPanel({ run }: { readonly run: string }) {
  const loaded = useApi<RunNotes>(["runs", run, "notes"]);
  const [isEdited, setEdited] = useState(false);
  const notes = loaded.value;
  if (notes === undefined) return null;
  if (notes.problem !== undefined)
    return <ErrorMessage text={`The notes are not shown: ${notes.problem}`} />;
  const isEmpty = notes.tags.length === 0 && notes.note === "";
  return (
    <section class="run-notes" aria-label="Notes and tags">
      {isEdited ? (
        <NotesForm
          {...{ run, notes }}
          onDone={() => {
            setEdited(false);
            loaded.reload();
          }}
        />
      ) : (
        <>
          <RunTags tags={notes.tags} />
          {notes.note !== "" && (
            <p class="run-notes-text">
              <RecordedText text={notes.note} />
            </p>
          )}
          <button type="button" onClick={() => setEdited(true)}>
            {isEmpty ? "Add a note or tags" : "Edit note and tags"}
          </button>
        </>
      )}
    </section>
  );
}

function NotesForm({
  run,
  notes,
  onDone,
}: {
  readonly run: string;
  readonly notes: RunNotes;
  onDone(): void;
}) {
  const [tags, setTags] = useState(notes.tags.join(" "));
  const [note, setNote] = useState(notes.note);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    try {
      await saveNotes(run, { tags: parseTags(tags), note });
      onDone();
    } catch (error) {
      setProblem((error as ApiError).message);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        Tags, separated by spaces
        <input value={tags} onInput={(event) => setTags(event.currentTarget.value)} />
      </label>
      <label>
        Note
        <textarea rows={4} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </label>
      <span>
        <button type="submit" class="main">
          Save
        </button>{" "}
        <button type="button" onClick={onDone}>
          Cancel
        </button>
      </span>
      {problem !== undefined && <ErrorMessage text={problem} />}
    </form>
  );
}
