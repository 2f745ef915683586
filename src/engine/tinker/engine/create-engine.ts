/**
 * Creates an engine on a server: chooses the model, measures the server's traits and opens the session and the journal.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, readJson, writeJson } from "../../../core/index.ts";
import type { Engine, EngineInfo } from "../../../spec/index.ts";
import type { ClientLimits } from "../client/client-core.ts";
import type { Fetch } from "../client/http.ts";
import {
  type ClientEvent,
  type Clock,
  createTinkerClient,
  type Dialect,
  FileJournal,
  type RetryPolicy,
  type TinkerClient,
} from "../client/index.ts";
import type { TinkerCheckpoint } from "./checkpoint.ts";
import { TinkerEngine, TOLERANCE } from "./engine.ts";
import { measureTraits } from "./measure-traits.ts";
import { RemoteModel } from "./remote-model.ts";
import { SavedWeightsCleaner } from "./saved-weights-cleaner.ts";
import { type ServerTraits, serverTraitsSchema } from "./server-traits.ts";

/** The options of an engine on a Tinker server. */
export interface TinkerEngineOptions {
  /** The server's URL without `/api/v1`. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** The server's name of the model. May be undefined when the server has only one. */
  readonly baseModel?: string | undefined;
  /** The adapter's rank. With 0 all weights are trained, where the server offers that. */
  readonly rank: number;
  /** The seed of the adapter's first weights and of sampling. */
  readonly seed: number;
  /** How many ids the tokenizer has. Servers do not report it. */
  readonly vocabularySize: number;
  /** The most tokens in a row. A smaller limit that the server reports applies instead. */
  readonly contextLength: number;
  readonly dialect?: Dialect | "auto";
  /**
   * A folder that only this engine uses and that stays over restarts. It records calls, so that a program that was
   * killed continues without repeating an optimizer step. When undefined, nothing is recorded.
   */
  readonly directory?: string | undefined;
  /** Traits of the server that are known and therefore not measured. */
  readonly traits?: Partial<ServerTraits>;
  /** How many published versions can still be sampled, on servers that support it; default 4. */
  readonly heldVersions?: number;
  /** How many sampling calls may run at once. Further calls wait. A run gives its number of episodes; default 512. */
  readonly maxSamples?: number;
  readonly onEvent?: (event: ClientEvent) => void;
  readonly retry?: Partial<RetryPolicy>;
  readonly limits?: Partial<ClientLimits>;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
}

const DEFAULT_HELD_VERSIONS = 4;

/** Throws an `engine` or `config` error when the server is not reachable, lacks the model or cannot be trained with. */
export async function createTinkerEngine(options: TinkerEngineOptions): Promise<Engine> {
  const { directory, heldVersions = DEFAULT_HELD_VERSIONS, rank, seed } = options;
  const journal =
    directory === undefined ? undefined : new FileJournal(join(directory, "calls.jsonl"));
  const client = await createTinkerClient({ ...options, baseUrl: options.url, journal });
  try {
    const { baseModel, contextLength } = await chooseServedModel(client, options);
    const bounds = { vocabularySize: options.vocabularySize, contextLength };
    const session = await client.openSession();
    const measureServerTraits = async () =>
      measureTraits(session, { ...options, ...bounds, baseModel });
    const traits = await loadOrMeasureTraits(options, baseModel, measureServerTraits);
    if (!traits.deduplicates) client.forbidRepeats();
    const remote = new RemoteModel(
      {
        baseModel,
        rank,
        seed,
        bounds,
        traits,
        heldVersions,
        openSession: () => client.openSession(),
        startRecovery: () => client.startRecovery(),
      },
      session,
    );
    const journalLengths = [0];
    return new TinkerEngine({
      info: createEngineInfo(bounds, traits),
      client,
      remote,
      traits,
      seed,
      baseModel,
      rank,
      cleaner: new SavedWeightsCleaner((path) => client.deleteCheckpoint(path), directory),
      isResumable: journal !== undefined,
      onSaved: () => {
        if (journal === undefined) return;
        const before = journalLengths.shift() ?? 0;
        journal.dropOldest(before);
        journalLengths.push(Math.max(0, journal.length - 1));
      },
      findSession: (checkpoint) => findSession(client, journal, checkpoint),
    });
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Returns the checkpoint's session when the journal holds the checkpoint's own save, and so all later calls too. */
async function findSession(
  client: TinkerClient,
  journal: FileJournal | undefined,
  { session, model }: TinkerCheckpoint,
) {
  const saved = journal?.find(`${model.id}/${model.epoch}/${model.nextSeq - 1}`);
  if (saved?.requestId === undefined) return undefined;
  return client.attachSession(session.id, session.counters);
}

async function chooseServedModel(
  client: TinkerClient,
  { baseModel, contextLength }: TinkerEngineOptions,
): Promise<{ baseModel: string; contextLength: number }> {
  const { supported_models } = await client.fetchCapabilities();
  const names = supported_models.flatMap(({ model_name }) => model_name ?? []);
  const chosen = baseModel ?? (names.length === 1 ? names[0] : undefined);
  if (chosen === undefined || (names.length > 0 && !names.includes(chosen))) {
    throw new BowlineError(
      "config",
      `engine.baseModel: expected one of the server's models (${names.join(", ") || "it lists none"}), got ${baseModel ?? "none"}`,
    );
  }
  const limit = supported_models.find(
    ({ model_name }) => model_name === chosen,
  )?.max_context_length;
  return { baseModel: chosen, contextLength: Math.min(contextLength, limit ?? contextLength) };
}

/** Measures the traits once and stores them in the directory, so that a resumed run trains with the same ones. */
async function loadOrMeasureTraits(
  { directory, traits = {}, rank }: TinkerEngineOptions,
  baseModel: string,
  measure: () => Promise<ServerTraits>,
): Promise<ServerTraits> {
  const givenTraits = serverTraitsSchema.safeParse(traits);
  if (givenTraits.success) return givenTraits.data;
  const path = directory === undefined ? undefined : join(directory, "traits.json");
  const storedTraits = path !== undefined && existsSync(path) ? readJson(path) : undefined;
  const parsedTraits = serverTraitsSchema.safeParse(
    (storedTraits as { traits?: unknown } | undefined)?.traits,
  );
  if (parsedTraits.success) return { ...parsedTraits.data, ...traits };
  const measured = { ...(await measure()), ...omitUndefinedTraits(traits) };
  if (path !== undefined) writeJson(path, { baseModel, rank, traits: measured });
  return measured;
}

function omitUndefinedTraits(traits: Partial<ServerTraits>): Partial<ServerTraits> {
  return Object.fromEntries(Object.entries(traits).filter(([, value]) => value !== undefined));
}

function createEngineInfo(
  bounds: { readonly vocabularySize: number; readonly contextLength: number },
  traits: ServerTraits,
): EngineInfo {
  return {
    name: "tinker",
    ...bounds,
    // The protocol does not report how many parameters a model has.
    parameters: 0,
    trainableParameters: 0,
    threads: 0,
    tolerance: TOLERANCE,
    capabilities: {
      entropy: false,
      value: false,
      snapshot: traits.promptLogprobs && traits.frozenSamplers,
      gradientClip: traits.gradientClip,
      discard: true,
      heldVersions: traits.frozenSamplers,
      tempered: false,
      temperedSamples: traits.sampleLogprobs === "tempered",
      gradientNorm: traits.gradientNorm,
    },
  };
}
