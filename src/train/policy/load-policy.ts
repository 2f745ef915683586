/**
 * Loads a policy: its weights, and the template and scaffold of its training.
 *
 * A policy has three functions. `generate` continues a conversation in the model's own template, like a chat model;
 * `act` solves a task of a world, like an agent; `session` answers an agent of the user, including tools. All of them
 * sample with the engine, so a trained policy needs nothing but this package.
 */
import { join } from "node:path";
import {
  type ConversationRenderer,
  enginePolicy,
  type OpenSession,
  openSession,
} from "../../agent/index.ts";
import {
  type ModuleOrigin,
  randomStreamId,
  readText,
  requireKnownFields,
  THIS_CALL,
} from "../../core/index.ts";
import type { EngineInfo, Message, TaskInfo, World } from "../../spec/index.ts";
import { readDials } from "../config/config.ts";
import { resolveNamedWorld } from "../config/resolve-world.ts";
import {
  type EvaluatedPolicy,
  type EvaluatedPolicyOptions,
  type FoundPolicy,
  findPolicy,
  withWholeContext,
} from "../evaluate/find-policy.ts";
import { defaultTemperature, type OpenedWeights, openWeights } from "../evaluate/open-weights.ts";
import { createConversationRenderer } from "../parts/conversation-renderer.ts";
import { type Makers, realMakers, withOwnEngine } from "../parts/makers.ts";
import { describeIgnoredFields, readModelTextOfPolicy } from "../parts/model-source.ts";
import { type Act, type ActOptions, solveTask } from "./act.ts";
import { type ContinueEpisode, type EpisodeStart, prepareToContinue } from "./continue-episode.ts";
import { createGenerator, type GenerateOptions, type Generation } from "./generate.ts";
import { recognisePolicyWithWeights } from "./recognise-policy.ts";

/**
 * The user's own engine, scaffold or method with which the policy was trained, another scaffold, or an adapter's base.
 * What is passed here is not loaded from the modules that the policy names.
 */
export interface LoadPolicyOptions
  extends Pick<EvaluatedPolicyOptions, "engine" | "scaffold" | "method" | "base"> {}

/** A policy in memory. Its functions may be called at the same time, and then share the engine's decoding batches. */
export interface LoadedPolicy extends AsyncDisposable {
  /** The path that the policy was loaded from. */
  readonly path: string;
  /** The scaffold with which it acts: that of its training, or one that suits a published model. */
  readonly scaffold: string;
  /** The world in which it was trained; `everyday/starter` for a published model. */
  readonly world: string;
  /** Who named that world, for `openWorld`, which refuses a module of a file that this user has not trusted. */
  readonly origin: ModuleOrigin;
  readonly info: EngineInfo;
  /** Notes for people: the base of an adapter, the chosen scaffold, ignored options of `generation_config.json`. */
  readonly notes: readonly string[];
  /**
   * Answers a conversation in the model's own template. A model that bowline trained from random weights cannot chat.
   * It reads the first message as a task, and a message after an answer as the output of its code. Rejects with a
   * `config` error when the conversation does not fit into the context.
   */
  generate(messages: readonly Message[], options?: GenerateOptions): Promise<Generation>;
  /**
   * Solves a task of a world. The world is given by name, by the path of its module, or as an open world, which the
   * caller closes. A world that this function opens has the seed and dials of the policy's run, and stays open until
   * `close`.
   */
  act(world: string | World, task: string | TaskInfo, options?: ActOptions): Promise<Act>;
  /**
   * Opens a conversation with tools, for `languageModel(session, { training: false })` or a gateway. The temperature
   * and the seed come from the agent's requests. Throws a `checkpoint` error when the model has no chat template. The
   * caller closes the session.
   */
  session(options?: PolicySessionOptions): OpenSession;
  /** Closes the engine, and the worlds that the policy opened. */
  close(): Promise<void>;
}

/** A policy that can also continue an episode that others began. */
export interface ResumablePolicy extends LoadedPolicy {
  /** Prepares to continue after these turns. Throws a `config` error if the policy could not have produced them. */
  resumed(beginning: EpisodeStart): ContinueEpisode;
}

/** The options of a loaded policy's `session()`. */
export interface PolicySessionOptions {
  /** An id that no other session of the policy has; by default a number. */
  readonly id?: string;
  /** The seed of sampling; 0 by default. */
  readonly seed?: number;
}

/** The largest context with which a model is loaded, because the engine reserves memory for whole contexts. */
const MAX_CONTEXT_LENGTH = 32_768;

/**
 * Loads a policy from a run directory, a checkpoint, the folder or GGUF file of a model, or a PEFT folder. Rejects with
 * a `config` error when nothing is there, with a `checkpoint` error when the policy is incomplete, and with a `trust`
 * error when the policy names a module that this user has not trusted.
 */
export function loadPolicy(path: string, options: LoadPolicyOptions = {}): Promise<LoadedPolicy> {
  return loadPolicyWith(realMakers, path, options);
}

/** Loads a policy that can continue episodes that somebody else began. */
export function loadPolicyToContinue(path: string): Promise<ResumablePolicy> {
  return loadPolicyWith(realMakers, path);
}

/** Works like `loadPolicy`, with functions that the caller passes to make worlds and engines. */
export async function loadPolicyWith(
  given: Makers,
  path: string,
  options: LoadPolicyOptions = {},
): Promise<ResumablePolicy> {
  requireKnownFields("the options of loadPolicy()", options, [
    "engine",
    "scaffold",
    "method",
    "base",
  ]);
  const makers = withOwnEngine(given, options.engine);
  // The caller of `act` names the world, so a user's own world from training is not needed here.
  const recognised = recognisePolicyWithWeights(path);
  const found = await findPolicy(recognised, { ...options, world: true }, "loadPolicy");
  const subject = withWholeContext(found, MAX_CONTEXT_LENGTH);
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
    origin: subject.origin,
    info: engine.info,
    notes: [...(subject.notes ?? []), describeIgnoredOptions(subject)].filter(
      (text) => text !== undefined,
    ),
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

function createSessionOpener(
  subject: FoundPolicy,
  { engine }: OpenedWeights,
): LoadedPolicy["session"] {
  const policy = enginePolicy(engine);
  const { contextLength: maxTokens } = engine.info;
  const limits = { maxTurns: Infinity, maxTurnTokens: maxTokens, maxTokens };
  // The tokenizer of a published model is in the model's own folder.
  const readTokenizerJson = () =>
    subject.source.from === "scratch"
      ? readText(join(subject.checkpoint ?? "", "tokenizer.json"))
      : "";
  let renderer: ConversationRenderer | undefined;
  let opened = 0;
  return ({ id = `session-${opened++}`, seed = 0 } = {}) => {
    renderer ??= createConversationRenderer(
      readModelTextOfPolicy(subject.source, readTokenizerJson(), subject.config),
      subject.config,
    );
    const temperature = defaultTemperature(subject);
    const stream = randomStreamId(seed, "session");
    return openSession({ id, policy, renderer, limits, stream, temperature, trains: false });
  };
}

function describeIgnoredOptions({ checkpoint, source }: EvaluatedPolicy): string | undefined {
  return checkpoint === undefined && source ? describeIgnoredFields(source) : undefined;
}

/** Creates a cache of worlds by name. Each world is opened when it is first needed. */
function createWorldCache(makers: Makers, { config, origin: policyOrigin }: EvaluatedPolicy) {
  const opened = new Map<string, Promise<World>>();
  const { seed } = config.world;
  const dials = readDials(config);
  return {
    open(name: string): Promise<World> {
      // Callers often pass the world that the policy names, which is data of the policy.
      const namedBy = name === config.world.name ? policyOrigin : THIS_CALL;
      const { url, origin } = resolveNamedWorld(name, namedBy);
      const world = opened.get(url) ?? makers.openWorld(url, { seed, dials, workers: 1, origin });
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
