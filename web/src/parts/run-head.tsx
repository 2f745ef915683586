/** The head of a run's page: status, setting, alarms, scores, progress and rates. */
import type { ComponentChildren } from "preact";
import type { RunDetail } from "../../../src/spec/studio/index.ts";
import { formatCount, formatDuration, formatMoney, pluralize } from "../lib/format.ts";
import { describeSteps, PHASE_NAMES } from "../lib/phases.ts";
import { collectScores } from "../lib/rollout-files.ts";
import { fractionDone } from "../lib/run-table.ts";
import type { Live } from "../lib/use-live.ts";
import { RecordedText } from "./recorded-text.tsx";
import { ScoreChange } from "./score-change.tsx";
import { Status } from "./status.tsx";

interface HeadProps {
  readonly detail: RunDetail;
  readonly live: Live["state"];
}

export function RunHead({ detail, live }: HeadProps) {
  const { id, status, problem } = detail;
  return (
    <header class="run-head">
      <div class="run-title">
        <h1>
          <RecordedText text={id} />
        </h1>
        <Status status={status} />
        <RunFacts detail={detail} />
        <LiveMark live={live} status={status} />
      </div>
      {problem && (
        <p class="problem" role="alert">
          <RecordedText text={problem} />
        </p>
      )}
      <RunAlarms detail={detail} />
      <div class="run-numbers">
        <RunScores detail={detail} />
        <RunProgress detail={detail} />
      </div>
    </header>
  );
}

const LIVE_WORDS: { readonly [S in Live["state"]]: string } = {
  live: "live: this page follows the run",
  connecting: "connecting …",
  paused: "paused",
  gone: "the studio's server does not answer; trying again …",
  refused: "",
};

/** Shows the state of the connection. A run that has ended shows it only if the server does not answer. */
function LiveMark({ live, status }: { readonly live: Live["state"]; readonly status: string }) {
  const words = status === "running" || live === "gone" ? LIVE_WORDS[live] : "";
  return (
    <span class={`live ${live}`} role="status">
      {words}
    </span>
  );
}

function RunFacts({ detail }: { readonly detail: RunDetail }) {
  const { setting, method, world, model, seed } = detail;
  const said = Object.entries({ setting, method, world, model, seed }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: String(value) }],
  );
  if (said.length === 0) return null;
  return (
    <dl class="run-what">
      {said.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <RecordedText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function RunAlarms({ detail: { alarms, stoppedEarly } }: { readonly detail: RunDetail }) {
  const all = [
    ...alarms,
    ...(stoppedEarly ? [{ what: `stopped early: ${stoppedEarly}`, step: undefined }] : []),
  ];
  if (all.length === 0) return null;
  return (
    <section class="alarms" aria-label="Alarms">
      <h2>
        <span aria-hidden="true">⚠ </span>
        {pluralize(all.length, "alarm")}
      </h2>
      <ul>
        {all.map(({ what, step }) => (
          <li key={`${step} ${what}`}>
            <RecordedText text={what} />
            {step !== undefined && <span class="soft"> (step {step})</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function RunScores({ detail }: { readonly detail: RunDetail }) {
  const scores = collectScores(detail);
  if (scores.length === 0) return null;
  return (
    <section class="run-scores" aria-label="Tasks solved before and after training">
      {scores.map(({ split, before, after, tasks }) => (
        <div key={split}>
          <h2>
            TGC {split.replace("@T1", ", T = 1")}, {pluralize(tasks, "task")}
          </h2>
          <ScoreChange before={before} after={after} />
        </div>
      ))}
    </section>
  );
}

const ENDS: { readonly [S in RunDetail["status"]]: string } = {
  running: "Training",
  finished: "Finished",
  stopped: "Stopped",
  broken: "Broken",
};

/** Shows the phase and the step of a run in training, or the iterations of a run that has ended. */
function RunProgress({ detail }: { readonly detail: RunDetail }) {
  const { phase, step, steps, now, iteration, iterations } = detail;
  const current = phase ? { step, steps } : { step: iteration, steps: iterations };
  const share = fractionDone({ iteration: current.step, iterations: current.steps });
  const title = phase ? PHASE_NAMES[phase] : ENDS[detail.status];
  return (
    <section class="run-progress" aria-label="Progress">
      <p>
        <b>{title}</b>{" "}
        {phase === "eval" && now?.phase === "eval" && (
          <RecordedText text={`${now.detail} training `} />
        )}
        {current.step !== undefined &&
          describeSteps({ ...current, phase, isReported: now?.phase === phase })}
      </p>
      {share !== undefined && (
        <span class="progress" aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
      <RunRates detail={detail} />
    </section>
  );
}

function RunRates({ detail }: { readonly detail: RunDetail }) {
  const { rollouts, seconds, secondsLeft, rolloutsPerSecond, tokensPerSecond, cost, budget } =
    detail;
  const facts: [string, ComponentChildren][] = [];
  const addFact = <T,>(name: string, value: T | undefined, format: (value: T) => string) => {
    if (value !== undefined) facts.push([name, format(value)]);
  };
  addFact("rollouts", rollouts, formatCount);
  addFact("time", seconds, formatDuration);
  addFact("time left", secondsLeft, (left) => `about ${formatDuration(left)}`);
  addFact("rollouts per second", rolloutsPerSecond, (rate) => rate.toFixed(1));
  addFact("tokens per second", tokensPerSecond, formatCount);
  addFact("cost", cost, formatMoney);
  addFact("budget", budget, ({ spent, ceiling }) =>
    ceiling === null
      ? `${formatMoney(spent)} spent, no limit`
      : `${formatMoney(spent)} of ${formatMoney(ceiling)} spent`,
  );
  return (
    <dl class="run-what">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
