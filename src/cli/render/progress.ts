/**
 * The progress of a run, on a terminal and in a pipe. Both show the same facts. On a terminal, two lines for the
 * running phase are redrawn, and one line remains for each finished phase. A pipe gets one line every few seconds.
 */
import { createLogUpdate } from "log-update";
import { toVisibleText } from "../../core/index.ts";
import { formatCompact, formatCount, formatDuration, formatPercent } from "../../report/index.ts";
import type { Score } from "../../spec/index.ts";
import type { RunPhase, TrainEvent } from "../../train/index.ts";
import type { Channel, Paint } from "../terminal.ts";
import { renderFirstAttempt } from "./example-rollouts.ts";
import { fitText } from "./fit-text.ts";
import { renderFitting } from "./fitting-table.ts";

export interface ProgressView {
  show(event: TrainEvent): void;
  /** Erases the lines that are redrawn and stops. Nothing is written after this. */
  close(): void;
}

export const PHASE_NAMES: { readonly [P in RunPhase]: string } = {
  world: "world",
  tokenizer: "tokenizer",
  warm: "warm start",
  eval: "evaluation",
  loop: "LOOP",
  done: "done",
};

/** The metrics that progress shows, with their labels and formats. The report shows all other metrics. */
const SHOWN_METRICS: readonly (readonly [
  path: string,
  label: string,
  format: (value: number) => string,
])[] = [
  ["warm/loss", "loss", formatCompact],
  ["reward/mean", "reward", (value) => value.toFixed(2)],
  ["rollout/kept", "learned from", (value) => `${Math.round(value)} rollouts`],
  ["reward/pass_rate", "solved", (value) => `${formatPercent(value)}%`],
  ["tgc/dev", "TGC dev", (value) => `${formatPercent(value)}%`],
];

/** Formats the metrics worth showing, such as "reward 0.71 · solved 43.3%". */
export function formatShownMetrics(metrics: Readonly<Record<string, number>>): string {
  return SHOWN_METRICS.flatMap(([path, label, format]) => {
    const value = metrics[path];
    return value === undefined ? [] : [`${label} ${format(value)}`];
  }).join(" · ");
}

/** What has happened in a run so far: the running phase, its last progress and the latest score on dev. */
export class ProgressState {
  phase: RunPhase | undefined;
  detail = "";
  last: Extract<TrainEvent, { type: "progress" }> | undefined;
  devScore: { when: string; score: Score } | undefined;
  readonly #now: () => number;
  #phaseStart = 0;

  /** `now` returns the time in seconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** How long the current phase has been running, in seconds. */
  get phaseSeconds(): number {
    return this.#now() - this.#phaseStart;
  }

  update(event: TrainEvent): void {
    if (event.type === "phase-start") {
      this.phase = event.phase;
      this.detail = event.detail;
      this.last = undefined;
      this.#phaseStart = this.#now();
    } else if (event.type === "progress") {
      this.last = event;
    } else if (event.type === "score" && event.split === "dev" && event.mode === "greedy") {
      this.devScore = { when: event.when, score: event.score };
    }
  }

  /** Formats the speed and the remaining time: "12.3 rollouts/s · 5.1k tokens/s · 2 min 3 s left". */
  formatRates(): string {
    const { rolloutsPerSecond, tokensPerSecond, secondsLeft } = this.last ?? {};
    return [
      rolloutsPerSecond === undefined ? "" : `${formatCompact(rolloutsPerSecond)} rollouts/s`,
      tokensPerSecond === undefined ? "" : `${formatCount(tokensPerSecond)} tokens/s`,
      secondsLeft === undefined ? "" : `${formatDuration(secondsLeft)} left`,
    ]
      .filter(Boolean)
      .join(" · ");
  }

  /** Formats the latest score on dev: "TGC dev 43.3% (before)". */
  formatDevTgc(): string {
    return this.devScore
      ? `TGC dev ${formatPercent(this.devScore.score.tgc)}% (${this.devScore.when})`
      : "";
  }
}

/** Formats a score: "before: dev (greedy) TGC 43.3%  SGC 20.0%  180 tasks". */
export function formatScoreEvent(
  event: Extract<TrainEvent, { type: "score" }>,
  paint: Paint,
): string {
  const mode = event.mode === "greedy" ? "greedy" : "T = 1";
  const tgc = paint("bold", `TGC ${formatPercent(event.score.tgc)}%`);
  return `${event.when}: ${event.split} (${mode}) ${tgc}  SGC ${formatPercent(event.score.sgc)}%  ${paint("dim", `${event.score.tasks} tasks`)}`;
}

/**
 * Creates the progress view for pipes: lines for starts, scores and examples, and for progress at most every
 * `everySeconds` seconds.
 */
export function createPlainProgress(
  channel: Channel,
  now: () => number,
  everySeconds = 10,
): ProgressView {
  const state = new ProgressState(now);
  let shownAt = -Infinity;
  return {
    show(event) {
      state.update(event);
      if (event.type === "phase-start") {
        shownAt = now();
        if (event.phase !== "done")
          channel.writeLine(`[${PHASE_NAMES[event.phase]}] ${event.detail}`);
      } else if (event.type === "progress") {
        if (event.step < event.steps && now() - shownAt < everySeconds) return;
        shownAt = now();
        const parts = [
          formatShownMetrics(event.metrics),
          state.formatRates(),
          event.phase === "loop" ? state.formatDevTgc() : "",
        ];
        channel.writeLine(
          `[${PHASE_NAMES[event.phase]}] ${event.step}/${event.steps}  ${parts.filter(Boolean).join(" · ")}`.trimEnd(),
        );
      } else if (event.type === "score") {
        channel.writeLine(`[score] ${formatScoreEvent(event, channel.paint)}`);
      } else if (event.type === "fitting") {
        channel.writeLine(renderFitting(event.fitting, channel));
      } else if (event.type === "note") {
        channel.writeLine(`[note] ${event.text}`);
      } else if (event.type === "warning") {
        channel.writeLine(channel.paint("yellow", `[warning] ${event.text}`));
      } else if (event.when === "start") {
        channel.writeLine(renderFirstAttempt(event.rollout, channel));
      }
    },
    close: () => {},
  };
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/**
 * Creates the progress view for terminals: two redrawn lines for the running phase, and one line for each finished
 * phase.
 */
export function createLiveProgress(channel: Channel, now: () => number): ProgressView {
  const state = new ProgressState(now);
  const screen = createLogUpdate(channel.stream);
  let frame = 0;
  const draw = () => {
    const lines = formatRunningPhase(state, channel, SPINNER[frame % SPINNER.length]!);
    if (lines !== "") screen(fitText(toVisibleText(lines, true), channel.columns));
  };
  const timer = setInterval(() => {
    frame++;
    draw();
  }, 120);
  timer.unref();
  const printAbove = (text: string) => {
    screen.clear();
    channel.writeLine(text);
    draw();
  };
  const printFinishedPhase = () => {
    if (state.phase !== undefined && state.phase !== "done")
      printAbove(formatFinishedPhase(state, channel.paint));
  };
  return {
    show(event) {
      if (event.type === "phase-start") printFinishedPhase();
      state.update(event);
      if (event.type === "score") printAbove(`    ${formatScoreEvent(event, channel.paint)}`);
      else if (event.type === "fitting") printAbove(renderFitting(event.fitting, channel));
      else if (event.type === "note") printAbove(channel.paint("dim", `    ${event.text}`));
      else if (event.type === "warning") printAbove(channel.paint("yellow", `    ${event.text}`));
      else if (event.type === "example" && event.when === "start")
        printAbove(renderFirstAttempt(event.rollout, channel));
      else draw();
    },
    close() {
      clearInterval(timer);
      screen.clear();
      screen.done();
    },
  };
}

function formatFinishedPhase(state: ProgressState, paint: Paint): string {
  const name = PHASE_NAMES[state.phase!].padEnd(10);
  const result = state.last ? formatShownMetrics(state.last.metrics) : "";
  const text = [state.detail, result].filter(Boolean).join(" · ");
  return `  ${paint("green", "✓")} ${paint("bold", name)}  ${text}  ${paint("dim", formatDuration(state.phaseSeconds))}`;
}

function formatRunningPhase(
  state: ProgressState,
  { paint }: Pick<Channel, "paint">,
  spinner: string,
): string {
  if (state.phase === undefined || state.phase === "done") return "";
  const { last } = state;
  const head = `  ${paint("cyan", spinner)} ${paint("bold", PHASE_NAMES[state.phase].padEnd(10))}`;
  if (last === undefined || last.steps === 0) return `${head}  ${paint("dim", state.detail)}`;
  const steps = `${last.step}/${last.steps}`;
  const first = `${head}  ${renderBar(last.step / last.steps, 24, paint)}  ${steps}  ${paint("dim", state.formatRates())}`;
  const second = [
    formatShownMetrics(last.metrics),
    state.phase === "loop" ? state.formatDevTgc() : "",
  ]
    .filter(Boolean)
    .join(" · ");
  return [first, second === "" ? "" : `${" ".repeat(16)}${second}`]
    .filter((line) => line !== "")
    .join("\n");
}

function renderBar(share: number, width: number, paint: Paint): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width);
  return paint("cyan", "━".repeat(full)) + paint("dim", "─".repeat(width - full));
}
