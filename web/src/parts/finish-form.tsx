/** A form that ends the task as an agent does, by a cell that calls `finishTask`. */
import { useState } from "preact/hooks";
import { buildFinishCode, FINISH_STATUSES, type FinishStatus } from "../lib/finish-code.ts";

const STATUS_WORDS: Readonly<Record<FinishStatus, string>> = {
  done: "the task is done",
  impossible: "the task cannot be done",
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
          Reason{" "}
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
          Answer, if the task asks for one{" "}
          <input value={answer} onInput={(event) => setAnswer(event.currentTarget.value)} />
        </label>
        <button type="submit" disabled={busy}>
          Run <code>{code}</code>
        </button>
      </form>
    </details>
  );
}
