/** Shows a rollout as lines of text: the instruction, each cell with its observation, and the checks. */
import { isPassed } from "../../algo/index.ts";
import {
  actionText,
  type CheckResult,
  describeResult,
  observationText,
} from "../../report/index.ts";
import type { ApiCall, Rollout } from "../../spec/index.ts";
import { formatFault } from "../../world/index.ts";
import type { Paint } from "../terminal.ts";
import { padEnd, wrapText } from "./text.ts";

export interface RolloutView {
  readonly width: number;
  readonly paint: Paint;
  /** The largest number of lines of an observation, 8 by default. A longer observation is cut and ends in "…". */
  readonly maxLines?: number;
}

/** Formats a rollout as lines without an indent, none longer than `view.width`. */
export function rolloutLines(rollout: Rollout, view: RolloutView): string[] {
  const turns = rollout.turns.flatMap((turn) =>
    turn.part === undefined
      ? [
          ...cellLines(actionText(turn), view),
          ...observationLines(observationText(turn), turn.status !== "ok", view),
          ...faultLines(turn.calls, view),
        ]
      : cellLines(`(${turn.part}) ${actionText(turn)}`, view),
  );
  return [...turns, ...verdictLines(rollout, view)];
}

export function instructionLines(rollout: Rollout, { width, paint }: RolloutView): string[] {
  return wrapText(rollout.task.instruction, width).map((line) => paint("bold", line));
}

/** Formats the code of a cell, marked by "›". */
export function cellLines(code: string, { width, paint }: RolloutView): string[] {
  return wrapText(code.trim() || "(no code)", width - 2).map(
    (line, i) => `${paint("cyan", i === 0 ? "›" : " ")} ${line}`,
  );
}

/** Formats what a cell printed. */
export function observationLines(text: string, hasFailed: boolean, view: RolloutView): string[] {
  const { width, paint, maxLines = 8 } = view;
  const lines = wrapText(text.trimEnd() || "(nothing printed)", width - 2);
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines - 1), "…"] : lines;
  return shown.map((line) => `  ${paint(hasFailed ? "yellow" : "dim", line)}`);
}

/** Formats the calls that ran into a bug of the world, with the place of the bug. The agent does not see this. */
export function faultLines(calls: readonly ApiCall[], { width, paint }: RolloutView): string[] {
  const faults = calls.filter(({ fault }) => fault !== undefined).map(formatFault);
  return faults
    .flatMap((text) => wrapText(`bug of the world: ${text}`, width - 2))
    .map((line) => `  ${paint("red", line)}`);
}

/** Formats the result of a check, with what was expected when it failed, or the remark of one that passed. */
export function checkLines(check: CheckResult, { width, paint }: RolloutView): string[] {
  const mark = check.passed ? paint("green", "✓") : paint("red", "✗");
  const text = check.detail ? `${check.name}: ${check.detail}` : check.name;
  return wrapText(text, width - 4).map((line, i) =>
    i === 0 ? `  ${mark} ${line}` : `    ${line}`,
  );
}

function verdictLines(rollout: Rollout, view: RolloutView): string[] {
  const passed = isPassed(rollout);
  const line = view.paint(
    ["bold", passed ? "green" : "red"],
    `${passed ? "✓" : "✗"} ${describeResult(rollout)}`,
  );
  const failed = rollout.evaluation?.checks.filter((check) => !check.passed) ?? [];
  return [line, ...failed.flatMap((check) => checkLines(check, view))];
}

/** Places two blocks of lines side by side. The left column is `width` characters wide. */
export function placeSideBySide(
  left: readonly string[],
  right: readonly string[],
  width: number,
  gap = "  │  ",
): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
    `${padEnd(left[i] ?? "", width)}${gap}${right[i] ?? ""}`.trimEnd(),
  );
}
