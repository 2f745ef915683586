/**
 * Refuses limits into which most demonstrations do not fit. The error names every limit that is too small, and the
 * values with which the run can start, so that one change cures all of them.
 */
import { BowlineError } from "../../core/index.ts";
import {
  type DemonstrationLength,
  type FittedValue,
  type Fitting,
  type FittingRules,
  fitLimits,
  type RolloutLimitValues,
} from "./fit-limits.ts";

/** The share of demonstrations that must fit whatever the user set. With fewer, a run would imitate mainly short ones. */
const LEAST_SHARE = 0.5;

/**
 * Throws a `config` error when less than half of the demonstrations fit into the limits after fitting. `name` is what
 * was measured, such as "demonstrations".
 */
export function requireFittingLimits(
  lengths: readonly DemonstrationLength[],
  fitted: { readonly limits: RolloutLimitValues; readonly fitting: Fitting },
  rules: FittingRules,
  name: string,
): void {
  const { fitting, limits } = fitted;
  if (fitting.fitsAfter >= LEAST_SHARE) return;
  const count = Math.round(fitting.fitsAfter * lengths.length);
  const parts = fitting.values.filter(({ lostAfter }) => lostAfter > 0).map(describePart);
  const cured = fitLimits(lengths, limits, {
    ...rules,
    share: Math.max(rules.share ?? 0, LEAST_SHARE),
    keep: [],
  });
  const problem = `only ${count} of ${lengths.length} ${name} fit the limits: ${parts.join("; ")}`;
  if (cured.fitting.fitsAfter < LEAST_SHARE) {
    throw new BowlineError(
      "config",
      `${problem}; no option cures this, because the model's context of ${rules.longestContext} tokens is too short: choose a model with a longer context, or a scaffold or world with shorter conversations`,
    );
  }
  const cure = findCure(cured.fitting.values, rules);
  const set = Object.entries(cure).map(([path, value]) => `${path} ${value}`);
  throw new BowlineError("config", `${problem}; set ${set.join(", ")}`, { cure });
}

function describePart({ limit, after, isKept, largest, lostAfter }: FittedValue): string {
  const whose = isKept ? " as you set it" : "";
  return `${limit} is ${after}${whose}, too small for ${formatShare(lostAfter)} of them (the largest needs ${largest})`;
}

/** Formats a share in percent. A share that is neither 0 nor 1 is never shown as one of them. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return "under 0.1%";
  if (share < 1 && share > 0.999) return "over 99.9%";
  return `${(share * 100).toFixed(1).replace(/\.0$/, "")}%`;
}

/** Returns the values that the user has to set: those of all limits that fitting may not change by itself. */
function findCure(
  values: readonly FittedValue[],
  { share, keep }: FittingRules,
): Record<string, number> {
  const changed = values.filter(
    ({ limit, before, after }) => after !== before && (share === null || keep.includes(limit)),
  );
  return Object.fromEntries(changed.map(({ limit, after }) => [limit, after]));
}
