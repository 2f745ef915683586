/**
 * A run that is being trained: its world, engine, state and directory, and the phases around the loop of `train.ts`.
 *
 * Each phase does nothing that is already in the state, so a continued run falls through to where it was.
 */
import { enginePolicy } from "../agent/index.ts";
import { anySignal, type Gate, gate } from "../core/index.ts";
import type { Engine, Rollout, Scores, Split, Summary, TaskInfo, World } from "../spec/index.ts";
import type { Agent } from "./agent.ts";
import {
  costOf,
  countPhase,
  countRollouts,
  countTraining,
  GO_ON,
  perTask,
  type Spending,
  spentText,
  type TokenUsage,
  usageSummary,
} from "./budget/index.ts";
import { saveCheckpoint } from "./checkpoint.ts";
import { type RolloutPlan, trainingPlan } from "./collect.ts";
import type { Config } from "./config.ts";
import type { imitationRows } from "./demonstrations.ts";
import type { OnEvent } from "./events.ts";
import { examplePair } from "./examples.ts";
import type { LearnResult } from "./learner.ts";
import { usesReference } from "./mechanism-rules.ts";
import { configAt, stageConfigs } from "./mechanisms/stages.ts";
import { lagMetric, rolloutMetrics, scoreKey, scoreMetrics } from "./metrics.ts";
import { rolloutNotes } from "./notes.ts";
import type { Progress } from "./progress.ts";
import { loadedReference, type Reference, snapshotReference } from "./reference.ts";
import type { RunStore } from "./run-store.ts";
import { scoreSplit } from "./score-split.ts";
import { type Company, shaperOf } from "./shapes/index.ts";
import type { Stopwatch } from "./stopwatch.ts";
import { saveState, type TrainerState } from "./trainer-state.ts";
import { type WarmStep, warmStart, warmSteps } from "./warm-start.ts";

export interface TrainOptions {
  /** The run directory: new, empty, or one of the same configuration. */
  readonly out: string;
  readonly onEvent?: OnEvent;
  /** A run whose warm start is taken over instead of made anew. It changes no number, so it is no part of the config. */
  readonly warmFrom?: string | undefined;
  /** Aborted: the run stops at the next step and can be continued. */
  readonly signal?: AbortSignal;
}

type Mode = "greedy" | "T1";
type When = "before" | "after" | `iteration ${number}`;
/** What can be scored and shown; `test-challenge` is left to `bowline eval`. */
const SCORED: readonly Split[] = ["dev", "test-normal"];

export interface Opened extends TrainOptions {
  readonly onEvent: OnEvent;
  readonly world: World;
  readonly store: RunStore;
}

export interface TrainingParts extends Opened {
  readonly config: Config;
  readonly state: TrainerState;
  readonly watch: Stopwatch;
  readonly tasks: readonly TaskInfo[];
  /** The text of `tokenizer.json`. */
  readonly tokenizer: string;
  /** Files of the model that training started from, kept in checkpoints; undefined: it started from scratch. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly agent: Agent;
  readonly rows: ReturnType<typeof imitationRows>;
  readonly engine: Engine;
  readonly progress: Progress;
  /** True when the state is that of a checkpoint. */
  readonly resumed: boolean;
  /** Who takes part in rollouts beside the agent. */
  readonly company: Company;
  /** Where tokens have a price. */
  readonly spending?: Spending | undefined;
  /** Tokens that were evaluated and trained on since it was last asked. */
  readonly takeLearned: () => Partial<TokenUsage>;
  /** Another engine of the same kind. */
  readonly createEngine: () => Promise<Engine>;
}

export class Training {
  readonly #parts: TrainingParts;
  /** Seconds of the last iteration, for the time ceiling, and of its rollouts. */
  #iterationSeconds = 0;
  #iterationStart = 0;
  #collectSeconds = 0;
  #reference: Reference | undefined;
  /** The newest version, and the one before the last update; known where iterations are collected ahead. */
  #version: number | undefined;
  #learnedBy: number | undefined;
  readonly #collecting = new AbortController();
  /** Episodes of all collections that run at once. */
  readonly #gate: Gate;
  #loopStarted = false;
  /** What was spent when the last iteration began. */
  #spentBefore: number | undefined;
  /** The ceiling that ended the run, in words. */
  #stoppedBy: string | undefined;

  constructor(parts: TrainingParts) {
    this.#parts = parts;
    this.#gate = gate(parts.config.world.episodes);
  }

  get engine(): Engine {
    return this.#parts.engine;
  }
  get state(): TrainerState {
    return this.#parts.state;
  }
  get tasks(): readonly TaskInfo[] {
    return this.#parts.tasks;
  }
  get config(): Config {
    return this.#parts.config;
  }
  get parts(): TrainingParts {
    return this.#parts;
  }

  async warmUp(): Promise<void> {
    const { engine, rows, config, state, progress, store } = this.#parts;
    if (state.warmDone) return;
    progress.start("warm", `${rows.length} demonstrations`, warmSteps(rows.length, config));
    // A continued run is at its newest checkpoint already, and repeats the calls that came after it: no other among them.
    if (!this.#parts.resumed) await this.save();
    await warmStart(engine, rows, config, {
      done: state.warmSteps,
      onStep: (step) => this.#endWarmStep(step),
    });
    await engine.publish();
    state.warmDone = true;
    await saveCheckpoint(store.path("checkpoints", "warm"), this.#parts);
    await this.save();
  }

  async #endWarmStep({ step, steps, metrics, tokens }: WarmStep): Promise<void> {
    const { progress, state, config, signal } = this.#parts;
    state.warmSteps = step;
    countPhase(state.usage, "warm", { trained: tokens });
    progress.step("warm", step, steps, metrics, { tokens });
    if (step % config.warm.checkpointEvery === 0 && step < steps) await this.save();
    signal?.throwIfAborted();
  }

  async evaluateBefore(): Promise<void> {
    const { state, watch } = this.#parts;
    if (Object.keys(state.before).length > 0) return;
    const start = watch.seconds();
    state.before = await this.#evaluateAll("before");
    state.evaluationSeconds = watch.seconds() - start;
    await this.save();
  }

  /** The policy that a KL term holds to, as it was before the first iteration; undefined without such a term. */
  async openReference(): Promise<Reference | undefined> {
    const { config, engine, state, store, createEngine, takeLearned } = this.#parts;
    takeLearned();
    if (!stageConfigs(config).some(usesReference)) return undefined;
    this.#reference =
      state.iteration === 0
        ? await snapshotReference(engine)
        : await loadedReference(await createEngine(), store.path("checkpoints", "warm", "engine"));
    return this.#reference;
  }

  /** True when another iteration and the evaluations after would not fit under `run.minutes` or `budget.ceiling`. */
  mustStop(): boolean {
    this.#iterationStart = this.#parts.watch.seconds();
    this.#collectSeconds = 0;
    const { config } = this.#parts;
    if (this.#outOfTime()) this.#stoppedBy = `run.minutes (${config.run.minutes}) ended the run`;
    else if (this.#outOfBudget()) this.#stoppedBy = this.#budgetText();
    return this.#stoppedBy !== undefined;
  }

  #outOfTime(): boolean {
    const { config, watch, state } = this.#parts;
    if (config.run.minutes === null) return false;
    const needed = this.#iterationSeconds + state.evaluationSeconds;
    return watch.seconds() + needed > config.run.minutes * 60;
  }

  /** The evaluations after are taken to cost what those before did. */
  #outOfBudget(): boolean {
    const { config, spending, state } = this.#parts;
    if (spending === undefined || config.budget.ceiling === null) return false;
    const now = spending.cost();
    const iteration = this.#spentBefore === undefined ? 0 : now - this.#spentBefore;
    this.#spentBefore = now;
    const after = costOf(state.usage.phases.before, config.budget);
    return now + iteration + after > config.budget.ceiling;
  }

  #budgetText(): string {
    const { config, spending } = this.#parts;
    return `${spentText(spending?.cost() ?? 0, config.budget.ceiling ?? 0)} and the next iteration would pass it: ${GO_ON}; the run ended`;
  }

  /** Before the loop: what is collected ahead names the policy that samples it. */
  async openCollecting(): Promise<void> {
    const { config, engine } = this.#parts;
    if (config.algo.staleness > 0) this.published(await engine.publish());
  }

  /** The learner's version from now on. */
  published(version: number): void {
    this.#learnedBy = this.#version;
    this.#version = version;
  }

  /** Ends all collections that run; what they finished is in their journals. */
  cancelCollecting(): void {
    this.#collecting.abort(new Error("not needed any more"));
  }

  rolloutPlan(iteration: number): RolloutPlan {
    const { config, world, engine, agent, signal, progress, store } = this.#parts;
    if (!this.#loopStarted) {
      this.#loopStarted = true;
      progress.start("loop", `${config.algo.iterations} iterations`, config.algo.iterations);
    }
    const onDone = () => {
      // Of a later one, collected ahead, nothing is timed.
      if (iteration !== this.state.iteration + 1) return;
      this.#collectSeconds = this.#parts.watch.seconds() - this.#iterationStart;
    };
    const journal = store.journal(`train-${numbered(iteration)}`);
    const now = configAt(config, iteration);
    const plan = { ...trainingPlan(now, { world, engine, agent }), journal, onDone, signal };
    if (config.algo.staleness === 0 || this.#version === undefined) return plan;
    return {
      ...plan,
      policy: enginePolicy(engine, this.#version),
      gate: this.#gate,
      signal: anySignal(this.#collecting.signal, signal),
    };
  }

  async endIteration(result: {
    readonly iteration: number;
    readonly rollouts: readonly Rollout[];
    readonly learned: LearnResult;
    /** Of its grading. */
    readonly metrics: Record<string, number>;
  }): Promise<void> {
    const { iteration, rollouts, learned } = result;
    const { config, state, store, progress, onEvent, watch, signal, takeLearned } = this.#parts;
    const metrics = {
      ...rolloutMetrics(rollouts, learned.kept, configAt(config, iteration)),
      ...result.metrics,
      ...(config.algo.staleness > 0 && lagMetric(rollouts, this.#learnedBy ?? 0)),
      ...learned.metrics,
    };
    if (learned.stopped !== undefined) {
      onEvent({ type: "note", text: `iteration ${iteration} ended early: ${learned.stopped}` });
    }
    store.writeRollouts(`train-${numbered(iteration)}`, rollouts);
    store.writeRollouts(`notes-${numbered(iteration)}`, rolloutNotes(learned.ratios));
    state.iteration = iteration;
    state.rollouts += rollouts.length;
    countTraining(state.usage, rollouts);
    countPhase(state.usage, "learn", takeLearned());
    if (iteration === 1) state.reward.first = metrics["reward/mean"] ?? 0;
    state.reward.last = metrics["reward/mean"] ?? 0;
    this.#iterationSeconds = watch.seconds() - this.#iterationStart;
    progress.step("loop", iteration, config.algo.iterations, metrics, {
      rollouts: rollouts.length,
      tokens: rollouts.reduce((sum, { tokens }) => sum + (tokens?.ids.length ?? 0), 0),
      seconds: {
        collectSeconds: this.#collectSeconds,
        learnSeconds: this.#iterationSeconds - this.#collectSeconds,
      },
    });
    if (this.#isEvaluated(iteration)) {
      await this.#evaluate(
        `iteration ${iteration}`,
        "dev",
        "greedy",
        config.evaluation.everyScenarios,
      );
    }
    await this.save();
    signal?.throwIfAborted();
  }

  /** The last iteration is scored by the evaluations after. */
  #isEvaluated(iteration: number): boolean {
    const { evaluation, algo } = this.#parts.config;
    return (
      evaluation.every > 0 && iteration % evaluation.every === 0 && iteration < algo.iterations
    );
  }

  /** Evaluates, writes the final checkpoint and the summary. With no iterations, `after` repeats `before`. */
  async finish(): Promise<Summary> {
    const { config, state, store, watch, onEvent, spending } = this.#parts;
    const after = state.iteration === 0 ? state.before : await this.#evaluateAll("after");
    for (const { when, rollout } of examplePair(store, state.iteration === 0)) {
      onEvent({ type: "example", when, rollout });
    }
    await saveCheckpoint(store.path("checkpoints", "final"), this.#parts);
    const missing = config.algo.iterations - state.iteration;
    const summary: Summary = {
      recipe: config.recipe,
      seed: config.run.seed,
      seconds: watch.seconds(),
      rollouts: state.rollouts,
      before: state.before,
      after,
      reward: state.reward,
      warmStart: { demonstrations: state.demonstrations, hastyShare: config.warm.hastyShare },
      ...(missing > 0 && {
        stoppedEarly: `${this.#stoppedBy} after ${state.iteration} of ${config.algo.iterations} iterations`,
      }),
      usage: usageSummary(state.usage, config.budget, spending),
    };
    store.writeUsage(perTask(state.usage, config.budget));
    store.writeSummary(summary);
    store.settleJournals();
    onEvent({ type: "phase-start", phase: "done", detail: store.directory });
    return summary;
  }

  async #evaluateAll(when: "before" | "after"): Promise<Scores> {
    const { config, world, progress } = this.#parts;
    const { scenarios, sampled } = config.evaluation;
    const modes: Mode[] = sampled ? ["greedy", "T1"] : ["greedy"];
    const splits = SCORED.filter((split) => world.tasks(split, scenarios).length > 0);
    const total = splits.reduce((sum, split) => sum + world.tasks(split, scenarios).length, 0);
    progress.start("eval", when, total * modes.length);
    const scores: Scores = {};
    for (const mode of modes) {
      for (const split of splits) {
        scores[scoreKey(split, mode)] = await this.#evaluate(when, split, mode, scenarios);
      }
    }
    return scores;
  }

  async #evaluate(when: When, split: Split, mode: Mode, scenarios: number) {
    const { config, world, engine, agent, store, onEvent, progress, signal, state } = this.#parts;
    const name = `eval-${when.replace(/(\d+)/, (n) => numbered(Number(n))).replace(" ", "-")}-${split}-${mode}`;
    const { score, rollouts } = await scoreSplit({
      world,
      split,
      scenarios,
      agent,
      policy: enginePolicy(engine),
      temperature: mode === "greedy" ? 0 : 1,
      maxTurns: config.scaffold.evaluationTurns,
      episodes: config.world.episodes,
      seed: config.run.seed,
      name,
      // Between two iterations the weights are of no checkpoint yet, so nothing of theirs is kept.
      ...(when === "before" || when === "after" ? { journal: store.journal(name) } : {}),
      shape: shaperOf(config, {
        company: this.#parts.company,
        mode: "evaluation",
        store: state.memory,
      }),
      onDone: (_, rollout) => progress.evaluated(rollout),
      signal,
    });
    store.writeRollouts(name, rollouts);
    countRollouts(state.usage, when === "before" ? "before" : "evaluate", rollouts);
    const metrics = scoreMetrics(score, split, mode);
    store.appendMetrics({ phase: "eval", step: state.iteration, when, ...metrics });
    onEvent({ type: "score", when, split, mode, score });
    return score;
  }

  /** Writes `checkpoints/latest`: from here a killed run goes on. */
  async save(): Promise<void> {
    const { store, state, watch } = this.#parts;
    state.seconds = watch.seconds();
    await saveState(store, state, this.#parts);
    store.settleJournals();
  }

  async close(): Promise<void> {
    await this.#reference?.close();
    await this.#parts.engine.close();
    await this.#parts.world.close();
  }
}

const numbered = (iteration: number) => String(iteration).padStart(4, "0");
