/** The record as JSON. Long lists of numbers are shortened for the eye; the copy has all of them. */
import { useState } from "preact/hooks";
import type { RolloutView } from "../../../../src/spec/studio/index.ts";
import { recordText } from "../../lib/record-text.ts";
import { hidesChecks, withoutChecks } from "../../lib/rollout-place.ts";
import { HiddenChecks } from "../../parts/hidden-checks.tsx";
import { LongText } from "../../parts/long-text.tsx";
import type { RolloutTabProps } from "./tab-props.ts";

export function RolloutRaw({ view, checks }: RolloutTabProps) {
  const hidden = hidesChecks(view.rollout.task.split, checks);
  const record = recordOf(hidden ? { ...view, rollout: withoutChecks(view.rollout) } : view);
  const [word, setWord] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(JSON.stringify(record)).then(
      () => setWord("Copied."),
      () => setWord("The browser did not allow it."),
    );
  return (
    <>
      {hidden && <HiddenChecks />}
      <p class="actions">
        <button type="button" onClick={copy}>
          Copy the record
        </button>{" "}
        <span class="soft" role="status">
          {word}
        </span>
      </p>
      <div class="card">
        <LongText text={recordText(record)} shown={12_000} />
      </div>
    </>
  );
}

/** As it stands in its file: the view keeps the token rows apart. */
function recordOf({ rollout, rows }: RolloutView): object {
  const [tokens, ...segments] = rows.map(({ ids, mask, sampled }) => ({
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
