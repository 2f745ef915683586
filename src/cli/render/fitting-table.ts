/** The table of a run's limits: what demonstrations need of each, what it was and is now, and what it loses. */
import { type FittedValue, type Fitting, formatShare } from "../../train/index.ts";
import type { Channel } from "../terminal.ts";
import { renderTable } from "./table.ts";

/** Renders the table, with a heading that says how many demonstrations fit. */
export function renderFitting(fitting: Fitting, { paint }: Pick<Channel, "paint">): string {
  const dim = (text: string) => paint("dim", text);
  const table = renderTable(COLUMNS, fitting.values.map(describeRow), dim);
  return [`  ${paint("bold", describeFitting(fitting))}`, "", table, ""].join("\n");
}

function describeFitting(fitting: Fitting): string {
  const { what = "demonstrations", measured, fitsBefore, fitsAfter } = fitting;
  if (measured === 0) return "limits of this run";
  const before = fitsBefore === fitsAfter ? "" : `, with fitted limits ${formatShare(fitsAfter)}`;
  return `limits: ${formatShare(fitsBefore)} of ${measured} ${what} fit${before}`;
}

const COLUMNS = [
  { title: "limit" },
  { title: "was", align: "right" },
  { title: "is", align: "right" },
  { title: "median", align: "right" },
  { title: "95% need", align: "right" },
  { title: "largest", align: "right" },
  { title: "loses", align: "right" },
  { title: "why" },
] as const;

function describeRow(value: FittedValue): string[] {
  const { limit, before, after, median, most, largest, lostAfter } = value;
  const numbers = [before, after, median, most, largest].map(String);
  return [limit, ...numbers, formatShare(lostAfter), describeReason(value)];
}

function describeReason({ before, after, isKept, lostAfter }: FittedValue): string {
  if (isKept) return "you set it";
  if (after !== before) return "fitted";
  return lostAfter > 0 ? "too small for some" : "enough";
}
