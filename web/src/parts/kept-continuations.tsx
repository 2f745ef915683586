/** The continuations of a fork that are kept, the last first. Each set is folded, except the last after a restart. */
import type { EpisodeView, Fork, ForkSet } from "../../../src/spec/studio/index.ts";
import { continuationsOfSet } from "../lib/continuations.ts";
import { formatAge, pluralize } from "../lib/format.ts";
import { useApi } from "../lib/use-api.ts";
import { ContinuationCards, type RecordedContinuation } from "./continuation-cards.tsx";
import { ContinueSummary } from "./continue-summary.tsx";
import { ErrorMessage } from "./loaded-content.tsx";
import { RecordedText } from "./recorded-text.tsx";

interface KeptProps {
  readonly recorded: RecordedContinuation | undefined;
  readonly hidesChecks: boolean;
}

export function KeptContinuations({
  episode: { fork },
  isShown,
  hasShown,
  ...props
}: KeptProps & {
  readonly episode: EpisodeView;
  /** False while continuations run, which are not kept yet. */
  readonly isShown: boolean;
  /** True if the last set is shown above. */
  readonly hasShown: boolean;
}) {
  const kept = fork && "id" in fork ? fork : undefined;
  const path = kept && isShown ? ["runs", kept.run, "forks", kept.id] : null;
  const loaded = useApi<Fork>(path, props.hidesChecks ? {} : { checks: "1" });
  if (fork && "why" in fork) return <ErrorMessage text={`This fork is not kept: ${fork.why}`} />;
  const sets = [...(loaded.value?.sets ?? [])].reverse();
  const earlier = hasShown ? sets.slice(1) : sets;
  if (!isShown || earlier.length === 0) return null;
  return (
    <section aria-label="Earlier continuations">
      <h3>Earlier continuations, which are kept</h3>
      {earlier.map((set, i) => (
        <KeptSet key={set.startedMs} set={set} isOpen={!hasShown && i === 0} {...props} />
      ))}
    </section>
  );
}

function KeptSet({
  set,
  isOpen,
  recorded,
  hidesChecks,
}: KeptProps & { readonly set: ForkSet; readonly isOpen: boolean }) {
  const { policy, request, cells, startedMs } = set;
  const state = continuationsOfSet(set);
  return (
    <details class="kept-set" open={isOpen}>
      <summary>
        {pluralize(set.results.length, "continuation")} by <RecordedText text={policy.name} />,
        temperature {request.temperature}, seed {request.seed}, after {pluralize(cells, "cell")} by
        hand, {formatAge(startedMs, Date.now())}
      </summary>
      <ContinueSummary state={state} record={recorded?.row} />
      <ContinuationCards state={state} record={recorded} hidesChecks={hidesChecks} />
    </details>
  );
}
