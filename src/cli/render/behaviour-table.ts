/** What the agent does before and after, as text: the behaviour analysis of an evaluation (`src/algo/behaviour.ts`). */
import {
  behaviourNames,
  behaviourRow,
  behaviourWords,
  compact,
  type ScoreRow,
} from "../../report/index.ts";
import type { Paint } from "../terminal.ts";
import { renderTable } from "./table.ts";

/** Empty where nothing was scored. */
export function renderBehaviour(rows: readonly ScoreRow[], paint: Paint): string {
  const row = behaviourRow(rows);
  if (row === undefined) return "";
  const value = (score: ScoreRow["before"], name: string) => compact(score.behaviour[name] ?? 0);
  return renderTable(
    [
      { title: `behaviour on ${row.split}, ${row.mode}` },
      { title: "before", align: "right" },
      { title: "after", align: "right" },
    ],
    behaviourNames(row).map((name) => [
      behaviourWords(name),
      value(row.before, name),
      value(row.after, name),
    ]),
    (text) => paint("dim", text),
  );
}
