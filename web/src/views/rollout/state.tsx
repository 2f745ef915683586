/**
 * The final state compared with the intended one: the checks, then the changes that are missing, unintended or correct.
 */
import type { Rollout } from "../../../../src/spec/rollout.ts";
import { formatDecimals } from "../../lib/format.ts";
import { CheckTable } from "../../parts/check-table.tsx";
import { HiddenChecks } from "../../parts/hidden-checks.tsx";
import { RecordedText } from "../../parts/recorded-text.tsx";
import { StateTables } from "../../parts/state-tables.tsx";
import type { RolloutTabProps } from "./tab-props.ts";
import { ReplayNote } from "./turns.tsx";

export function RolloutState({ view: { rollout, hidden }, replay }: RolloutTabProps) {
  const replayed = replay.value?.kind === "replayed" ? replay.value : undefined;
  const results = replayed?.state.checks ?? rollout.evaluation?.checks ?? [];
  const paid = rollout.evaluation?.reward;
  return (
    <>
      <ReplayNote replay={replay} />
      {paid !== undefined && <OwnReward reward={paid} metrics={rollout.evaluation?.metrics} />}
      {hidden && <h2>Checks</h2>}
      {hidden && <HiddenChecks />}
      {!hidden && (paid === undefined || results.length > 0) && (
        <>
          <h2>Checks</h2>
          <CheckTable checks={results} />
        </>
      )}
      {replayed && <StateTables state={replayed.state} />}
    </>
  );
}

type Evaluation = NonNullable<Rollout["evaluation"]>;

/** Shows the reward of an evaluation that computes its own reward instead of using checks. */
function OwnReward({
  reward,
  metrics = {},
}: {
  readonly reward: number;
  readonly metrics: Evaluation["metrics"];
}) {
  return (
    <>
      <h2>Reward</h2>
      <p>The evaluation gave a reward of {formatDecimals(reward, 2)} of 1.</p>
      <dl class="facts">
        {Object.entries(metrics).map(([name, value]) => (
          <div key={name}>
            <dt>
              <RecordedText text={name} />
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
