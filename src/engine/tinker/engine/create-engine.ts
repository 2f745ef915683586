/** Makes an engine on a server: asks what it serves, measures what it does, and finds what an earlier program left. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, readJson, writeJson } from "../../../core/index.ts";
import type { Engine, EngineInfo } from "../../../spec/index.ts";
import type { ClientLimits } from "../client/client-core.ts";
import {
  type ClientEvent,
  type Clock,
  createTinkerClient,
  type Dialect,
  FileJournal,
  type RetryPolicy,
  type TinkerClient,
} from "../client/index.ts";
import type { Fetch } from "../client/transport.ts";
import type { TinkerCheckpoint } from "./checkpoint.ts";
import { TinkerEngine, TOLERANCE } from "./engine.ts";
import { measureTraits } from "./measure-traits.ts";
import { RemoteModel } from "./remote-model.ts";
import { SavedWeightsCleaner } from "./saved-weights-cleaner.ts";
import { type ServerTraits, serverTraitsSchema } from "./server-traits.ts";

/** What an engine on a server of the Tinker protocol is made from. */
export interface TinkerEngineOptions {
  /** Without `/api/v1`. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** As the server names it; undefined: the only one that it serves. */
  readonly baseModel?: string | undefined;
  /** Of the adapter; 0: all weights are trained, where the server offers that. */
  readonly rank: number;
  /** Of the adapter's first weights and of sampling. */
  readonly seed: number;
  /** Ids of the tokenizer: servers do not tell theirs. */
  readonly vocabularySize: number;
  /** At most so many tokens a row; the server's own limit is kept too, where it tells one. */
  readonly contextLength: number;
  readonly dialect?: Dialect | "auto";
  /**
   * A folder of the engine's own, kept over restarts: calls are on record there, so that a program that was killed goes on
   * without repeating an optimizer step. For one engine only. Undefined: none.
   */
  readonly directory?: string | undefined;
  /** Known traits are not measured. */
  readonly traits?: Partial<ServerTraits>;
  /** Published versions that stay there to be sampled, where the server can; default 4. */
  readonly heldVersions?: number;
  readonly maxSamples?: number;
  readonly onEvent?: (event: ClientEvent) => void;
  readonly retry?: Partial<RetryPolicy>;
  readonly limits?: Partial<ClientLimits>;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
}

const DEFAULT_HELD_VERSIONS = 4;

/** Throws `engine` errors when the server is not there, does not serve the model, or does what no engine can train with. */
export async function createTinkerEngine(options: TinkerEngineOptions): Promise<Engine> {
  const { directory, heldVersions = DEFAULT_HELD_VERSIONS, rank, seed } = options;
  const journal =
    directory === undefined ? undefined : new FileJournal(join(directory, "calls.jsonl"));
  const client = await createTinkerClient({ ...options, baseUrl: options.url, journal });
  try {
    const { baseModel, contextLength } = await chooseServedModel(client, options);
    const bounds = { vocabularySize: options.vocabularySize, contextLength };
    const session = await client.openSession();
    const measureWithSession = async () =>
      measureTraits(session, { ...options, ...bounds, baseModel });
    const traits = await loadOrMeasureTraits(options, baseModel, measureWithSession);
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

/** Only a journal that has the checkpoint's own save has everything since. */
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
      `engine.baseModel: expected one of the models that the server has (${names.join(", ") || "it names none"}), came ${baseModel ?? "none"}`,
    );
  }
  const limit = supported_models.find(
    ({ model_name }) => model_name === chosen,
  )?.max_context_length;
  return { baseModel: chosen, contextLength: Math.min(contextLength, limit ?? contextLength) };
}

/** Measured once a server; kept in the directory, so that a continued run trains by the same ones. */
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
    // The protocol tells neither.
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
