/** The editor of the next cell, with a form that ends the task. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { EpisodeView } from "../../../src/spec/studio/index.ts";
import { type ApiError, requestJson } from "../lib/api.ts";
import { createWorldDocs } from "../lib/world-docs.ts";
import { type CellEditor, CodeEditor } from "./editor.tsx";
import { FinishForm } from "./finish-form.tsx";
import { ErrorMessage } from "./loaded-content.tsx";

export function NextCell({
  episode,
  onStep,
}: {
  readonly episode: EpisodeView;
  readonly onStep: (episode: EpisodeView) => void;
}) {
  const { id, world, cells, next } = episode;
  const docs = useMemo(
    () => createWorldDocs({ world: world.name, seed: world.seed, run: world.run }),
    [world.name, world.seed, world.run],
  );
  const editor = useRef<CellEditor>();
  const form = useRef<HTMLDivElement>(null);
  const [code, setCode] = useState(next ?? "");
  const { run, busy, problem } = useCellRunner(id, (next) => {
    editor.current?.clear();
    onStep(next);
  });
  useEffect(() => {
    if (cells.at(-1)?.by === "hand") form.current?.scrollIntoView({ block: "nearest" });
  }, [cells.length]);
  const runTypedCell = () => {
    if (code.trim() !== "" && !busy) run(code);
  };
  return (
    <div class="next" ref={form}>
      <h3>Next cell</h3>
      {next !== undefined && (
        <p class="soft">
          The editor holds the cell that the record ran here. Change it, or run it.
        </p>
      )}
      <CodeEditor
        start={next ?? ""}
        label="JavaScript of the next cell. Press Control and Enter to run it, Tab to leave the editor."
        docs={docs}
        onText={setCode}
        onRun={runTypedCell}
        onReady={(made) => {
          editor.current = made;
        }}
      />
      <p class="row">
        <button
          type="button"
          class="main"
          disabled={busy || code.trim() === ""}
          onClick={runTypedCell}
        >
          {busy ? "Running …" : "Run the cell"}
        </button>
        <span class="soft">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
      </p>
      {problem !== undefined && <ErrorMessage text={problem} />}
      <p class="hidden" role="status">
        {describeLastCell(episode)}
      </p>
      <FinishForm busy={busy} onFinish={run} />
    </div>
  );
}

function useCellRunner(id: string, onStep: (episode: EpisodeView) => void) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const runCell = async (code: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      onStep(
        await requestJson<EpisodeView>(["episodes", id, "step"], {
          method: "POST",
          body: { code },
        }),
      );
    } catch (error) {
      setProblem(describeProblem(error as ApiError));
    }
    setBusy(false);
  };
  return { run: runCell, busy, problem };
}

function describeProblem({ status, message }: ApiError): string {
  return status === 404 ? `${message}. Reload the page to open the episode again.` : message;
}

/** Describes the last cell that was run by hand, for screen readers. */
function describeLastCell({ cells }: EpisodeView): string {
  const last = cells.at(-1);
  if (last?.by !== "hand") return "";
  return `Cell ${cells.length} ${last.status === "ok" ? "ran" : "failed"}: ${last.text}`;
}
