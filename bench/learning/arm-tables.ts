/**
 * Makes tables with a row for each arm: a table of all methods, a table of differences to LOOP, and the ladder from
 * expert iteration to LOOP.
 */
import { meanCurve, referenceArm } from "../../src/report/index.ts";
import { type Arm, armScore, type Comparison, computeSpread } from "../../src/train/index.ts";
import { formatMeanAndSpread, formatTable } from "./markdown-table.ts";
import {
  differenceCells,
  differenceHeads,
  displayArmName,
  formatEstimate,
  formatMeanCount,
  SCORE_HEADS,
  scoreCells,
  selectArms,
  type TableRequest,
  warmStartsAsArm,
} from "./table-cells.ts";

/** Makes a table of methods and the warm start, with all scores. */
export function methodsTable(comparison: Comparison, request: TableRequest): string {
  const rows = selectArms(comparison, request).map((arm) => [
    displayArmName(arm),
    String(arm.runs.length),
    formatMeanCount(arm.runs.map(({ updates }) => updates)),
    ...scoreCells(comparison, arm),
  ]);
  const starts = warmStartsAsArm(comparison);
  const start = ["warm start, before", String(starts.runs.length), "0"];
  return formatTable(
    ["method", "runs", "updates", ...SCORE_HEADS],
    [...rows, [...start, ...scoreCells(comparison, starts)]],
  );
}

/**
 * Makes the table that the page of an algorithm shows, with scores, their differences to LOOP, and the mean curve on dev
 * over rollouts.
 */
export function measuredTable(comparison: Comparison, request: TableRequest): string {
  const loop = referenceArm(comparison);
  const rows = selectArms(comparison, request).map((arm) => [
    displayArmName(arm),
    String(arm.runs.length),
    formatMeanCount(arm.runs.map(({ updates }) => updates)),
    ...differenceCells(comparison, arm, arm === loop ? undefined : loop),
    formatEstimate(armScore(comparison, arm, "test-normal", "sgc")),
    formatEstimate(armScore(comparison, arm, "dev")),
    meanCurve(arm)
      .map(({ value }) => Math.round(value * 100))
      .join(" "),
  ]);
  const heads = ["method", "runs", "updates", ...differenceHeads("LOOP"), "SGC", "dev TGC"];
  return formatTable([...heads, "curve on dev"], rows);
}

/**
 * Makes the table of the ladder. Its arms have the order of the marker comment, or else of the file, and each arm is
 * compared with the arm before.
 */
export function ladderTable(comparison: Comparison, request: TableRequest): string {
  const rungs = selectArms(comparison, request, comparison.arms);
  const rows = rungs.map((arm, i) => [
    displayArmName(arm),
    String(arm.runs.length),
    formatMeanCount(arm.runs.map(({ updates }) => updates)),
    formatEntropy(arm),
    ...differenceCells(comparison, arm, rungs[i - 1]),
  ]);
  return formatTable(
    ["rung", "runs", "updates", "nats a token", ...differenceHeads("the rung before")],
    rows,
  );
}

/** Returns mean and spread over runs of the entropy in the second half of training, in nats for each sampled token. */
function formatEntropy({ runs }: Arm): string {
  const halves = runs.flatMap(({ training }) => {
    const nats = (training["entropy/sampled"] ?? []).filter((value) => value !== null);
    return nats.length > 0 ? [computeSpread(nats.slice(nats.length / 2)).mean] : [];
  });
  return formatMeanAndSpread(halves);
}
