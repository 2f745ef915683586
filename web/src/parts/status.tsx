/** What state a run is in, as a mark and a word. */
import type { RunRow } from "../../../src/spec/studio/index.ts";
import "../style/status.css";

const MARKS: { readonly [S in RunRow["status"]]: string } = {
  running: "●",
  finished: "✓",
  stopped: "■",
  broken: "!",
};

export function Status({ of }: { readonly of: RunRow["status"] }) {
  return (
    <span class={`status ${of}`}>
      <span class="status-mark" aria-hidden="true">
        {MARKS[of]}
      </span>
      {of}
    </span>
  );
}
