/**
 * Shows example rollouts in `bowline train`: a failing attempt at the start, and at the end one task before and after
 * training.
 */
import type { Rollout } from "../../spec/index.ts";
import type { Channel, Paint } from "../terminal.ts";
import { instructionLines, placeSideBySide, rolloutLines } from "./rollout-lines.ts";
import { wrapText } from "./text.ts";

const MIN_COLUMNS_SIDE_BY_SIDE = 120;

/** Renders the attempt that is shown before training starts. */
export function renderFirstAttempt(rollout: Rollout, channel: Channel): string {
  const paint = channel.paint;
  const view = { width: Math.min(channel.columns, 100) - 6, paint, maxLines: 5 };
  const title = `A task, and an attempt by a hasty policy ${paint("dim", `(${rollout.task.id})`)}`;
  const lines = [...instructionLines(rollout, view), "", ...rolloutLines(rollout, view)];
  return ["", `  ${title}`, ...frameLines(lines, paint), ""].join("\n");
}

function frameLines(lines: readonly string[], paint: Paint): string[] {
  return lines.map((line) => `  ${paint("dim", "│")} ${line}`.trimEnd());
}

/** Renders rollouts of one task before and after training, side by side if there is room. */
export function renderBeforeAfter(before: Rollout, after: Rollout, channel: Channel): string {
  const { paint, columns } = channel;
  const isWide = columns >= MIN_COLUMNS_SIDE_BY_SIDE;
  const width = isWide ? Math.floor((Math.min(columns, 170) - 9) / 2) : Math.min(columns, 100) - 4;
  const view = { width, paint, maxLines: 6 };
  const title = `${paint("bold", "The same task before and after")} ${paint("dim", `(${before.task.id})`)}`;
  const instruction = wrapText(before.task.instruction, Math.min(columns, 100) - 4);
  const left = [paint("dim", "before"), ...rolloutLines(before, view)];
  const right = [paint("dim", "after"), ...rolloutLines(after, view)];
  const body = isWide
    ? placeSideBySide(left, right, width, `  ${paint("dim", "│")}  `)
    : [...left, "", ...right];
  return [title, "", ...instruction, "", ...body].map((line) => `  ${line}`.trimEnd()).join("\n");
}
