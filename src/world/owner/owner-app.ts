/** The app `owner`: the agent asks the person whom it works for, and reads what this person says. */
import { z } from "zod";
import { pageParam, pageSchema, takePage } from "../api/page.ts";
import { type App, defineApi, defineApp } from "../define.ts";
import { askOwner } from "./declare.ts";
import { OWNER, ownerMessages, ownerQuestions, ownerReactions, ownerTopics } from "./tables.ts";

/** The app by which the agent asks the scripted owner. It needs the actor of `makeOwnerActor`. */
export const ownerApp: App = defineApp({
  name: OWNER,
  summary:
    "The person you work for: ask what only they can know or decide, and read what they say.",
  tables: [ownerTopics, ownerQuestions, ownerMessages, ownerReactions],
  apis: {
    ask: defineApi({
      summary:
        "Ask the person you work for one thing. The answer takes some minutes and comes as a message.",
      params: z.strictObject({
        question: z.string().trim().min(1).max(300).describe("one question in plain words"),
      }),
      returns: z.object({ asked: z.boolean() }),
      example: () => ({ question: "How much may it cost?" }),
      handler: ({ db, now }, { question }) => {
        askOwner(db, now, question);
        return { asked: true };
      },
    }),
    listMessages: defineApi({
      summary: "List what the person you work for has said to you, the newest first.",
      params: z.strictObject({ page: pageParam }),
      returns: pageSchema(
        z.object({ at: z.string(), text: z.string(), question: z.string().nullable() }),
      ),
      example: () => ({}),
      handler: ({ db }, { page }) => {
        const said = [...db.all(ownerMessages)].reverse().map(({ at, text, question }) => ({
          ...{ at, text },
          question: question === null ? null : db.get(ownerQuestions, question)!.text,
        }));
        return takePage(said, page, 20);
      },
    }),
  },
});
