/** The status of a run, as a mark and a word. */
import type { RunRow } from "../../../src/spec/studio/index.ts";
import "../style/status.css";

const MARKS: { readonly [S in RunRow["status"]]: string } = {
  running: "●",
  finished: "✓",
  stopped: "■",
  broken: "!",
};

export function Status({ status }: { readonly status: RunRow["status"] }) {
  return (
    <span class={`status ${status}`}>
      <span class="status-mark" aria-hidden="true">
        {MARKS[status]}
      </span>
      {status}
    </span>
  );
}
