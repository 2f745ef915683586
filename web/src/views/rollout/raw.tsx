/** The record as JSON. Long lists of numbers are shortened on the page, but copied as a whole. */
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
      () => setWord("The browser did not allow copying."),
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

/** Rebuilds the record as it is in its file. */
function rebuildRecord(rollout: Rollout, rows: readonly TokenColumns[]): object {
  // The rows of other roles are in the record already.
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
