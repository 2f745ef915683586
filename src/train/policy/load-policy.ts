/**
 * A policy to be used: weights in memory, with the template and the scaffold that they were trained with.
 *
 * It does three things. `generate` continues a conversation in the model's own template, as a chat model does; `act`
 * solves a task of a world, as an agent does; `session` answers an agent that is not ours, tools included. All are the
 * engine's own sampling, so a trained policy needs nothing but this package.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ConversationRenderer,
  enginePolicy,
  type OpenSession,
  openSession,
} from "../../agent/index.ts";
import { randomStreamId, requireKnownFields, requireNonEmptyText } from "../../core/index.ts";
import type { EngineInfo, Message, TaskInfo, World } from "../../spec/index.ts";
import { readDials } from "../config/config.ts";
import { resolveWorld } from "../config/resolve-world.ts";
import {
  type EvaluatedPolicy,
  type EvaluatedPolicyOptions,
  findPolicy,
} from "../evaluate/find-policy.ts";
import { defaultTemperature, type OpenedWeights, openWeights } from "../evaluate/open-weights.ts";
import { createConversationRenderer } from "../parts/conversation-renderer.ts";
import { type Makers, realMakers, requireWholeEngine } from "../parts/makers.ts";
import { describeIgnoredSampling, type ModelSource, modelText } from "../parts/model-source.ts";
import { type Act, type ActOptions, solveTask } from "./act.ts";
import { type ContinueEpisode, type EpisodeStart, prepareToContinue } from "./continue-episode.ts";
import { createGenerator, type GenerateOptions, type Generation } from "./generate.ts";

/** Parts that the policy's training was handed, and another way to talk to it. */
export interface LoadPolicyOptions extends Pick<EvaluatedPolicyOptions, "engine" | "scaffold"> {}

/** A policy in memory. Calls may overlap; they share the engine's decoding batches. */
export interface LoadedPolicy extends AsyncDisposable {
  /** The path that it was loaded from. */
  readonly path: string;
  /** By which it acts: that of its training, or for a model's folder the one that fits. */
  readonly scaffold: string;
  /** The world that it was trained in; `everyday/starter` for a model's folder. */
  readonly world: string;
  readonly info: EngineInfo;
  /** What a person should know: which scaffold was chosen, what of a `generation_config.json` is not done. */
  readonly notes: readonly string[];
  /**
   * Answers a conversation in the model's own template. A model that was made here knows no chat: the first message is
   * a task to it, and one behind an answer is what its code printed. Rejects with a `config` error when the
   * conversation does not fit into the context.
   */
  generate(messages: readonly Message[], options?: GenerateOptions): Promise<Generation>;
  /**
   * Solves a task of a world: by name, by the path of its module, or opened by the caller (who closes it). Worlds that
   * it opens itself have the seed and dials of the policy's run and stay open until `close`.
   */
  act(world: string | World, task: string | TaskInfo, options?: ActOptions): Promise<Act>;
  /**
   * A conversation with tools, for `languageModel(session, { training: false })` or a gateway. What the agent asks of
   * temperature and seed is obeyed. Throws a `checkpoint` error where the model has no chat template. The caller closes
   * it.
   */
  session(options?: PolicySessionOptions): OpenSession;
  /** Ends the engine and the worlds that were opened. */
  close(): Promise<void>;
}

/** A policy that also goes on where others began. */
export interface ResumablePolicy extends LoadedPolicy {
  /** Throws a `config` error where the policy cannot have begun like that. */
  resumed(beginning: EpisodeStart): ContinueEpisode;
}

/** How a session of a loaded policy samples. */
export interface PolicySessionOptions {
  /** Unlike that of any other session of the policy; default: a number. */
  readonly id?: string;
  /** Of sampling; default 0. */
  readonly seed?: number;
}

/** Longest row where a model of its own could take more: rows of this length are what memory is kept for. */
const MAX_CONTEXT_LENGTH = 32_768;

/**
 * Loads a policy from a run directory, a checkpoint, or the folder of a published model. Rejects with a `config` error
 * when there is nothing there, and with a `checkpoint` error when it is no whole policy.
 */
export function loadPolicy(path: string, options: LoadPolicyOptions = {}): Promise<LoadedPolicy> {
  return loadPolicyWith(realMakers, path, options);
}

/** `loadPolicy` for what goes on in episodes of others. */
export function loadPolicyToContinue(path: string): Promise<ResumablePolicy> {
  return loadPolicyWith(realMakers, path);
}

/** `loadPolicy` with other makers of worlds and engines. */
export async function loadPolicyWith(
  given: Makers,
  path: string,
  options: LoadPolicyOptions = {},
): Promise<ResumablePolicy> {
  requireNonEmptyText("loadPolicy", path, "a run, a checkpoint or a model's folder");
  requireKnownFields("the options of loadPolicy()", options, ["engine", "scaffold"]);
  const { engine: make } = options;
  const makers: Makers = make
    ? {
        ...given,
        createEngine: async (_, request) => requireWholeEngine(await make(request), "engine"),
      }
    : given;
  // Its world is named by whoever lets it act, so one that training was handed is not asked for here.
  const found = await findPolicy(path, { ...options, world: true }, "loadPolicy");
  const subject = withWholeContext(found);
  const weights = await openWeights(subject, makers);
  const { engine, agent } = weights;
  const generate = createGenerator(engine, agent.renderer, {
    temperature: defaultTemperature(subject),
    contextLength: engine.info.contextLength,
  });
  const worlds = createWorldCache(makers, subject);
  const open = createSessionOpener(subject, weights);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= Promise.all([engine.close(), worlds.close()]).then(() => {});
    return closed;
  };
  return {
    path,
    scaffold: agent.scaffold.name,
    world: subject.config.world.name,
    info: engine.info,
    notes: [subject.note, describeIgnoredOptions(subject)].filter((text) => text !== undefined),
    generate,
    async act(world, task, asked) {
      return solveTask(
        typeof world === "string" ? await worlds.open(world) : world,
        task,
        { subject, weights },
        asked,
      );
    },
    resumed: (beginning) => prepareToContinue(beginning, { subject, weights }),
    session: open,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A conversation may be longer than the rows that a scaffold asks for. */
function withWholeContext<S extends EvaluatedPolicy>(subject: S): S {
  const { config, source, checkpoint } = subject;
  if (checkpoint !== undefined || source?.from !== "directory") return subject;
  const contextLength = Math.min(source.directory.config.contextLength, MAX_CONTEXT_LENGTH);
  return { ...subject, config: { ...config, model: { ...config.model, contextLength } } };
}

function createSessionOpener(
  subject: EvaluatedPolicy & { readonly source: ModelSource },
  { engine }: OpenedWeights,
): LoadedPolicy["session"] {
  const policy = enginePolicy(engine);
  const { contextLength: maxTokens } = engine.info;
  const limits = { maxTurns: Infinity, maxTurnTokens: maxTokens, maxTokens };
  // A published model has it in its own folder.
  const json = () =>
    subject.source.from === "scratch"
      ? readFileSync(join(subject.checkpoint ?? "", "tokenizer.json"), "utf8")
      : "";
  let renderer: ConversationRenderer | undefined;
  let opened = 0;
  return ({ id = `session-${opened++}`, seed = 0 } = {}) => {
    renderer ??= createConversationRenderer(modelText(subject.source, json(), subject.config));
    const temperature = defaultTemperature(subject);
    const stream = randomStreamId(seed, "session");
    return openSession({ id, policy, renderer, limits, stream, temperature, trains: false });
  };
}

function describeIgnoredOptions({ checkpoint, source }: EvaluatedPolicy): string | undefined {
  return checkpoint === undefined && source ? describeIgnoredSampling(source) : undefined;
}

/** Worlds by name, opened when they are first asked for. */
function createWorldCache(makers: Makers, { config }: EvaluatedPolicy) {
  const opened = new Map<string, Promise<World>>();
  const { seed } = config.world;
  const dials = readDials(config);
  return {
    open(name: string): Promise<World> {
      const { url } = resolveWorld(name);
      const world = opened.get(url) ?? makers.openWorld(url, { seed, dials, workers: 1 });
      opened.set(url, world);
      world.catch(() => opened.delete(url));
      return world;
    },
    async close(): Promise<void> {
      const worlds = await Promise.allSettled(opened.values());
      await Promise.all(
        worlds.map((world) => (world.status === "fulfilled" ? world.value.close() : undefined)),
      );
    },
  };
}
