/**
 * The `me` app of every world: the person whom the agent works for, the accounts it may use, and the end of the task.
 *
 * The end of the task is a row like any other, so forks carry it and a failed call cannot leave half of it.
 */
import { z } from "zod";
import {
  type Answer,
  ApiError,
  type App,
  defineApi,
  defineApp,
  defineTable,
  type Finish,
  type Reader,
} from "../define.ts";
import { pageParam, pageSchema, takePage } from "./page.ts";

/** A row of the table `accounts`: the user name and password with which the agent can log in to one app. */
export type Account = {
  readonly id: number;
  readonly app: string;
  readonly username: string;
  readonly password: string;
};
/** The table that a world's population may fill with accounts; `me.listAccounts` shows it. */
export const accounts = defineTable<Account>("me.accounts");

type FinishRow = { readonly id: number; readonly status: string; readonly answer: string | null };
const finishesTable = defineTable<FinishRow>("me.finishes", {
  classes: { status: "session", answer: "session" },
});

export function readFinish(state: Reader): Finish | undefined {
  const row = state.all(finishesTable)[0];
  if (!row) return undefined;
  const status = row.status as Finish["status"];
  return row.answer === null ? { status } : { status, answer: JSON.parse(row.answer) as Answer };
}

const answerSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string(), z.number()])),
]);
/** `answer: null` is no answer, as many clients write a missing value. The documentation shows `answerSchema` alone. */
const optionalAnswer = z
  .preprocess((answer) => answer ?? undefined, answerSchema.optional())
  .optional();

export const meApp: App = defineApp({
  name: "me",
  summary: "The person you work for, their accounts, and the end of your task.",
  tables: [accounts, finishesTable],
  apis: {
    profile: defineApi({
      summary: "Show the name, email and phone of the person you work for.",
      params: z.strictObject({}),
      returns: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
      handler: ({ owner }) => owner,
    }),
    listAccounts: defineApi({
      summary: "List the user names and passwords of the person you work for.",
      params: z.strictObject({ page: pageParam }),
      returns: pageSchema(
        z.object({ app: z.string(), username: z.string(), password: z.string() }),
      ),
      handler: ({ db }, { page }) => takePage(db.all(accounts), page, 20),
    }),
    finishTask: defineApi({
      summary: "End the task. Nothing runs after this.",
      params: z.strictObject({
        answer: optionalAnswer.describe("the answer, when the task asks for one"),
        status: z
          .enum(["done", "impossible"])
          .default("done")
          .describe("impossible: the task cannot be done"),
      }),
      returns: z.object({ finished: z.boolean() }),
      handler: ({ db }, { answer, status }) => {
        if (readFinish(db)) throw new ApiError(409, "the task is already finished");
        db.insert(finishesTable, {
          status,
          answer: answer === undefined ? null : JSON.stringify(answer),
        });
        return { finished: true };
      },
    }),
  },
});
