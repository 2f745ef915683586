/**
 * Recognises a JSON file by its content: the output of `eval --json`, of `compare` (its results file, or what it prints
 * with `--json`), or of `doctor --json`. Any other content is not a result, whatever the file's name.
 */
import { z } from "zod";
import { behaviourTable, describeScore, scoreTable } from "../../../report/index.ts";
import { scoreSchema } from "../../../spec/index.ts";
import { comparisonSchema, resultsSchema } from "../../../train/index.ts";
import { buildComparisonSections } from "./comparison.ts";
import { recogniseDoctorReport } from "./doctor.ts";
import { makeSection, type RecognisedResult } from "./section.ts";

export function recogniseResult(value: unknown): RecognisedResult | undefined {
  return recogniseEvaluation(value) ?? recogniseComparison(value) ?? recogniseDoctorReport(value);
}

const evaluationSchema = scoreSchema.extend({
  policy: z.string(),
  world: z.string().optional(),
  scaffold: z.string().optional(),
  split: z.string(),
  seed: z.number(),
});

function recogniseEvaluation(value: unknown): RecognisedResult | undefined {
  const parsed = evaluationSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { policy, world, scaffold, split, seed, ...score } = parsed.data;
  const about = [world && `world ${world}`, scaffold && `scaffold ${scaffold}`, `seed ${seed}`];
  return {
    kind: "eval",
    title: `${policy} on ${split}`,
    sections: () => [
      makeSection("Scores", scoreTable(score), [
        describeScore(score),
        about.filter((text) => text !== undefined && text !== "").join(", "),
        "TGC: the percentage of tasks whose checks all pass [95% interval]. SGC: the percentage of scenarios whose tasks all pass.",
      ]),
      makeSection("Behaviour", behaviourTable(score)),
    ],
  };
}

function recogniseComparison(value: unknown): RecognisedResult | undefined {
  const file = resultsSchema.safeParse(value);
  const one = file.success ? undefined : comparisonSchema.safeParse(value);
  const all = file.success ? file.data.comparisons : one?.success ? [one.data] : [];
  const [first] = all;
  if (first === undefined) return undefined;
  const names = [...new Set(all.flatMap(({ arms }) => arms.map(({ name }) => name)))];
  return {
    kind: "compare",
    title: `${names.slice(0, 4).join(", ")}${names.length > 4 ? ` and ${names.length - 4} more` : ""}`,
    sections: () => all.flatMap((each) => buildComparisonSections(each, all.length > 1)),
  };
}
