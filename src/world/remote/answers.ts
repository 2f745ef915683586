/** The schemas of what hosts answer: whole results of cells, evaluations, tasks and solutions. */
import { z } from "zod";
import {
  type Demonstration,
  type Evaluation,
  evaluationSchema,
  type StepResult,
  type TaskInfo,
  taskSchema,
  turnSchema,
} from "../../spec/index.ts";

const { status, limit, calls } = turnSchema.shape;

const stepResultSchema = z.strictObject({
  ...{ status, stdout: z.string() },
  error: z.strictObject({ name: z.string(), message: z.string() }).optional(),
  ...{ limit, calls, finished: z.boolean() },
  nextSession: z.strictObject({ number: z.int(), instruction: z.string() }).optional(),
  text: z.string(),
});

/** The observation of `run_cell`. */
export const cellObservationSchema = z.object({ result: stepResultSchema });
/** The observation of `evaluate`. */
export const evaluationObservationSchema = z.object({ evaluation: evaluationSchema });
/** What the two answers say besides: which start of the server gave it. */
export const answerMetadataSchema = z.object({ server: z.string() });

/** The tasks of `POST /NAME/task_range`. */
export const taskRangeSchema = z.object({
  tasks: z.array(z.object({ ...taskSchema.shape, index: z.int() })),
});

/** The answer of `POST /NAME/demonstration`. */
export const demonstrationSchema = z.strictObject({
  task: taskSchema,
  style: z.enum(["careful", "hasty"]),
  turns: z.array(z.strictObject({ code: z.string(), result: stepResultSchema })),
  evaluation: evaluationSchema,
});

/** Reads JSON with one of the schemas above. The types of the world have optional fields where zod's have undefined. */
export const readStepResult = (value: unknown) =>
  cellObservationSchema.parse(value).result as StepResult;
export const readEvaluation = (value: unknown) =>
  evaluationObservationSchema.parse(value).evaluation as Evaluation;
export const readDemonstration = (value: unknown) =>
  demonstrationSchema.parse(value) as Demonstration;
export const readTaskRange = (value: unknown): TaskInfo[] =>
  taskRangeSchema.parse(value).tasks.map(({ index: _, ...task }) => task);
