/**
 * One turn: the agent's message, its code and the output. At first the calls come from the record, which has only their
 * arguments and status. A replay adds their answers and changes.
 */
import type { Turn } from "../../../src/spec/rollout.ts";
import type { CallView } from "../../../src/spec/studio/index.ts";
import { pluralize } from "../lib/format.ts";
import { Calls, describeCalls } from "./calls.tsx";
import { Code } from "./code.tsx";
import { LongText } from "./long-text.tsx";
import { RecordedText } from "./recorded-text.tsx";
import { RecordedValue } from "./recorded-value.tsx";
import "../style/turn.css";

interface TurnProps {
  readonly turn: Turn;
  /** The calls of the replay; absent before the replay is loaded. */
  readonly calls?: readonly CallView[] | undefined;
}

export function TurnBody({ turn, calls }: TurnProps) {
  return (
    <div class="turn-body">
      <TurnMessage turn={turn} />
      {turn.part === undefined && <TurnObservation turn={turn} />}
      {turn.heard?.map(({ from, text }, i) => (
        <figure key={i} class="heard">
          <figcaption>
            <RecordedText text={from} /> says
          </figcaption>
          <LongText text={text} />
        </figure>
      ))}
      {turn.calls.length > 0 && <TurnCalls turn={turn} calls={calls} />}
      {turn.grades && (
        <p class="soft">
          {Object.entries(turn.grades).map(([name, mark]) => `${name} ${mark?.toFixed(2)} `)}
        </p>
      )}
    </div>
  );
}

/** A badge with the status of a turn, for its heading. */
export function TurnMark({ turn: { status, limit, part, code } }: { readonly turn: Turn }) {
  if (part !== undefined) return <span class="badge">{part}</span>;
  if (status === "error") return <span class="badge bad">error</span>;
  if (status === "limit")
    return (
      <span class="badge bad">{limit === undefined ? "limit reached" : `limit: ${limit}`}</span>
    );
  return code.trim() === "" ? <span class="badge">no code</span> : null;
}

function TurnMessage({ turn: { message, code, part } }: { readonly turn: Turn }) {
  if (part !== undefined || code.trim() === "") {
    return (
      <figure class="written">
        <figcaption>{part === undefined ? "message without code" : describePart(part)}</figcaption>
        <LongText text={message} />
      </figure>
    );
  }
  return (
    <>
      {message.trim() !== code.trim() && (
        <details>
          <summary>The whole message</summary>
          <LongText text={message} />
        </details>
      )}
      <Code code={code} />
    </>
  );
}

/** Describes what the policy wrote in a part other than code, such as a plan or a speech. */
function describePart(part: NonNullable<Turn["part"]>): string {
  return part === "speech" ? "said" : `wrote its ${part}`;
}

function TurnObservation({ turn: { observation, status } }: { readonly turn: Turn }) {
  return (
    <figure class={`seen ${status}`}>
      <figcaption>
        {status === "ok"
          ? "output"
          : `output, ended by ${status === "error" ? "an error" : "a limit"}`}
      </figcaption>
      <LongText text={observation} />
    </figure>
  );
}

function TurnCalls({ turn, calls }: TurnProps) {
  if (calls) {
    return (
      <details class="turn-calls" open={calls.length <= 3}>
        <summary>{describeCalls(calls)}</summary>
        <Calls calls={calls} />
      </details>
    );
  }
  return (
    <details class="turn-calls">
      <summary>{pluralize(turn.calls.length, "call")}</summary>
      <ol class="calls">
        {turn.calls.map((call, i) => (
          <li key={i}>
            <code>
              <RecordedText text={`${call.app}.${call.api}`} />
            </code>{" "}
            <code class="soft">
              <RecordedValue value={call.args} />
            </code>
            <span class={call.status < 400 ? "soft" : "down"}> {call.status}</span>
            {call.wrote && <span class="badge">wrote</span>}
            {call.fault && (
              <p class="problem">
                Bug in the world: <RecordedText text={call.fault.message} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}
