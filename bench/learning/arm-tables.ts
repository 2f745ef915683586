/** Tables with a line an arm: methods beside each other, against LOOP, and rung by rung. */
import { meanCurve, referenceArm } from "../../src/report/index.ts";
import { type Arm, armScore, type Comparison, computeSpread } from "../../src/train/index.ts";
import { decimals, table } from "./markdown-table.ts";
import {
  type Asked,
  apartCells,
  apartHeads,
  armsOf,
  before,
  mean,
  nameOf,
  SCORE_HEADS,
  scoreCells,
  withInterval,
} from "./table-cells.ts";

export function methods(comparison: Comparison, asked: Asked): string {
  const rows = armsOf(comparison, asked).map((arm) => [
    nameOf(arm),
    String(arm.runs.length),
    mean(arm.runs.map(({ updates }) => updates)),
    ...scoreCells(comparison, arm),
  ]);
  const starts = before(comparison);
  const start = ["warm start, before", String(starts.runs.length), "0"];
  return table(
    ["method", "runs", "updates", ...SCORE_HEADS],
    [...rows, [...start, ...scoreCells(comparison, starts)]],
  );
}

/** Of an algorithm's page: against LOOP, with the mean curve on dev at the rollouts that were spent. */
export function measured(comparison: Comparison, asked: Asked): string {
  const loop = referenceArm(comparison);
  const rows = armsOf(comparison, asked).map((arm) => [
    nameOf(arm),
    String(arm.runs.length),
    mean(arm.runs.map(({ updates }) => updates)),
    ...apartCells(comparison, arm, arm === loop ? undefined : loop),
    withInterval(armScore(comparison, arm, "test-normal", "sgc")),
    withInterval(armScore(comparison, arm, "dev")),
    meanCurve(arm)
      .map(({ value }) => Math.round(value * 100))
      .join(" "),
  ]);
  const heads = ["method", "runs", "updates", ...apartHeads("LOOP"), "SGC", "dev TGC"];
  return table([...heads, "curve on dev"], rows);
}

/** Rungs in the order of the file or of the marker, each against the one before it. */
export function ladder(comparison: Comparison, asked: Asked): string {
  const rungs = armsOf(comparison, asked, comparison.arms);
  const rows = rungs.map((arm, i) => [
    nameOf(arm),
    String(arm.runs.length),
    mean(arm.runs.map(({ updates }) => updates)),
    surprise(arm),
    ...apartCells(comparison, arm, rungs[i - 1]),
  ]);
  return table(["rung", "runs", "updates", "nats a token", ...apartHeads("the rung before")], rows);
}

/** Of what was sampled in the second half of training, mean and spread over runs: an estimate of the policy's entropy. */
function surprise({ runs }: Arm): string {
  const halves = runs.flatMap(({ training }) => {
    const nats = (training["entropy/sampled"] ?? []).filter((value) => value !== null);
    return nats.length > 0 ? [computeSpread(nats.slice(nats.length / 2)).mean] : [];
  });
  return decimals(halves);
}
