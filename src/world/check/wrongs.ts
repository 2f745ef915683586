/** Plays the mistakes that a task itself declares, such as obeying an injected command. The checks must reject them. */
import { errorMessage } from "../../core/index.ts";
import type { Evaluation } from "../../spec/index.ts";
import type { Wrong } from "../define.ts";
import { demonstrate, LiveEpisode } from "../episode/index.ts";
import { isFinishCall } from "./call-kinds.ts";
import type { Call } from "./replay.ts";
import type { SolutionTarget } from "./run-solution.ts";

/** A declared mistake that was not rejected, or that could not be made. */
export interface WrongSurvivor {
  readonly mutant: string;
  readonly why: string;
}

/** Plays each mistake in an episode of its own. `calls` are those of the task's solution. */
export async function tryWrongs(
  target: SolutionTarget,
  wrongs: readonly Wrong[],
  calls: readonly Call[],
): Promise<WrongSurvivor[]> {
  const survivors: WrongSurvivor[] = [];
  for (const wrong of wrongs) {
    const why = await explainSurvival(target, wrong, calls);
    if (why !== undefined) survivors.push({ mutant: wrong.name, why });
  }
  return survivors;
}

/** Explains why a mistake proves nothing; undefined when it was made and rejected. */
async function explainSurvival(
  { world, sandbox, taskId, seed }: SolutionTarget,
  { solution, code }: Wrong,
  calls: readonly Call[],
): Promise<string | undefined> {
  const episode = LiveEpisode.open(world, sandbox, taskId);
  try {
    const evaluation = solution
      ? (await demonstrate(episode, "careful", seed, solution)).evaluation
      : await runBeforeEnd(episode, calls, code ?? "");
    if (typeof evaluation === "string") return evaluation;
    return evaluation.passed ? `all ${evaluation.checks.length} checks passed` : undefined;
  } catch (error) {
    return `it could not be made: ${errorMessage(error)}`;
  } finally {
    episode.close();
  }
}

/** Makes the solution's calls, runs the code before the last of them, and says what went wrong with the code if it did. */
async function runBeforeEnd(
  episode: LiveEpisode,
  calls: readonly Call[],
  code: string,
): Promise<Evaluation | string> {
  const end = calls.findLastIndex(isFinishCall);
  for (const session of splitAtFinish(calls.slice(0, end)))
    await episode.replay([
      { calls: session.map((call) => ({ ...call, status: 200, wrote: false })) },
    ]);
  const { status, text } = await episode.step(code);
  if (status !== "ok") return `its code failed: ${text}`;
  await episode.replay([{ calls: [{ ...calls[end]!, status: 200, wrote: false }] }]);
  return episode.evaluate();
}

/** Splits calls after each `finishTask`, where a session ends. */
function splitAtFinish(calls: readonly Call[]): Call[][] {
  const sessions: Call[][] = [[]];
  for (const call of calls) {
    sessions.at(-1)!.push(call);
    if (isFinishCall(call)) sessions.push([]);
  }
  return sessions;
}
