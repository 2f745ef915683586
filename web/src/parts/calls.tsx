/** The calls of a cell in order, each with its arguments, its answer and the rows that it changed. */
import type { CallView } from "../../../src/spec/studio/index.ts";
import { Changes } from "./changes.tsx";
import { LongText } from "./long-text.tsx";
import { RecordedValue } from "./recorded-value.tsx";
import "../style/changes.css";

export function Calls({ calls }: { readonly calls: readonly CallView[] }) {
  return (
    <ol class="calls">
      {calls.map((call, i) => (
        <li key={i}>
          <code>
            {call.app}.{call.api}
          </code>{" "}
          <code class="soft">
            <RecordedValue value={call.args} />
          </code>
          <span class={call.status < 400 ? "soft" : "down"}> {call.status}</span>
          <div class="answer">
            <LongText text={formatAnswer(call.answer)} shown={1500} />
          </div>
          {call.changes.length > 0 && <Changes changes={call.changes} />}
        </li>
      ))}
    </ol>
  );
}

function formatAnswer(answer: unknown): string {
  return typeof answer === "string" && answer !== "" ? answer : JSON.stringify(answer ?? null);
}

/** Describes calls in words, such as "3 calls, 2 rows changed". */
export function describeCalls(calls: readonly CallView[]): string {
  const rows = calls.reduce((sum, call) => sum + call.changes.length, 0);
  const made = calls.length === 1 ? "1 call" : `${calls.length} calls`;
  return rows === 0 ? made : `${made}, ${rows === 1 ? "1 row" : `${rows} rows`} changed`;
}
