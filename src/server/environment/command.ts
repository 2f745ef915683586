/**
 * Runs somebody else's environment as an agent: a program that plays a whole episode itself and gets its model from the
 * gateway. `command({ command: ["python", "agent.py"] })` is a value for the option `run` of `trainAgent`.
 *
 * A program gets its task in a file, base URLs and a key in the environment variables that clients read, and the path
 * of a file for the reward:
 *
 *   exit code 0 and a reward       the rollout is finished, with that reward
 *   exit code 0 without a reward   the rollout failed; this is never a reward of 0
 *   another exit code, a signal    the rollout failed, whatever reward was written
 *   too late                       the rollout failed with the code `time`; its group leaves it out
 *
 * When the episode is over, all processes of the program are ended, also those that it left behind.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { allowManyListeners, toVisibleText, truncateText } from "../../core/index.ts";
import type { AgentContext, AgentReward, RunAgent } from "../agent/index.ts";
import { type CommandOptions, requireCommandOptions } from "./command-options.ts";
import { createGroupGuard, type GroupGuard } from "./group-guard.ts";
import { createModelVariables } from "./model-variables.ts";
import { type ProgramEnd, runProcessGroup } from "./process-group.ts";
import { readRewardFile, readRewardLine } from "./read-reward.ts";
import { runWithDeadline } from "./run-with-deadline.ts";
import { trackCalls } from "./track-calls.ts";

/** The grace between SIGTERM and SIGKILL, unless the options say otherwise. */
const GRACE_SECONDS = 5;

/**
 * Makes an agent that runs a program for each episode. Throws a `config` error that names a wrong option. Several
 * programs run at the same time (`world.episodes`).
 */
export function command<T = unknown>(options: CommandOptions): RunAgent<T> {
  requireCommandOptions(options);
  const guard = createGroupGuard();
  const calls = trackCalls((task: T, context: AgentContext) =>
    runInFolder(task, context, options, guard),
  );
  return Object.assign(calls.run, {
    async settled() {
      await calls.settled();
      await guard.rest();
    },
  });
}

/** Runs the program for one episode, in a temporary folder for the files of task and reward. */
async function runInFolder(
  task: unknown,
  context: AgentContext,
  options: CommandOptions,
  guard: GroupGuard,
): Promise<AgentReward> {
  const folder = mkdtempSync(join(tmpdir(), "bowline-episode-"));
  try {
    const taskFile = join(folder, "task.json");
    const rewardFile = join(folder, "reward.json");
    writeFileSync(taskFile, `${JSON.stringify(task)}\n`, { mode: 0o600 });
    const variables = { BOWLINE_TASK: taskFile, BOWLINE_REWARD: rewardFile };
    const end = await runProgram(context, options, guard, variables);
    requireSuccess(end, context);
    const { rewardField = "reward" } = options;
    return readRewardFile(rewardFile, rewardField) ?? readRewardLine(end.stdout, rewardField);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runProgram(
  context: AgentContext,
  options: CommandOptions,
  guard: GroupGuard,
  variables: Readonly<Record<string, string>>,
): Promise<ProgramEnd> {
  const { timeoutSeconds, graceSeconds = GRACE_SECONDS } = options;
  const env = {
    ...process.env,
    ...options.env,
    ...createModelVariables(context),
    ...variables,
  };
  return runWithDeadline(context.signal, timeoutSeconds, (signal) => {
    allowManyListeners(signal);
    return runProcessGroup({
      ...chooseProgram(options.command),
      workingDirectory: resolve(options.workingDirectory ?? "."),
      graceMs: graceSeconds * 1000,
      env,
      signal,
      guard,
    });
  });
}

/** A text is a line for the shell; a list is a program and its arguments. */
function chooseProgram(command: CommandOptions["command"]) {
  if (typeof command !== "string") return { file: command[0]!, args: command.slice(1) };
  return process.platform === "win32"
    ? { file: "cmd.exe", args: ["/d", "/s", "/c", command] }
    : { file: "/bin/sh", args: ["-c", command] };
}

/** Throws unless the program ended with exit code 0. The error has the end of what it wrote to stderr. */
function requireSuccess(
  { exitCode, killedBy, stderr }: ProgramEnd,
  { apiKey }: AgentContext,
): void {
  if (exitCode === 0) return;
  const how = exitCode === null ? `was ended by ${killedBy}` : `exited with the code ${exitCode}`;
  const said = toVisibleText(stderr.trim().slice(-600).replaceAll(apiKey, "[key]"));
  const error = new Error(`the program ${how}${said === "" ? "" : `: ${truncateText(said, 700)}`}`);
  throw Object.assign(error, { name: exitCode === null ? "killed" : "exit-code" });
}
