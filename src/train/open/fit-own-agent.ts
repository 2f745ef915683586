/** Fits the limits of a run in which a user's own agent plays and imitates nothing. */
import type { Engine, TaskInfo, World } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { canFitToSessions, fitToSessions } from "../fitting/measure-sessions.ts";
import type { PreparedImitation } from "../warm/prepare-imitation.ts";
import type { RunPlan } from "./plan-run.ts";

/** Where the sessions are played. */
interface SessionPlace {
  readonly world: World;
  readonly tasks: readonly TaskInfo[];
  /** Creates an engine for this configuration. */
  readonly createEngine: (config: Config) => Promise<Engine>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the prepared imitation with limits that suit sessions of the user's own agent. It is returned as it is when a
 * scaffold plays, when the agent imitates something, and when the run already has its limits. The sessions are played
 * before `run.json` is written, so a run that is continued never plays them again. Their tokens count as money that is
 * spent, and not as tokens of a phase of the run.
 */
export async function fitOwnAgent(
  plan: RunPlan,
  imitation: PreparedImitation,
  { world, tasks, createEngine, signal }: SessionPlace,
): Promise<PreparedImitation> {
  const { source, serverContext, start, mayChangeLimits } = plan;
  const { agent, onEvent = () => {} } = plan.options;
  const plays = agent !== undefined && agent.neverPlays !== true && tasks.length > 0;
  const isMeasured = imitation.fitting !== undefined || !mayChangeLimits;
  if (!plays || isMeasured || !canFitToSessions(imitation.config)) return imitation;
  const openEngine = async (config: Config) => {
    const engine = await createEngine(config);
    if (start?.weights !== undefined) await engine.load(start.weights, config.optimizer);
    await engine.publish();
    return engine;
  };
  const { config, fitting } = await fitToSessions({
    ...{ config: imitation.config, createAgent: imitation.createAgent },
    ...{ source, serverContext, world, tasks, openEngine, onEvent, signal },
  });
  return { ...imitation, config, fitting, agent: imitation.createAgent(config) };
}
