/**
 * The data of `report.html`: what its first page shows, and the answers of the studio's API that its other pages read.
 * A report is the studio's page with these answers in place of a server.
 */
import { z } from "zod";
import { documentSchema } from "./documents.ts";

/** A rollout of the sample that a report contains. */
export const reportRolloutSchema = z.object({
  file: z.string(),
  rollout: z.string(),
  task: z.string(),
  instruction: z.string(),
  passed: z.boolean(),
  /** When the rollout was made, such as `iteration 8` or `dev, before training`. */
  label: z.string(),
  /** True if the report contains its tokens. */
  hasTokens: z.boolean(),
});
/** A rollout of the sample that a report contains. */
export type ReportRollout = Readonly<z.infer<typeof reportRolloutSchema>>;

/** The data of a report. */
export const reportSchema = z.object({
  /** The run or the evaluation. Addresses of its rollouts begin with it. */
  run: z.string(),
  /** True for the report of a run, which has curves, habits and a configuration. */
  isRun: z.boolean(),
  /** The result in a sentence, such as "41% → 84% of unseen test tasks solved". */
  headline: z.string(),
  facts: z.array(z.tuple([z.string(), z.string()])),
  /** Tables of text, as the command line prints them. */
  sections: documentSchema.shape.sections,
  /** A sample of the rollouts. */
  rollouts: z.array(reportRolloutSchema),
  /** Answers of the API by path, such as `/api/runs/a/metrics`. */
  answers: z.record(z.string(), z.unknown()),
});
/** The data of a report. */
export type Report = Readonly<z.infer<typeof reportSchema>>;
