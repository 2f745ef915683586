/** `bowline play --policy` lets a policy solve the task while the user watches. */
import { THIS_CALL, toVisibleJson } from "../../core/index.ts";
import { actionText, pluralize } from "../../report/index.ts";
import type { Dials, Turn } from "../../spec/index.ts";
import { type Act, loadPolicy, resolveNamedWorld } from "../../train/index.ts";
import { openWorld } from "../../world/index.ts";
import { type CommandContext, EXIT_CODES } from "../command-context.ts";
import { listenForInterrupt } from "../interrupt.ts";
import {
  cellLines,
  checkLines,
  faultLines,
  observationLines,
  type RolloutView,
} from "../render/rollout-lines.ts";
import { findTask, taskHeaderLines } from "./world-show.ts";

export interface PlayPolicyOptions {
  readonly policy: string;
  /** The world; by default the one in which the policy was trained. */
  readonly world?: string;
  readonly seed: number;
  readonly dials: Partial<Dials>;
  readonly temperature?: number;
  readonly scaffold?: string;
  /** The folder or GGUF file of an adapter's base. */
  readonly base?: string;
  readonly json?: boolean;
}

/** Lets a policy solve the task `id`, prints its turns and the checks, and sets the exit code. */
export async function playPolicy(
  id: string,
  options: PlayPolicyOptions,
  { terminal, setExitCode }: CommandContext,
): Promise<void> {
  const { out, err } = terminal;
  const channel = options.json ? err : out;
  const { seed, dials, temperature, scaffold, base } = options;
  await using policy = await loadPolicy(options.policy, {
    ...(scaffold !== undefined && { scaffold }),
    base,
  });
  const named =
    options.world === undefined
      ? resolveNamedWorld(policy.world, policy.origin)
      : resolveNamedWorld(options.world, THIS_CALL);
  const world = await openWorld(named.url, { seed, dials, origin: named.origin });
  const interrupt = listenForInterrupt(channel);
  const view: RolloutView = {
    width: Math.min(channel.columns, 100) - 4,
    paint: channel.paint,
  };
  try {
    const task = await findTask(world, id);
    for (const line of taskHeaderLines(task, channel)) channel.writeLine(line);
    const player = `${options.policy} acts with the scaffold ${policy.scaffold}`;
    for (const note of [player, ...policy.notes])
      channel.writeLine(`  ${channel.paint("dim", note)}`);
    channel.writeLine();
    const { rollout, reward, passed, checks } = await policy.act(world, task, {
      seed,
      signal: interrupt.signal,
      ...(temperature !== undefined && { temperature }),
      onTurn: (turn) => {
        for (const line of turnLines(turn, view)) channel.writeLine(`  ${line}`);
      },
    });
    for (const line of endLines({ rollout, reward, passed, checks }, view)) channel.writeLine(line);
    if (options.json) {
      const { outcome, turns } = rollout;
      const { scaffold: played } = policy;
      const result = { task: task.id, scaffold: played, outcome, reward, passed, turns, checks };
      out.writeLine(toVisibleJson(result));
    }
    if (interrupt.signal.aborted) setExitCode(interrupt.exitCode);
    else if (!passed) setExitCode(EXIT_CODES.failed);
  } finally {
    interrupt.dispose();
    await world.close();
  }
}

/** Returns the lines that say how the rollout ended: the verdict, a failure, and the checks. */
function endLines({ rollout, reward, passed, checks }: Act, view: RolloutView): string[] {
  const { outcome, turns, failure } = rollout;
  const verdict = passed ? "✓ solved" : "✗ not solved";
  const rewardText = reward === undefined ? "" : `, reward ${reward.toFixed(2)}`;
  const style = ["bold", passed ? "green" : "red"] as const;
  const count = pluralize(turns.length, "turn");
  return [
    "",
    `  ${view.paint(style, verdict)} in ${count} (${outcome}${rewardText})`,
    ...(failure ? [`  ${view.paint("red", failure.message)}`] : []),
    ...checks.flatMap((check) => checkLines(check, view)).map((line) => `  ${line}`),
  ];
}

function turnLines(turn: Turn, view: RolloutView): string[] {
  return [
    ...cellLines(actionText(turn), view),
    ...observationLines(turn.observation, turn.status !== "ok", view),
    ...faultLines(turn.calls, view),
  ];
}
