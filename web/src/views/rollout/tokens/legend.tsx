/** The legend of the tokens' colours. */
import {
  COLOUR_STEPS,
  COLUMN_DESCRIPTIONS,
  type ColorScale,
  type ColumnName,
} from "../../../lib/token-columns.ts";
import { formatTokenNumber } from "./format-token-number.ts";
import { stepClass } from "./token-props.ts";

interface LegendProps {
  readonly color: ColumnName;
  readonly scale: ColorScale;
  readonly values: readonly (number | null)[] | null;
}

export function Legend({ color, scale, values }: LegendProps) {
  const { name, meaning, scale: kind } = COLUMN_DESCRIPTIONS[color];
  return (
    <p class="legend">
      <span>
        <b>{name}</b>: {values === null ? "not recorded" : meaning}
      </span>
      {values !== null && (
        <span class="legend-scale">
          {kind === "flag" ? "no" : formatTokenNumber(scale.low)}
          <span class="legend-steps" aria-hidden="true">
            {listSteps(kind).map((step) => (
              <span key={step} class={`legend-step${stepClass(step)}`} />
            ))}
          </span>
          {kind === "flag" ? "yes" : formatTokenNumber(scale.high)}
        </span>
      )}
      <span>
        <span class="token own">the agent's tokens</span> <span class="token">context</span>
      </span>
    </p>
  );
}

function listSteps(kind: "around" | "above" | "flag"): readonly number[] {
  if (kind === "flag") return [0, COLOUR_STEPS];
  const up = Array.from({ length: COLOUR_STEPS + 1 }, (_, i) => i);
  return kind === "above"
    ? up
    : [
        ...up
          .slice(1)
          .reverse()
          .map((step) => -step),
        ...up,
      ];
}
