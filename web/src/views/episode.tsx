/** A live episode: the cells so far, the next cell, the evaluation, and continuations by the policy. */
import { useEffect, useState } from "preact/hooks";
import type { EpisodeView } from "../../../src/spec/studio/index.ts";
import { buildAddress, replaceAddress, type ViewProps } from "../lib/address.ts";
import { requestJson } from "../lib/api.ts";
import { episodeAddress, keptForkAddress } from "../lib/episode-address.ts";
import { rememberEpisode } from "../lib/episode-memory.ts";
import { hidesChecks } from "../lib/rollout-place.ts";
import { useApi } from "../lib/use-api.ts";
import { type WorldPlace, worldAddress } from "../lib/world-address.ts";
import { Cell } from "../parts/cell.tsx";
import { ContinuePanel } from "../parts/continue-panel.tsx";
import { type Crumb, Crumbs } from "../parts/crumbs.tsx";
import { Difficulty } from "../parts/difficulty.tsx";
import { EpisodeGone } from "../parts/episode-gone.tsx";
import { EvaluationPanel, useEvaluation } from "../parts/evaluation-panel.tsx";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { NextCell } from "../parts/next-cell.tsx";
import { RecordedText } from "../parts/recorded-text.tsx";
import { StateTables } from "../parts/state-tables.tsx";
import "../style/episode.css";

export function EpisodePage({ address, names }: ViewProps) {
  const id = names["episode"]!;
  const opened = useApi<EpisodeView>(["episodes", id]);
  const [stepped, setStepped] = useState<EpisodeView>();
  const episode = stepped ?? opened.value;
  useEffect(() => {
    if (episode) rememberEpisode(episode);
    // From now on, the address names the fork that is kept.
    if (episode?.fork && "id" in episode.fork && address.query["fork"] === undefined)
      replaceAddress(episodeAddress(episode));
  }, [episode]);
  const isGone = opened.error?.status === 404;
  const again = isGone ? keptForkAddress(address) : undefined;
  useEffect(() => {
    if (again !== undefined) replaceAddress(again);
  }, [again]);
  if (isGone && again === undefined)
    return <EpisodeGone id={id} why={opened.error?.message ?? ""} />;
  return (
    <LoadedContent loaded={{ ...opened, value: episode }} heading="Episode">
      {(episode) => (
        <EpisodeContent
          episode={episode}
          onStep={setStepped}
          onContinued={() => {
            requestJson<EpisodeView>(["episodes", id]).then(setStepped, () => {});
          }}
        />
      )}
    </LoadedContent>
  );
}

function EpisodeContent({
  episode,
  onStep,
  onContinued,
}: {
  readonly episode: EpisodeView;
  readonly onStep: (episode: EpisodeView) => void;
  readonly onContinued: () => void;
}) {
  const { task, cells, finished } = episode;
  const evaluation = useEvaluation(episode);
  return (
    <>
      <Crumbs crumbs={episodeCrumbs(episode)} />
      <h1>Episode of {task.id}</h1>
      <ForkOrigin episode={episode} />
      <div class="card">
        <p class="asked">
          <RecordedText text={task.instruction} />
        </p>
        <p class="soft">
          <Difficulty level={task.difficulty} isLabelled /> ·{" "}
          <a href={worldAddress(worldPlaceOf(episode))}>the world and its documentation</a>
        </p>
      </div>
      <div class="episode">
        <section aria-labelledby="so-far">
          <h2 id="so-far">Cells so far</h2>
          {cells.length === 0 && <p class="note">No cell has been run yet.</p>}
          <ol class="cells plain">
            {cells.map((cell, i) => (
              <Cell key={i} cell={cell} number={i + 1} />
            ))}
          </ol>
          {finished ? (
            <p class="note" role="status">
              The task is finished, so no more cells can be run. Evaluate to see the result.
            </p>
          ) : (
            <NextCell episode={episode} onStep={onStep} />
          )}
        </section>
        <EvaluationPanel evaluation={evaluation} split={task.split} />
      </div>
      {evaluation.state && (
        <details class="state">
          <summary>Changed rows and intended changes</summary>
          <StateTables state={evaluation.state} />
        </details>
      )}
      <ContinuePanel
        episode={episode}
        onEnd={onContinued}
        hidesChecks={hidesChecks(task.split, evaluation.state?.checks !== undefined)}
      />
    </>
  );
}

function ForkOrigin({ episode: { record, fork } }: { readonly episode: EpisodeView }) {
  if (!record) return null;
  const { run, file, turn, row } = record;
  const href = buildAddress(["runs", run, "files", file, "rollouts", row.id], { turn });
  return (
    <p class="note">
      Forked from <a href={href}>rollout {row.id}</a> of {run} before its turn {turn + 1}. Every
      cell that was replayed printed and called what the record says.{" "}
      {fork && "id" in fork ? (
        <>
          This fork is kept: it is among the{" "}
          <a href={buildAddress(["runs", run], { view: "forks" })}>forks of {run}</a>.
        </>
      ) : (
        "The fork is kept once you run a cell or let a policy continue."
      )}
    </p>
  );
}

function worldPlaceOf({ world: { name, seed, run }, record }: EpisodeView): WorldPlace {
  return { world: name, seed, run: run ?? record?.run };
}

function episodeCrumbs(episode: EpisodeView): Crumb[] {
  const { record, world, task } = episode;
  if (record) {
    const { run, file, row } = record;
    const path = ["runs", run, "files", file];
    return [
      { name: "Runs", href: "#/" },
      { name: run, href: buildAddress(["runs", run]) },
      { name: file, href: buildAddress(path) },
      { name: `Rollout ${row.id}`, href: buildAddress([...path, "rollouts", row.id]) },
    ];
  }
  const place = worldPlaceOf(episode);
  return [
    { name: "Worlds", href: buildAddress(["worlds"]) },
    { name: world.name, href: worldAddress(place) },
    { name: `Task ${task.id}`, href: worldAddress(place, ["tasks", task.id]) },
  ];
}
