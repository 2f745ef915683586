/** Compares the results of all continuations with the result of the record, which continued from the same state. */
import type { RolloutRow } from "../../../src/spec/studio/index.ts";
import { type Continuations, summarizeContinuations } from "../lib/continuations.ts";
import { formatDecimals } from "../lib/format.ts";

const PHASE_WORDS = {
  running: "running",
  done: "all finished",
  stopped: "stopped",
  failed: "failed",
} as const;

export function ContinueSummary({
  state,
  record,
}: {
  readonly state: Continuations;
  readonly record: RolloutRow | undefined;
}) {
  const { asked, ended, solved, meanReward, gain } = summarizeContinuations(state, record);
  return (
    <div class="card summary" role="status">
      <dl class="facts">
        <Fact name="finished" value={`${ended} of ${asked}, ${PHASE_WORDS[state.phase]}`} />
        <Fact name="solved" value={ended === 0 ? "–" : `${solved} of ${ended}`} />
        <Fact
          name="mean reward"
          value={meanReward === undefined ? "–" : formatDecimals(meanReward, 2)}
        />
        {record && (
          <Fact
            name="reward of the record"
            value={record.reward === undefined ? "none" : formatDecimals(record.reward, 2)}
          />
        )}
        {gain !== undefined && <Fact name="difference to the record" {...formatGain(gain)} />}
      </dl>
    </div>
  );
}

/** Formats a difference of rewards. A difference that rounds to zero has no sign. */
function formatGain(gain: number): { readonly value: string; readonly look?: string } {
  const size = Math.abs(gain).toFixed(2);
  if (size === "0.00") return { value: "±0.00" };
  return gain < 0 ? { value: `−${size}`, look: "down" } : { value: `+${size}`, look: "up" };
}

function Fact(props: { readonly name: string; readonly value: string; readonly look?: string }) {
  const { name, value, look } = props;
  return (
    <div>
      <dt>{name}</dt>
      <dd class={look}>{value}</dd>
    </div>
  );
}
