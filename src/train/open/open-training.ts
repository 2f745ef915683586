/**
 * From a configuration to a run that can be trained: refusals first, then the world, the directory, what a checkpoint
 * remembers, demonstrations, the tokenizer and the engine. Nothing is written before everything that can be refused is.
 */
import {
  anySignal,
  BowlineError,
  heardByMany,
  isModulePath,
  isRaw,
  startStopwatch,
} from "../../core/index.ts";
import { type Method, participantsOf, shapesOf } from "../../methods/index.ts";
import type {
  Demonstration,
  RecordedConversation,
  Scaffold,
  Summary,
  TaskInfo,
  World,
} from "../../spec/index.ts";
import { trainTokenizer } from "../../text/index.ts";
import { type Config, dialsOf } from "../config/config.ts";
import { keepMethod, methodNamed } from "../config/method-named.ts";
import { loadConfig } from "../config/parse.ts";
import { wantsModel } from "../config/scaffolds.ts";
import type { Phase } from "../config/stages.ts";
import { failingAttempt } from "../run/examples.ts";
import { exceptionLog } from "../run/handler-exceptions.ts";
import { progressOf } from "../run/progress.ts";
import { lockRun, type RunLock } from "../run/run-lock.ts";
import { ownerText } from "../run/run-owner.ts";
import { makeRunFolders, openRun, type RunStore } from "../run/run-store.ts";
import { freshState, restoreState } from "../run/trainer-state.ts";
import { isTuned } from "../settings/tuned.ts";
import { partsGiven, requireTrainOptions, type TrainOptions } from "../train-options.ts";
import { save, type TrainingRun } from "../training-run.ts";
import { conversationRows, conversationTexts } from "../warm/conversations.ts";
import { collectDemonstrations, imitationRows, textsOf } from "../warm/demonstrations.ts";
import { adoptWarmStart } from "../warm/warm-cache.ts";
import { agentOf, type MakeScaffold, ownScaffold, requireRoom, scaffoldOf } from "./agent.ts";
import { conversationsOf } from "./conversations.ts";
import { requireEngine, requireServed } from "./engine-needs.ts";
import { type Makers, wholeEngine } from "./makers.ts";
import {
  anyTextOf,
  ignoredNote,
  type ModelSource,
  modelSourceOf,
  ownSpecialsOf,
  talksCompactly,
  textOf,
  tokenizerOf,
} from "./model-source.ts";
import { enginesOf } from "./open-engine.ts";
import { type OwnAgent, requirePlayable } from "./own-agent.ts";
import { openExtensions } from "./own-extensions.ts";
import { requireAnswer, requireServer } from "./remote-engine.ts";
import { resolveWorld } from "./resolve-world.ts";
import { standingOf } from "./standing.ts";
import { requireSuitedWorld } from "./suited.ts";
import { drawnTasks, sourcesOf } from "./world-digest.ts";

/** Opens or continues a run; a finished one gives its summary at once. */
export async function openTraining(
  standard: Makers,
  asked: Config,
  options: TrainOptions,
): Promise<TrainingRun | { readonly summary: Summary }> {
  requireTrainOptions(options);
  heardByMany(options.signal);
  const makers = withOwn(standard, options);
  const given = partsGiven(options);
  if (options.method && isRaw(asked)) takeMethod(asked, options.method);
  // A configuration is data that anybody may have changed since it was resolved.
  const config = await loadConfig(asked);
  const method = options.method ?? methodNamed(config.method);
  const phase: Phase = { config, method };
  requirePlayable(phase, options.agent);
  const isHanded = options.world !== undefined || options.agent?.world !== undefined;
  const url = isHanded ? "" : resolveWorld(config.world.name).url;
  const sources = sourcesOf(config, url);
  const standing = standingOf(options.out, config, { given, world: sources });
  if (standing.is === "finished") return { summary: standing.summary };
  requireServer(config);
  refuseWithoutModel(config);
  if (!options.engine) refuseWithoutWarmStart(config);
  await makers.checkEngine?.(config.engine);
  await requireEngine(makers, phase);
  const own = await openOwn(config, options);
  const source = await modelSourceOf(config);
  if (standing.is === "refused") {
    await requireAnswer(config);
    throw standing.refusal;
  }
  const onEvent = options.onEvent ?? (() => {});
  const note = (text: string) => onEvent({ type: "note", text });
  const ignored = ignoredNote(source);
  if (ignored !== undefined) note(ignored);
  if (talksCompactly(source, config)) note(COMPACT_NOTE);
  if (!isTuned(config.setting, config.method) && config.algo.iterations > 0) note(untuned(config));
  onEvent({ type: "phase-start", phase: "world", detail: config.world.name });
  const { seed, workers } = config.world;
  const world = await makers.openWorld(url, { seed, workers, dials: dialsOf(config) });
  let lock: RunLock | undefined;
  try {
    refuseUnsuitable(world, config, options.agent);
    requireSuitedWorld(world, phase);
    const record = { ...sources, tasks: drawnTasks(world, config) };
    lock = takeRun(options.out, note);
    const store = openRun(options.out, config, { given, world: record });
    return await prepare(makers, phase, {
      ...options,
      ...own,
      given,
      onEvent,
      world,
      store,
      lock,
      source,
    });
  } catch (error) {
    await world.close();
    lock?.release();
    throw error;
  }
}

/** Nobody else writes there from here on. */
function takeRun(directory: string, note: (text: string) => void): RunLock {
  makeRunFolders(directory);
  const lock = lockRun(directory);
  if (lock.takenFrom !== undefined) {
    note(`${directory} was held by ${ownerText(lock.takenFrom)}, which is gone: this run goes on`);
  }
  return lock;
}

/** What ran is what `run.json` names. */
function takeMethod(config: Config, method: Method): void {
  if (method.name !== config.method && !isModulePath(config.method)) {
    throw new BowlineError(
      "config",
      `train() was handed the method ${method.name}, and its configuration is one of ${config.method}; resolve it with resolveConfig({ method })`,
    );
  }
  keepMethod(config.method, method);
}

/** A world or an engine that `train()` was handed takes the place of what the configuration names. */
function withOwn(makers: Makers, { engine, agent, world = agent?.world }: TrainOptions): Makers {
  return {
    ...makers,
    ...(world && { openWorld: async () => world }),
    ...(engine && {
      checkEngine: async () => {},
      createEngine: async (_, request) => wholeEngine(await engine(request), "engine"),
    }),
  };
}

async function openOwn(config: Config, options: TrainOptions) {
  const shapes = shapesOf(config);
  return {
    participants: await participantsOf(shapes ?? ALONE),
    extensions: await openExtensions(config, options),
    scaffold: options.scaffold ?? (await ownScaffold(config)),
  };
}

const ALONE = { participants: { user: "none", judge: "none" } };

function untuned({ setting, method, optimizer }: Config): string {
  return `nobody has tuned ${method} on ${setting}: it takes the setting's rate, optimizer.learningRate ${optimizer.learningRate}`;
}

const COMPACT_NOTE =
  "the model has a chat template, but the scaffold speaks between markers, which it was not made for; an instruction-tuned model wants --scaffold.name fenced (a small one) or react (a large one)";

/** Recipes for published models cannot know where one lies. */
function refuseWithoutModel({ scaffold, engine, recipe }: Config): void {
  if (!wantsModel(scaffold.name) || engine.model !== null) return;
  throw new BowlineError(
    "config",
    `recipe ${recipe} has scaffold.name ${scaffold.name}, which speaks in a model's own chat template: give --engine.model a model's folder, with tokenizer.json and chat template, or its GGUF file; with random weights use --scaffold.name ${scaffold.name === "tools" ? "compact-tools" : "compact"}`,
  );
}

/** A policy of random weights never earns a reward, so there is nothing that LOOP could reinforce. */
function refuseWithoutWarmStart({ warm, recipe, engine, scaffold }: Config): void {
  if (warm.demonstrations > 0 || engine.model !== null) return;
  // An engine of the user's may start from whatever it likes.
  if (engine.name !== "onnx" && engine.name !== "tinker") return;
  if (scaffold.name === "agent") {
    throw new BowlineError(
      "config",
      "a model made from nothing never calls a tool by chance, so there is nothing that could be reinforced: give `warmStart` recorded conversations or a scripted teacher, or start from a trained model (engine.model)",
    );
  }
  throw new BowlineError(
    "config",
    `recipe ${recipe} has no warm start (warm.demonstrations is 0), and the onnx engine starts from random weights, which never earn a reward; ` +
      "use the recipe `starter`, set warm.demonstrations (4000 is a start), or start from a trained model (engine.model)",
  );
}

function refuseUnsuitable(world: World, config: Config, agent: OwnAgent | undefined): void {
  const { algo, warm } = config;
  const { name, trainScenarios } = config.world;
  if (!world.hasSolutions && warm.demonstrations > 0 && agent === undefined) {
    throw new BowlineError(
      "config",
      `the tasks of ${name} bring no solutions, so there is nothing to warm up a policy of random weights with; ` +
        "give each task a `solution`, or train on a world that has them (everyday/starter, toy)",
    );
  }
  const tasks = world.tasks("train", trainScenarios).length;
  if (tasks >= algo.tasksPerIteration || algo.iterations === 0) return;
  throw new BowlineError(
    "config",
    `${name} has ${tasks} training tasks in ${trainScenarios} scenarios, but algo.tasksPerIteration is ${algo.tasksPerIteration}; ` +
      "raise world.trainScenarios or lower algo.tasksPerIteration",
  );
}

type Opened = Pick<TrainOptions, "warmFrom" | "signal"> & {
  readonly onEvent: TrainingRun["onEvent"];
  readonly world: World;
  readonly store: RunStore;
  readonly lock: RunLock;
  readonly given: readonly string[];
  readonly source: ModelSource;
  readonly participants: TrainingRun["participants"];
  readonly extensions: TrainingRun["extensions"];
  readonly scaffold: MakeScaffold | undefined;
  readonly agent?: OwnAgent | undefined;
};

/** What the warm start imitates: programs of the world's tasks, or conversations of an agent's. */
async function demonstrationsOf(
  isDone: boolean,
  from: Pick<Opened, "world" | "agent"> & {
    readonly tasks: readonly TaskInfo[];
    readonly config: Config;
    readonly scaffold: Scaffold;
    readonly progress: TrainingRun["progress"];
    readonly signal: AbortSignal | undefined;
  },
): Promise<{
  readonly programs: readonly Demonstration[];
  readonly conversations: readonly RecordedConversation[];
}> {
  const { world, agent, tasks, config, scaffold, progress, signal } = from;
  if (isDone) return { programs: [], conversations: [] };
  const count = config.warm.demonstrations;
  if (agent === undefined) {
    const programs = await progress.demonstrations(count, (onDone) =>
      collectDemonstrations(world, tasks, config, scaffold, { onDone, signal }),
    );
    return { programs, conversations: [] };
  }
  const conversations = await progress.demonstrations(count, (onDone) =>
    agent.conversations(config, { world, tasks, onDone, signal }),
  );
  return { programs: [], conversations };
}

/** Everything up to the first optimizer step, or up to where a checkpoint left off. */
async function prepare(makers: Makers, phase: Phase, opened: Opened): Promise<TrainingRun> {
  const { config } = phase;
  const { world, store, lock, source, onEvent, warmFrom, participants, extensions } = opened;
  const signal = anySignal(opened.signal, lock.lost);
  const published = textOf(source);
  const resumed = restoreState(store);
  const adopted =
    resumed === undefined && warmFrom !== undefined
      ? adoptWarmStart(store, config, warmFrom)
      : undefined;
  const restored = resumed ?? adopted;
  const state = restored?.state ?? freshState();
  const watch = startStopwatch(state.seconds);
  const tasks = world.tasks("train", config.world.trainScenarios);
  const scaffold = scaffoldOf(config, undefined, opened.scaffold);
  if (restored === undefined && world.hasSolutions && opened.agent === undefined) {
    const rollout = await failingAttempt(world, scaffold);
    if (rollout !== undefined) onEvent({ type: "example", when: "start", rollout });
  }
  const progress = progressOf(onEvent, store, watch);
  const exceptions = exceptionLog(state, onEvent);
  const shown = await demonstrationsOf(state.warmDone, {
    ...opened,
    tasks,
    config,
    scaffold,
    progress,
    signal,
  });
  exceptions.count(shown.programs);
  const tokenizer =
    restored?.tokenizer ??
    published?.tokenizerJson ??
    progress.tokenizer(() =>
      trainTokenizer(
        opened.agent
          ? conversationTexts(shown.conversations)
          : textsOf(shown.programs, scaffold, config),
        { ...config.tokenizer, specials: ownSpecialsOf(config) },
      ),
    );
  const runner = tokenizerOf(source, tokenizer, config);
  const text = opened.agent ? anyTextOf(source, tokenizer, config) : published;
  const agent = agentOf(config, runner, text, opened.scaffold, opened.agent);
  if (tasks[0]) requireRoom(agent, tasks[0]);
  const { rows, leftOut } = state.warmDone
    ? { rows: [], leftOut: 0 }
    : text && opened.agent
      ? conversationRows(shown.conversations, conversationsOf(text, { thinking: false }), config)
      : await imitationRows(shown.programs, agent, config);
  if (!state.warmDone) state.demonstrations = rows.length;
  if (leftOut > 0) {
    const all = shown.programs.length + shown.conversations.length;
    const note = `${leftOut} of ${all} demonstrations are longer than the scaffold's limits and are left out`;
    onEvent({ type: "note", text: note });
  }
  const { vocabularySize } = runner;
  const engines = enginesOf(makers, phase, { store, source, vocabularySize });
  const { spending, takeLearned } = engines;
  const engine = await engines.main();
  const ceiling = config.budget?.ceiling ?? null;
  const sameCeilings = state.minutes === config.run.minutes && state.ceiling === ceiling;
  state.minutes = config.run.minutes;
  state.ceiling = ceiling;
  const run: TrainingRun = {
    ...phase,
    ...{ onEvent, world, store, lock, state, watch, tasks, tokenizer, agent, rows, engine },
    ...{ exceptions, progress, participants, extensions, spending, takeLearned },
    createEngine: engines.another,
    given: opened.given,
    files: text?.files,
    resumed: restored !== undefined,
    signal: anySignal(signal, spending?.signal),
  };
  try {
    requireServed(phase, engine.info);
    const checkpoint = (name: string) => store.path("checkpoints", name, "engine");
    if (resumed !== undefined) await engine.load(checkpoint("latest"));
    if (adopted !== undefined) await engine.load(checkpoint("warm"), config.optimizer);
    if (restored !== undefined && (adopted || !sameCeilings)) await save(run);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return run;
}
