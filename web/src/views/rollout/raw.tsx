/** The record as JSON. Long lists of numbers are shortened for the eye; the copy has all of them. */
import { useState } from "preact/hooks";
import type { Rollout } from "../../../../src/spec/rollout.ts";
import type { TokenColumns } from "../../../../src/spec/studio/index.ts";
import { formatRecord } from "../../lib/format-record.ts";
import { HiddenChecks } from "../../parts/hidden-checks.tsx";
import { LoadedContent } from "../../parts/loaded-content.tsx";
import { LongText } from "../../parts/long-text.tsx";
import type { RolloutTabProps } from "./tab-props.ts";

export function RolloutRaw({ view: { rollout, hidden }, tokens }: RolloutTabProps) {
  return (
    <>
      {hidden && <HiddenChecks />}
      <LoadedContent loaded={tokens}>
        {({ rows }) => <RawRecord record={rebuildRecord(rollout, rows)} />}
      </LoadedContent>
    </>
  );
}

function RawRecord({ record }: { readonly record: object }) {
  const [message, setWord] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(JSON.stringify(record)).then(
      () => setWord("Copied."),
      () => setWord("The browser did not allow it."),
    );
  return (
    <>
      <p class="actions">
        <button type="button" onClick={copy}>
          Copy the record
        </button>{" "}
        <span class="soft" role="status">
          {message}
        </span>
      </p>
      <div class="card">
        <LongText text={formatRecord(record)} shown={12_000} />
      </div>
    </>
  );
}

/** As it stands in its file. */
function rebuildRecord(rollout: Rollout, rows: readonly TokenColumns[]): object {
  // Rows of the cast are in the record.
  const own = rows.filter(({ role }) => role === undefined);
  const [tokens, ...segments] = own.map(({ ids, mask, sampled }) => ({
    ids,
    mask,
    logprobs: sampled,
  }));
  return {
    ...rollout,
    ...(tokens && { tokens }),
    ...(segments.length > 0 && { segments }),
  };
}
