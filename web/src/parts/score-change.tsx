/**
 * TGC (the share of tasks that pass) before and after training with 95% intervals, as numbers and as two marks on a
 * scale from 0 to 100.
 */
import type { RunRow } from "../../../src/spec/studio/index.ts";
import { formatChange, formatInterval, formatPercent } from "../lib/format.ts";
import "../style/score-change.css";

type Score = NonNullable<RunRow["after"]>[string];

/** A score. Its interval is not known before the run has ended. */
export type ScoreSoFar = Pick<Score, "tgc"> & Partial<Pick<Score, "tgcInterval">>;

interface Pair {
  readonly before: ScoreSoFar | undefined;
  readonly after: ScoreSoFar | undefined;
}

export function ScoreChange({ before, after }: Pair) {
  if (!before && !after) return <span class="soft">–</span>;
  return (
    <span class="score-change">
      <span class="score-numbers">
        <span class="score-before">{before ? formatPercent(before.tgc) : "?"}</span>
        <span aria-hidden="true">→</span>
        <span class="soft-only-read"> to </span>
        <b>{after ? formatPercent(after.tgc) : "…"}</b>
        {before && after && <PointChange before={before.tgc} after={after.tgc} />}
      </span>
      <Whiskers before={before} after={after} />
      <span class="score-intervals">
        {[before, after].map((score, i) => (
          <span key={i}>{score?.tgcInterval ? formatInterval(score.tgcInterval) : ""}</span>
        ))}
      </span>
    </span>
  );
}

function PointChange({ before, after }: { readonly before: number; readonly after: number }) {
  const change = after - before;
  const tone = change > 0.0005 ? "up" : change < -0.0005 ? "down" : "soft";
  return <span class={tone}>{formatChange(before, after)}</span>;
}

const WIDTH = 132;
const EDGE = 4;

/** Draws the score before training with a hollow mark, and below it the score after training with a filled mark. */
function Whiskers({ before, after }: Pair) {
  return (
    <svg class="whiskers" viewBox={`0 0 ${WIDTH} 18`} width={WIDTH} height={18} aria-hidden="true">
      <line class="whisker-axis" x1={EDGE} x2={WIDTH - EDGE} y1={9} y2={9} />
      {before && <Whisker score={before} y={5} name="before" />}
      {after && <Whisker score={after} y={13} name="after" />}
    </svg>
  );
}

function Whisker({
  score,
  y,
  name,
}: {
  readonly score: ScoreSoFar;
  readonly y: number;
  readonly name: string;
}) {
  const toX = (share: number) => EDGE + share * (WIDTH - 2 * EDGE);
  const interval = score.tgcInterval;
  return (
    <g class={`whisker ${name}`}>
      {interval && <line x1={toX(interval[0])} x2={toX(interval[1])} y1={y} y2={y} />}
      <circle cx={toX(score.tgc)} cy={y} r={3.2} />
    </g>
  );
}
