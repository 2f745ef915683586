/**
 * This second step of opening a run reads the run directory, the model's files and the modules that the configuration
 * names, and asks what the engine can do. It changes nothing. Its result is data.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { THIS_CALL } from "../../core/index.ts";
import {
  asShapedConfig,
  type Extensions,
  loadParticipants,
  NOBODY,
  type Participants,
} from "../../methods/index.ts";
import type { Summary } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { describeFewerEpisodes, requireEnoughMemory } from "../config/memory-plan.ts";
import { resolveWorld } from "../config/resolve-world.ts";
import { withLimitsOfRun } from "../fitting/apply-fitting.ts";
import { loadOwnScaffold, type MakeScaffold } from "../parts/agent.ts";
import { requireCapableEngine } from "../parts/engine-needs.ts";
import { type Makers, withOwnEngine } from "../parts/makers.ts";
import {
  describeIgnoredFields,
  findModelSource,
  ignoresChatTemplate,
  type ModelSource,
} from "../parts/model-source.ts";
import { loadExtensions } from "../parts/own-parts.ts";
import { withRunDate } from "../parts/prompt-date.ts";
import { requireServerAnswer } from "../parts/remote-engine.ts";
import { openStartOfRun, type StartingPolicy } from "../parts/starting-policy.ts";
import { requireUnlocked } from "../run/run-lock.ts";
import type { WorldRecord } from "../run/run-record.ts";
import {
  hasRunRecord,
  readStoredConfig,
  readSummary,
  requireNoForeignFiles,
  requireSameRun,
} from "../run/run-store.ts";
import { readLatestState } from "../run/trainer-state.ts";
import { recordWorldSources } from "../run/world-digest.ts";
import { hasTunedRate } from "../settings/tuned-values.ts";
import type { TrainOptions, TrainRequest } from "./check-request.ts";

/** Everything that has to be known to open the run. */
export interface RunPlan extends TrainRequest {
  readonly makers: Makers;
  /** The URL of the world's module; empty for a world object that was passed to `train()`. */
  readonly worldUrl: string;
  readonly worldSources: WorldRecord;
  readonly source: ModelSource;
  /** The policy that training starts from; undefined when the source is all. */
  readonly start: StartingPolicy | undefined;
  readonly participants: Participants;
  readonly extensions: Extensions;
  /** The user's own scaffold; undefined if the scaffold is one of the package. */
  readonly scaffold: MakeScaffold | undefined;
  /** True for a run that begins now, whose limits may be fitted to its demonstrations. */
  readonly mayChangeLimits: boolean;
  /** The context of a server's model, in tokens; undefined when no server was asked. */
  readonly serverContext: number | undefined;
  /** Notes for people, which are reported when the run starts. */
  readonly notes: readonly string[];
}

/** Plans a run. Returns the plan, or the run's summary if the run is already finished. */
export async function planRun(
  standard: Makers,
  asked: TrainRequest,
): Promise<RunPlan | { readonly summary: Summary }> {
  const { options } = asked;
  const makers = withOwnParts(standard, options);
  const isHanded = options.world !== undefined || options.agent?.world !== undefined;
  const worldUrl = isHanded ? "" : resolveWorld(asked.config.world.name).url;
  const sources = recordWorldSources(asked.config, worldUrl);
  const directory = inspectRunDirectory(asked, sources);
  if (directory.status === "finished") return { summary: directory.summary };
  const earlierRun = findEarlierRun(directory, options);
  const request = earlierRun === undefined ? asked : withEarlierLimits(asked, earlierRun);
  const { config } = request;
  requireEnoughMemory(config);
  await makers.checkEngine?.(config.engine);
  const isBegun = hasRunRecord(options.out);
  const serverContext = await requireCapableEngine(makers, request, isBegun);
  const own = await loadOwnParts(config, options);
  const start = await openStartOfRun(config);
  const source = start?.source ?? (await findModelSource(config));
  if (directory.status === "refused") {
    await requireServerAnswer(config);
    throw directory.refusal;
  }
  const notes = [...(start?.notes ?? []), ...notesBeforeStart(config, source)];
  const dated = { ...request, config: withRunDate(config, source, options.out, new Date()) };
  const mayChangeLimits = earlierRun === undefined;
  const found = { source, start, ...own, notes, mayChangeLimits, serverContext };
  return { ...dated, makers, worldUrl, worldSources: sources, ...found };
}

/** Returns the directory of the run that decides the limits: the one that is continued, or whose start is copied. */
function findEarlierRun(
  { status }: DirectoryState,
  { out, warmFrom }: TrainOptions,
): string | undefined {
  return status === "open" && hasRunRecord(out) ? out : warmFrom;
}

function withEarlierLimits(request: TrainRequest, earlierRun: string): TrainRequest {
  return { ...request, config: withLimitsOfRun(request.config, readStoredConfig(earlierRun)) };
}

/** What a run directory holds: nothing or a run to continue, a finished run, or something else. */
type DirectoryState =
  | { readonly status: "open" }
  | { readonly status: "finished"; readonly summary: Summary }
  | { readonly status: "refused"; readonly refusal: unknown };

/**
 * Finds out what the run directory holds. It returns errors instead of throwing them, so that mistakes in the request
 * are reported first.
 */
function inspectRunDirectory(
  { config, options: { out }, given }: TrainRequest,
  world: WorldRecord,
): DirectoryState {
  try {
    requireNoForeignFiles(out);
    if (!existsSync(join(out, "run.json"))) return { status: "open" };
    requireSameRun(out, config, { given, world });
    const summary = readSummary(out);
    if (summary !== undefined && !ceilingWasRaised(summary, config, out)) {
      return { status: "finished", summary };
    }
    requireUnlocked(out);
    return { status: "open" };
  } catch (refusal) {
    return { status: "refused", refusal };
  }
}

/** Returns true if a limit on time or cost ended the run and has been raised since, so that the run can continue. */
function ceilingWasRaised(
  { stoppedEarly }: Summary,
  { run, budget }: Config,
  out: string,
): boolean {
  if (stoppedEarly === undefined) return false;
  const { minutes, ceiling } = readLatestState(out);
  const isRaised = (now: number | null, last: number | null) =>
    (now ?? Infinity) > (last ?? Infinity);
  return isRaised(run.minutes, minutes) || isRaised(budget?.ceiling ?? null, ceiling);
}

/** Returns makers that use the world and engine in the options instead of those that the configuration names. */
function withOwnParts(
  makers: Makers,
  { engine, agent, world = agent?.world }: TrainOptions,
): Makers {
  return { ...withOwnEngine(makers, engine), ...(world && { openWorld: async () => world }) };
}

async function loadOwnParts(config: Config, options: TrainOptions) {
  const shapes = asShapedConfig(config);
  return {
    participants: shapes ? await loadParticipants(shapes, THIS_CALL) : NOBODY,
    extensions: await loadExtensions(config, options),
    scaffold: options.scaffold ?? (await loadOwnScaffold(config, THIS_CALL)),
  };
}

function notesBeforeStart(config: Config, source: ModelSource): string[] {
  const { setting, method, optimizer, algo } = config;
  const ignored = describeIgnoredFields(source);
  const fewer = describeFewerEpisodes(config);
  const untuned = `nobody has tuned ${method} on ${setting}: it uses the setting's learning rate (optimizer.learningRate ${optimizer.learningRate})`;
  return [
    ...(ignored === undefined ? [] : [ignored]),
    ...(fewer === undefined ? [] : [fewer]),
    ...(ignoresChatTemplate(source, config) ? [COMPACT_NOTE] : []),
    ...(hasTunedRate(setting, method) || algo.iterations === 0 ? [] : [untuned]),
  ];
}

const COMPACT_NOTE =
  "the model has a chat template, but the scaffold uses markers instead, which the model does not know; for an instruction-tuned model use --scaffold.name fenced (a small one) or react (a large one)";
