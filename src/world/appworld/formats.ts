/** What AppWorld's environment server answers, in both dialects (0.1.3 and 0.2). Other fields change nothing. */
import { z } from "zod";

/** A task, as `/initialize` and `/tasks/<id>` return it. */
export const taskAnswerSchema = z.object({
  task_id: z.string(),
  instruction: z.string(),
  supervisor: z.object({
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    phone_number: z.string(),
  }),
});
export type TaskAnswer = z.output<typeof taskAnswerSchema>;

const label = z.enum(["no_op_fail", "no_op_pass"]).nullish();
const test = z.object({ requirement: z.string(), label });

/** The judgement of a state. Its README calls the failures `fails`. */
export const evaluationAnswerSchema = z
  .object({
    success: z.boolean(),
    num_tests: z.int().min(0),
    passes: z.array(test),
    failures: z.array(test).optional(),
    fails: z.array(test).optional(),
  })
  .transform(({ failures, fails, ...rest }) => ({ ...rest, failures: failures ?? fails ?? [] }))
  .refine(
    ({ num_tests, passes, failures }) => num_tests === passes.length + failures.length,
    "the number of tests is not that of its passes and failures",
  );
export type EvaluationAnswer = z.output<typeof evaluationAnswerSchema>;

/** Every success is wrapped in `output`. */
export const outputOf = <S extends z.ZodType>(schema: S) => z.object({ output: schema });
