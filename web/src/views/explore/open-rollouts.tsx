/** The open rollouts beside the table: what the agent did in each turn, and which checks failed. */
import type { RolloutView } from "../../../../src/spec/studio/index.ts";
import { type RolloutPlace, rolloutAddress } from "../../lib/rollout-place.ts";
import { useApi } from "../../lib/use-api.ts";
import { CheckList } from "../../parts/check-list.tsx";
import { LoadedContent } from "../../parts/loaded-content.tsx";
import { OutcomeBadge } from "../../parts/outcome.tsx";
import { RecordedText } from "../../parts/recorded-text.tsx";
import { TurnBody, TurnMark } from "../../parts/turn.tsx";
import { parsePlace } from "./rollout-address.ts";

export function OpenRollouts({
  places,
  showsChecks,
}: {
  readonly places: readonly string[];
  readonly showsChecks: boolean;
}) {
  return (
    <div class="open-rollouts">
      {places.flatMap((text) => {
        const place = parsePlace(text);
        return place ? [<OpenRollout key={text} place={place} showsChecks={showsChecks} />] : [];
      })}
    </div>
  );
}

function OpenRollout({
  place,
  showsChecks,
}: {
  readonly place: RolloutPlace;
  readonly showsChecks: boolean;
}) {
  const { run, file, rollout } = place;
  const asked = showsChecks ? { checks: "1" } : {};
  const view = useApi<RolloutView>(["runs", run, "files", file, "rollouts", rollout], asked);
  return (
    <section class="card open-rollout" aria-label={`Rollout ${rollout} of ${run}`}>
      <h2>
        <a href={rolloutAddress(place, asked)}>
          <RecordedText text={rollout} />
        </a>{" "}
        <span class="soft">
          <RecordedText text={run} />
        </span>
      </h2>
      <LoadedContent loaded={view}>{(view) => <RolloutSummary view={view} />}</LoadedContent>
    </section>
  );
}

function RolloutSummary({ view: { rollout, row } }: { readonly view: RolloutView }) {
  const checks = rollout.evaluation?.checks ?? [];
  const failed = checks.filter(({ passed }) => !passed);
  return (
    <>
      <p>
        <RecordedText text={rollout.task.instruction} />
      </p>
      <p>
        <OutcomeBadge row={row} />
      </p>
      {failed.length > 0 && <CheckList checks={failed} />}
      {rollout.turns.map((turn, i) => (
        <section key={i}>
          <h3>
            Turn {i + 1} <TurnMark turn={turn} />
          </h3>
          <TurnBody turn={turn} />
        </section>
      ))}
    </>
  );
}
