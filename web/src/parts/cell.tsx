/** A cell that was run: its code, its output as a model would see it, and its calls in a foldable section. */
import type { CellView } from "../../../src/spec/studio/index.ts";
import { Calls, describeCalls } from "./calls.tsx";
import { Code } from "./code.tsx";
import { LongText } from "./long-text.tsx";

const ORIGINS = { record: "from the record", hand: "by hand" } as const;

export function Cell({ cell, number }: { readonly cell: CellView; readonly number: number }) {
  const { by, code, status, text, calls } = cell;
  return (
    <li class={`card run-cell ${by}`} aria-label={`Cell ${number}, ${ORIGINS[by]}`}>
      <p class="head">
        <b>{number}</b> <span class="soft">{ORIGINS[by]}</span>
        {status !== "ok" && (
          <span class="down"> {status === "limit" ? "stopped by a limit" : "failed"}</span>
        )}
      </p>
      <Code code={code} />
      <div class={status === "ok" ? "output" : "output down"}>
        <LongText text={text} />
      </div>
      {calls.length > 0 && (
        <details>
          <summary>{describeCalls(calls)}</summary>
          <Calls calls={calls} />
        </details>
      )}
    </li>
  );
}
