/**
 * What an iteration has to work with, and its collecting, which may run ahead of the learner (`collect-ahead.ts`): then it
 * is bound to the version that was the newest when it began, and shares the live episodes with other collections.
 */
import { enginePolicy } from "../../agent/index.ts";
import { groupSizeOf as groupSizeFor } from "../../algo/index.ts";
import { anySignal, gate, Rng, streamOf } from "../../core/index.ts";
import type { Collected, Iteration, Reference, RolloutPlan } from "../../methods/index.ts";
import { stalenessOf } from "../config/config.ts";
import { type Phase, phaseAt } from "../config/stages.ts";
import { numbered } from "../run/run-store.ts";
import type { TrainingRun } from "../training-run.ts";
import { collectAhead } from "./collect-ahead.ts";
import { optimizerStep } from "./optimizer-step.ts";
import { sampleTasks, tasksOf } from "./task-sampling.ts";

/** An iteration whose rollouts are in. */
export interface Taken {
  readonly phase: Phase;
  readonly context: Iteration;
  readonly collected: Collected;
}

export interface Collecting {
  /** A 1-based iteration with what it collected; starts all that may start by now. */
  take(number: number): Promise<Taken>;
  /** The learner's version from now on. */
  published(version: number): void;
  /** The version that the newest update was learned by. */
  readonly learnedBy: number;
  /** Seconds from the iteration's begin to its last rollout. */
  readonly seconds: number;
  /** Gives up what runs ahead. Resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** `reference` is asked late: it is opened before the first iteration. `sinceStart`: seconds of the iteration. */
export function collectingOf(
  run: TrainingRun,
  {
    reference,
    sinceStart,
  }: { readonly reference: () => Reference | undefined; readonly sinceStart: () => number },
): Collecting {
  const { config, engine, state } = run;
  const staleness = stalenessOf(config);
  const episodes = gate(config.world.episodes);
  const cancelled = new AbortController();
  let version: number | undefined;
  let learnedBy = 0;
  let seconds = 0;

  const planOf = (number: number, phase: Phase): RolloutPlan => {
    const { world, agent, signal, store } = run;
    const plan: RolloutPlan = {
      world,
      agent,
      policy: enginePolicy(engine),
      temperature: 1,
      maxTurns: phase.config.scaffold.maxTurns,
      episodes: config.world.episodes,
      journal: store.journal(`train-${numbered(number)}`),
      onTurn: (task, turn) => run.exceptions.hear({ task, turns: [turn] }),
      onDone: () => {
        // Of a later one, collected ahead, nothing is timed.
        if (number === state.iteration + 1) seconds = sinceStart();
      },
      signal,
    };
    if (staleness === 0 || version === undefined) return plan;
    const policy = enginePolicy(engine, version);
    return { ...plan, policy, gate: episodes, signal: anySignal(cancelled.signal, signal) };
  };

  const iteration = (number: number): Omit<Taken, "collected"> => {
    const phase = phaseAt(run, number);
    const { world, agent, tasks, participants, extensions, signal } = run;
    const context: Iteration = {
      number,
      config: phase.config,
      engine,
      world,
      tasks,
      agent,
      plan: planOf(number, phase),
      groupSize: (task, most) => groupSizeIn(run, phase, task.id, most),
      step: optimizerStep(number, phase.config),
      rng: new Rng(streamOf(config.run.seed, "minibatches", number)),
      reference: reference(),
      participants,
      extensions,
      state: state.method,
      signal,
    };
    return { phase, context };
  };

  const ahead = collectAhead(
    { staleness, iterations: config.algo.iterations },
    async (number): Promise<Taken> => {
      const { phase, context } = iteration(number);
      const { sampler } = run.extensions;
      const tasks = sampleTasks(run.tasks, number, state.tasks, phase.config, sampler);
      return { phase, context, collected: await phase.method.collect(tasks, context) };
    },
    () => cancelled.abort(new Error("not needed any more")),
  );

  return {
    take(number) {
      seconds = 0;
      return ahead.take(number);
    },
    published(now) {
      learnedBy = version ?? 0;
      version = now;
    },
    get learnedBy() {
      return learnedBy;
    },
    get seconds() {
      return seconds;
    },
    stop: () => ahead.stop(),
  };
}

/** K for a task: fewer rollouts where it nearly always or never succeeds, if the configuration asks for that. */
function groupSizeIn(
  { state }: TrainingRun,
  { config }: Phase,
  task: string,
  most: number,
): number {
  const min = tasksOf(config)?.minGroupSize ?? null;
  return min === null ? most : groupSizeFor(state.tasks.table?.[task], { min, max: most });
}
