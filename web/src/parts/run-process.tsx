/** Stops a run that this studio started, resumes a stopped run, and shows the output of its process. */
import { useState } from "preact/hooks";
import type { RunDetail, StudioInfo, Trainer } from "../../../src/spec/studio/index.ts";
import { requestJson } from "../lib/api.ts";
import { useApi } from "../lib/use-api.ts";
import { useReloadOnChange } from "../lib/use-visible.ts";
import { ErrorMessage } from "./loaded-content.tsx";
import { RecordedText } from "./recorded-text.tsx";

interface ProcessProps {
  readonly detail: Pick<RunDetail, "id" | "status">;
  /** A number that changes when the run's status changes. */
  readonly version: number;
  /** Called after the run was stopped or resumed here. */
  onChanged(): void;
}

/** The exit codes of a finished command and of one that was stopped by Ctrl-C. */
const NORMAL_EXIT_CODES = [0, 130];

export function RunProcess({ detail, version, onChanged }: ProcessProps) {
  const { id } = detail;
  const trainer = useApi<Trainer>(["runs", id, "trainer"]);
  useReloadOnChange(trainer, version);
  const { said, isAsking, ask } = useProcessCommand(id, () => {
    trainer.reload();
    onChanged();
  });
  if (trainer.value === undefined) return null;
  const { state, code, output } = trainer.value;
  const failed = state === "ended" && (code === null || !NORMAL_EXIT_CODES.includes(code ?? 0));
  return (
    <section class="run-process" aria-label="Process">
      <ProcessButtons {...{ detail, state, isAsking, ask }} />
      {said !== undefined && <ErrorMessage text={said} />}
      {failed && (
        <p class="problem" role="alert">
          The training process ended with {code === null ? "a signal" : `code ${code}`}:{" "}
          <RecordedText text={output.at(-1) ?? "it printed nothing"} />
        </p>
      )}
      {output.length > 0 && (
        <details onToggle={(event) => event.currentTarget.open && trainer.reload()}>
          <summary>Output of the training process</summary>
          <ProcessOutput lines={output} />
        </details>
      )}
    </section>
  );
}

/** Shows the output, scrolled to its end. */
function ProcessOutput({ lines }: { readonly lines: readonly string[] }) {
  const scrollToEnd = (element: HTMLElement | null) => element?.scrollTo(0, element.scrollHeight);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <pre tabIndex={0} ref={scrollToEnd}>
      <RecordedText text={lines.join("\n")} />
    </pre>
  );
}

interface ButtonProps {
  readonly detail: ProcessProps["detail"];
  readonly state: Trainer["state"];
  readonly isAsking: boolean;
  ask(what: "stop" | "resume"): Promise<void>;
}

/** The buttons depend on the run's status first, because the lock is released before the process ends. */
function ProcessButtons({ detail: { status }, state, isAsking, ask }: ButtonProps) {
  const studio = useApi<StudioInfo>(status === "stopped" ? ["studio"] : null);
  if (status === "stopped" && studio.value && studio.value.cannotStart === undefined) {
    return (
      <p>
        <button type="button" disabled={isAsking} onClick={() => void ask("resume")}>
          {isAsking ? "Resuming …" : "Resume"}
        </button>{" "}
        <span class="soft">The run continues from its newest checkpoint.</span>
      </p>
    );
  }
  if (status !== "running" || !["running", "stopping"].includes(state)) return null;
  const isStopping = state === "stopping";
  return (
    <p>
      <button type="button" disabled={isAsking} onClick={() => void ask("stop")}>
        {isStopping ? "Stop at once" : "Stop"}
      </button>{" "}
      <span class="soft" role="status">
        {isStopping
          ? "Stopping at the next step …"
          : "A stopped run can be resumed without losing anything."}
      </span>
    </p>
  );
}

function useProcessCommand(run: string, onDone: () => void) {
  const [said, say] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const sendCommand = async (what: "stop" | "resume") => {
    setAsking(true);
    say(undefined);
    try {
      await requestJson(["runs", run, what], { method: "POST", body: {} });
    } catch (error) {
      say((error as Error).message);
    } finally {
      setAsking(false);
      onDone();
    }
  };
  return { said, isAsking, ask: sendCommand };
}
