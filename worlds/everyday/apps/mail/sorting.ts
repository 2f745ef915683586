/**
 * Defines the APIs that move mails between folders, set read flags, rename labels, snooze mails, and manage rules that
 * label mails in the inbox.
 */

import {
  containsIgnoringCase,
  dayParam,
  defineItem,
  filterWhere,
  newestFirst,
  orderBy,
  refuseUnless,
  requireFreeName,
  resource,
  shortTextParam,
  upsertRow,
  withoutUndefined,
} from "bowline/resources";
import { defineApi, type Reader, type Writer, z } from "bowline/world";
import {
  handleParam,
  nullableHandleField,
  optionalPersonId,
  requireTodayOrLater,
} from "../shared.ts";
import { type Mail, mails } from "../tables.ts";
import {
  exampleReceivedId,
  mailItem,
  received,
  receivedResource,
  requireReceivedMail,
} from "./mail-items.ts";
import { type Rule, rules, snoozes } from "./tables.ts";

const changedCount = z.strictObject({ changed: z.int() });

const ids = z
  .array(z.int().min(1))
  .min(1)
  .max(50)
  .describe("ids of received mails, at most 50, without repeats");

const markReadApi = (summary: string, unread: boolean) =>
  defineApi({
    summary,
    params: z.strictObject({ ids }),
    returns: changedCount,
    example: (db) => ({ ids: [exampleReceivedId(db, (row) => row.unread !== unread)] }),
    handler: ({ db }, { ids }) => {
      const isUnique = new Set(ids).size === ids.length;
      refuseUnless(isUnique, 422, `ids: expected every id once, got [${ids.join(", ")}]`);
      const rows = ids.map((id) => requireReceivedMail(db, id));
      for (const row of rows) db.update(mails, row.id, { unread });
      return { changed: rows.filter((row) => row.unread !== unread).length };
    },
  });

/**
 * Replaces or removes a label on all mails that have exactly this label, in every folder. Returns how many were
 * changed.
 */
function replaceLabel(db: Writer, label: string, to: string | null) {
  const rows = db.where(mails, { label });
  refuseUnless(
    rows.length > 0,
    404,
    `label: no mail has the label "${label}"; mail.labels lists them`,
  );
  for (const { id } of rows) db.update(mails, id, { label: to });
  return { changed: rows.length };
}

const exampleLabel = (db: Reader) =>
  db.all(mails).find(({ label }) => label !== null)?.label ?? "receipts";

const findSnooze = (db: Reader, mail: number) => db.where(snoozes, { mail })[0];
const snoozedItem = mailItem.with({
  until: [z.string(), ({ id }, { db }) => findSnooze(db, id)?.until ?? ""],
});
const snoozedMail = receivedResource("snoozed mail", (db) => db.all(snoozes)[0]?.mail ?? 1);

const rule = resource({
  noun: "rule",
  item: defineItem(rules, {
    ...rules.fields("name", "id"),
    from: nullableHandleField,
    ...rules.fields("words", "label", "archives", "active"),
  }),
});

/** Returns the mails that are in the inbox now and match the rule. */
function mailsMatchingRule(db: Reader, rule: Rule): Mail[] {
  const match = withoutUndefined({ person: rule.person ?? undefined });
  return db
    .where(mails, { outgoing: false, folder: "inbox", ...match })
    .filter((row) => rule.words === null || containsIgnoringCase(row.subject, rule.words));
}

export const sortingApis = {
  move: received.change("Move a received mail to a folder.", {
    params: { folder: z.enum(["inbox", "archive", "trash"]).describe("where to") },
    checkRow: (row, { id, folder }) =>
      refuseUnless(row.folder !== folder, 409, `folder: mail ${id} is already in ${folder}`),
    example: { folder: "archive" },
  }),
  markRead: markReadApi("Mark received mails as read; says how many were unread.", false),
  markUnread: markReadApi("Mark received mails as unread; says how many were read.", true),
  renameLabel: defineApi({
    summary: "Give all mails of one label another label; says how many.",
    params: z.strictObject({
      label: shortTextParam("the old label"),
      to: shortTextParam("the label in its place"),
    }),
    returns: changedCount,
    example: (db) => ({ label: exampleLabel(db), to: "old papers" }),
    handler: ({ db }, { label, to }) => replaceLabel(db, label, to),
  }),
  snooze: received.act(
    "Let a received mail wait in the archive until a day, in place of an earlier such day.",
    {
      params: { until: dayParam("the day on which it is due again") },
      item: snoozedItem,
      run: ({ folder }, { id, until }, { db, now }) => {
        refuseUnless(folder !== "trash", 409, `id: mail ${id} is in the trash; mail.restore first`);
        requireTodayOrLater(until, now, "until");
        upsertRow(db, snoozes, { mail: id }, { until });
        return db.update(mails, id, { folder: "archive" });
      },
      example: { until: "2026-03-20" },
    },
  ),
  snoozed: received.list(
    "List snoozed mail by the day on which it is due again, then newest first; the trash is left out.",
    {
      item: snoozedItem,
      rows: (_, { db }) =>
        db
          .all(snoozes)
          .map(({ mail }) => db.get(mails, mail)!)
          .filter(({ folder }) => folder === "archive"),
      filters: {
        until: [
          dayParam("only due on this day or earlier"),
          filterWhere(({ id }, last, { db }) => findSnooze(db, id)!.until <= last),
        ],
      },
      order: (rows, context) =>
        orderBy<Mail>(({ id }, { db }) => findSnooze(db, id)!.until)(newestFirst(rows), context),
    },
  ),
  wake: snoozedMail.act("End the waiting of a snoozed mail: it moves to the inbox.", {
    run: (_, { id }, { db }) => {
      const snooze = findSnooze(db, id);
      refuseUnless(snooze, 409, `id: mail ${id} is not snoozed; mail.snoozed lists those`);
      db.remove(snoozes, snooze.id);
      return db.update(mails, id, { folder: "inbox" });
    },
  }),
  rules: rule.list("List the rules for incoming mail, oldest first.", {
    filters: { active: z.boolean().describe("only active ones, or only paused ones") },
    example: { active: true },
  }),
  addRule: rule.add(
    "Add a rule: mail from someone or with words in the subject gets a label or is archived.",
    {
      params: {
        name: shortTextParam("the rule's name, a new one"),
        from: handleParam("only mail from this person").optional(),
        words: shortTextParam(
          "only mail with these words in the subject; case is ignored",
        ).optional(),
        label: shortTextParam("the label that such mail gets").optional(),
        archives: z.boolean().default(false).describe("whether such mail goes to the archive"),
      },
      row: ({ name, from, words = null, label = null, archives }, { db }) => {
        requireFreeName(db, rules, name);
        const person = optionalPersonId(db, from, "from") ?? null;
        const hasCondition = person !== null || words !== null;
        refuseUnless(hasCondition, 422, "from: expected from or words or both, got neither");
        const hasEffect = label !== null || archives;
        refuseUnless(
          hasEffect,
          422,
          "label: expected label or archives: true or both, got neither",
        );
        return { name, person, words, label, archives };
      },
      defaults: { active: true },
      example: { name: "photo mail", words: "photo", label: "pictures" },
    },
  ),
  setRule: rule.change("Pause a rule, or make it active again.", {
    params: { active: z.boolean().describe("false: the rule pauses") },
    example: { active: false },
  }),
  applyRule: defineApi({
    summary:
      "Apply an active rule to the mail that is in the inbox now; says how many it was about.",
    params: z.strictObject(rule.keys),
    returns: changedCount,
    example: (db) => ({ id: db.all(rules).find(({ active }) => active)?.id ?? 1 }),
    handler: (context, { id }) => {
      const row = rule.find({ id }, context);
      refuseUnless(row.active, 409, `id: rule ${id} is paused; mail.setRule first`);
      const rows = mailsMatchingRule(context.db, row);
      const patch: Partial<Mail> = {
        ...(row.label === null ? {} : { label: row.label }),
        ...(row.archives ? { folder: "archive" } : {}),
      };
      for (const { id } of rows) context.db.update(mails, id, patch);
      return { changed: rows.length };
    },
  }),
  removeRule: rule.remove("Remove a rule; mail keeps what the rule did."),
};
