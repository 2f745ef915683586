/** A rollout for reading: the instruction, each cell with what came back, and which checks passed. */
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
  /** Observations longer than this are cut, with a note. */
  readonly maxLines?: number;
}

/** Lines without an indent, none longer than `view.width`. */
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

export function cellLines(code: string, { width, paint }: RolloutView): string[] {
  return wrapText(code.trim() || "(no code)", width - 2).map(
    (line, i) => `${paint("cyan", i === 0 ? "›" : " ")} ${line}`,
  );
}

export function observationLines(text: string, failed: boolean, view: RolloutView): string[] {
  const { width, paint, maxLines = 8 } = view;
  const lines = wrapText(text.trimEnd() || "(nothing printed)", width - 2);
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines - 1), "…"] : lines;
  return shown.map((line) => `  ${paint(failed ? "yellow" : "dim", line)}`);
}

/** What the agent does not see: calls that met a bug of the world, and where it is. */
export function faultLines(calls: readonly ApiCall[], { width, paint }: RolloutView): string[] {
  const met = calls.filter(({ fault }) => fault !== undefined).map(formatFault);
  return met
    .flatMap((text) => wrapText(`bug of the world: ${text}`, width - 2))
    .map((line) => `  ${paint("red", line)}`);
}

export function checkLines(check: CheckResult, { width, paint }: RolloutView): string[] {
  const mark = check.passed ? paint("green", "✓") : paint("red", "✗");
  const text = check.detail && !check.passed ? `${check.name}: ${check.detail}` : check.name;
  return wrapText(text, width - 4).map((line, i) =>
    i === 0 ? `  ${mark} ${line}` : `    ${line}`,
  );
}

function verdictLines(rollout: Rollout, view: RolloutView): string[] {
  const passed = rollout.evaluation?.passed === true;
  const line = view.paint(
    ["bold", passed ? "green" : "red"],
    `${passed ? "✓" : "✗"} ${describeResult(rollout)}`,
  );
  const failed = rollout.evaluation?.checks.filter((check) => !check.passed) ?? [];
  return [line, ...failed.flatMap((check) => checkLines(check, view))];
}

/** Two blocks of lines in two columns of `width` characters, or one after the other when `columns` is too few. */
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
