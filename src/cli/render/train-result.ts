/** What `bowline train` prints when a run begins, when it is stopped, and when it is finished. */
import { existsSync } from "node:fs";
import {
  findBeforeAfterPair,
  formatDuration,
  formatUsage,
  listScoreRows,
} from "../../report/index.ts";
import type { Summary } from "../../spec/index.ts";
import type { Config } from "../../train/index.ts";
import { DEFAULT_WORLD } from "../shared-options.ts";
import { bowlineCommand, quoteForShell, studioCommand } from "../suggested-commands.ts";
import type { Channel } from "../terminal.ts";
import { renderBehaviourTable } from "./behaviour-table.ts";
import { renderBeforeAfter } from "./example-rollouts.ts";
import { renderScoreTables } from "./score-table.ts";

/** Renders the line with which a run begins. */
export function renderHeading(config: Config, directory: string, { paint }: Channel): string {
  const facts = [`${config.method} on ${config.setting}`, `seed ${config.run.seed}`, directory];
  return `${paint("bold", `bowline train ${config.recipe}`)}  ${paint("dim", facts.join(" · "))}`;
}

/** Renders the message after Ctrl-C, with the command that continues the run and the one that shows it. */
export function renderStoppedRun(directory: string, { paint }: Channel): string {
  const command = paint("bold", `${bowlineCommand()} ${quoteForShell(process.argv.slice(2))}`);
  const message = `stopped; nothing is lost. To continue ${directory}, run the same command again:\n  ${command}`;
  if (!existsSync(directory)) return message;
  return `${message}\nTo see its progress in your browser:\n  ${paint("cyan", studioCommand(directory))}`;
}

/** Renders the result of a finished run: one task before and after, scores, behaviour, and the next commands. */
export function renderResult(
  summary: Summary,
  { config, directory, report }: { config: Config; directory: string; report: string },
  channel: Channel,
): string {
  const { paint } = channel;
  const pair = findBeforeAfterPair(directory);
  const facts = [
    `${formatDuration(summary.seconds)}, ${summary.rollouts.toLocaleString("en")} rollouts, training reward ${summary.reward.first.toFixed(2)} → ${summary.reward.last.toFixed(2)}`,
    ...(summary.usage?.cost === undefined ? [] : [formatUsage(summary.usage)]),
    ...(summary.stoppedEarly ? [`stopped early: ${summary.stoppedEarly}`] : []),
  ];
  const next = listNextCommands(config, directory);
  const width = Math.max(...next.map(([command]) => command.length));
  return [
    "",
    ...(pair ? [renderBeforeAfter(pair.before, pair.after, channel), ""] : []),
    `  ${paint("bold", "Result")}  ${paint("dim", facts.join("; "))}`,
    "",
    ...renderScores(summary, channel),
    `  ${paint("bold", "Report")}  ${report}`,
    `  ${paint("bold", "Studio")}  ${paint("cyan", studioCommand(directory))}   ${paint("dim", "every rollout, token by token, in your browser")}`,
    "",
    `  ${paint("bold", "Try next")}`,
    ...next.map(
      ([command, purpose]) =>
        `    ${paint("cyan", command.padEnd(width))}   ${paint("dim", purpose)}`,
    ),
    "",
  ].join("\n");
}

/** Renders the scores and the behaviour, or nothing when the run evaluated nothing. */
function renderScores(summary: Summary, channel: Channel): string[] {
  if (Object.keys({ ...summary.before, ...summary.after }).length === 0) return [];
  return [
    renderScoreTables(summary, channel),
    "",
    renderBehaviourTable(listScoreRows(summary), channel.paint),
    "",
  ];
}

/** Lists commands for the trained policy, each with its purpose. A policy of a user's agent has no world to play in. */
function listNextCommands({ scaffold, world }: Config, directory: string): [string, string][] {
  const worldOption = world.name === DEFAULT_WORLD ? [] : ["--world", world.name];
  const commands: readonly (readonly [readonly string[], string])[] =
    scaffold.name === "agent"
      ? [
          [["chat", directory], "talk to the policy in the terminal"],
          [["serve", "--openai", directory], "serve the policy to your agent"],
        ]
      : [
          [["play", ...worldOption], "solve a task yourself"],
          [
            ["eval", directory, "--split", "dev", "--examples", "3"],
            "score the trained policy on any split",
          ],
          [["world", "show", ...worldOption], "see a task with its solution and checks"],
        ];
  return commands.map(([words, purpose]) => [
    `${bowlineCommand()} ${quoteForShell(words)}`,
    purpose,
  ]);
}
