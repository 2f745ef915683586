/** A run on the terminal, when it begins, when it was stopped, and when it is done: what changed, and what can be done next. */
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

/** What begins. */
export function renderHeading(config: Config, directory: string, { paint }: Channel): string {
  const facts = [`${config.method} on ${config.setting}`, `seed ${config.run.seed}`, directory];
  return `${paint("bold", `bowline train ${config.recipe}`)}  ${paint("dim", facts.join(" · "))}`;
}

/** What Ctrl-C leaves. */
export function renderStoppedRun(directory: string, { paint }: Channel): string {
  const again = paint("bold", `${bowlineCommand()} ${quoteForShell(process.argv.slice(2))}`);
  const words = `stopped; nothing is lost. To continue ${directory}, run the same command again:\n  ${again}`;
  if (!existsSync(directory)) return words;
  return `${words}\nWhat it did so far, in your browser:\n  ${paint("cyan", studioCommand(directory))}`;
}

/** What a run came to, and where to look further. */
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
  const elsewhere = config.world.name === DEFAULT_WORLD ? [] : ["--world", config.world.name];
  const next = [
    [["play", ...elsewhere], "solve a task yourself"],
    [
      ["eval", directory, "--split", "dev", "--examples", "3"],
      "score the trained policy on any split",
    ],
    [["world", "show", ...elsewhere], "look into a task: its solution and its checks"],
  ].map(
    ([words, why]) =>
      [`${bowlineCommand()} ${quoteForShell(words as string[])}`, why] as [string, string],
  );
  const width = Math.max(...next.map(([command]) => command.length));
  return [
    "",
    ...(pair ? [renderBeforeAfter(pair.before, pair.after, channel), ""] : []),
    `  ${paint("bold", "Result")}  ${paint("dim", facts.join("; "))}`,
    "",
    renderScoreTables(summary, channel),
    "",
    renderBehaviourTable(listScoreRows(summary), paint),
    "",
    `  ${paint("bold", "Report")}  ${report}`,
    `  ${paint("bold", "Studio")}  ${paint("cyan", studioCommand(directory))}   ${paint("dim", "every rollout, token by token, in your browser")}`,
    "",
    `  ${paint("bold", "Try next")}`,
    ...next.map(
      ([command, why]) => `    ${paint("cyan", command.padEnd(width))}   ${paint("dim", why)}`,
    ),
    "",
  ].join("\n");
}
