/** Ends the task as an agent does: by a cell that calls `finishTask`. The helper writes that cell. */
import { useState } from "preact/hooks";
import { buildFinishCode, FINISH_STATUSES, type FinishStatus } from "../lib/finish-code.ts";

const STATUS_WORDS: Readonly<Record<FinishStatus, string>> = {
  done: "it is done",
  impossible: "it cannot be done",
};

export function FinishForm({
  busy,
  onFinish,
}: {
  readonly busy: boolean;
  readonly onFinish: (code: string) => void;
}) {
  const [status, setStatus] = useState<FinishStatus>("done");
  const [answer, setAnswer] = useState("");
  const code = buildFinishCode(status, answer);
  return (
    <details class="finish">
      <summary>Finish the task</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onFinish(code);
        }}
      >
        <label>
          Because{" "}
          <select
            value={status}
            onChange={(event) => setStatus(event.currentTarget.value as FinishStatus)}
          >
            {FINISH_STATUSES.map((one) => (
              <option key={one} value={one}>
                {STATUS_WORDS[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Answer, if it asks for one{" "}
          <input value={answer} onInput={(event) => setAnswer(event.currentTarget.value)} />
        </label>
        <button type="submit" disabled={busy}>
          Run <code>{code}</code>
        </button>
      </form>
    </details>
  );
}
