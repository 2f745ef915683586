/** The final state against the intended one: check by check, then the rows, sorted into wanted and done, missing, too much. */
import { Checks } from "../../parts/checks.tsx";
import { HiddenChecks } from "../../parts/hidden-checks.tsx";
import { StateTables } from "../../parts/state-tables.tsx";
import type { RolloutTabProps } from "./tab-props.ts";
import { ReplayWord } from "./turns.tsx";

export function RolloutState({ view: { rollout, hidden }, replay }: RolloutTabProps) {
  const replayed = replay.value?.kind === "replayed" ? replay.value : undefined;
  const results = replayed?.state.checks ?? rollout.evaluation?.checks ?? [];
  return (
    <>
      <ReplayWord replay={replay} />
      <h2>Checks</h2>
      {hidden ? <HiddenChecks /> : <Checks of={results} />}
      {replayed && <StateTables state={replayed.state} />}
    </>
  );
}
