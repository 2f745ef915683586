/** Putting mail in order: folders, read flags, whole labels, snoozed mail, and rules that label the inbox. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  day,
  freeName,
  given,
  handle,
  handleOf,
  idOf,
  line,
  newestFirst,
  notPast,
  paged,
  pageOf,
  paging,
  personId,
  rowBy,
} from "../shared.ts";
import { type Mail, mails } from "../tables.ts";
import { idIn, received } from "./examples.ts";
import { type Rule, rules, snoozes } from "./tables.ts";
import { mailItem, mailView, receivedMail } from "./views.ts";

const id = idOf("received mail");
const ids = z
  .array(z.int().min(1))
  .min(1)
  .max(50)
  .describe("ids of received mails, at most 50, without repeats");

// --- folders, flags, labels ---

const move = defineApi({
  summary: "Move a received mail to a folder.",
  params: z.strictObject({
    id,
    folder: z.enum(["inbox", "archive", "trash"]).describe("where to"),
  }),
  returns: mailItem,
  example: (db) => ({ id: received(db), folder: "archive" }) as const,
  handler: ({ db }, { id, folder }) => {
    if (receivedMail(db, id).folder === folder) {
      throw new ApiError(409, `folder: mail ${id} is already in ${folder}`);
    }
    return mailView(db)(db.update(mails, id, { folder }));
  },
});

function flag({ db }: CallContext, list: readonly number[], unread: boolean) {
  if (new Set(list).size < list.length) {
    throw new ApiError(422, `ids: expected every id once, got [${list.join(", ")}]`);
  }
  const rows = list.map((id) => receivedMail(db, id));
  for (const row of rows) db.update(mails, row.id, { unread });
  return { changed: rows.filter((row) => row.unread !== unread).length };
}

const changed = z.strictObject({ changed: z.int() });

const markRead = defineApi({
  summary: "Mark received mails as read; says how many were unread.",
  params: z.strictObject({ ids }),
  returns: changed,
  example: (db) => ({ ids: [received(db, (row) => row.unread)] }),
  handler: (context, { ids }) => flag(context, ids, false),
});

const markUnread = defineApi({
  summary: "Mark received mails as unread; says how many were read.",
  params: z.strictObject({ ids }),
  returns: changed,
  example: (db) => ({ ids: [received(db, (row) => !row.unread)] }),
  handler: (context, { ids }) => flag(context, ids, true),
});

/** Received mails with exactly this label, in every folder; a 404 when there is none. */
function labelled(db: Reader, label: string): readonly Mail[] {
  const rows = db.where(mails, { label });
  if (rows.length > 0) return rows;
  throw new ApiError(404, `label: no mail has the label "${label}"; mail.labels lists them`);
}

const someLabel = (db: Reader) =>
  db.all(mails).find((row) => row.label !== null)?.label ?? "receipts";

const renameLabel = defineApi({
  summary: "Give all mails of one label another label; says how many.",
  params: z.strictObject({ label: line("the old label"), to: line("the label in its place") }),
  returns: changed,
  example: (db) => ({ label: someLabel(db), to: "old papers" }),
  handler: ({ db }, { label, to }) => {
    const rows = labelled(db, label);
    for (const row of rows) db.update(mails, row.id, { label: to });
    return { changed: rows.length };
  },
});

const clearLabel = defineApi({
  summary: "Take one label off all its mails; says how many.",
  params: z.strictObject({ label: line("the label") }),
  returns: changed,
  example: (db) => ({ label: someLabel(db) }),
  handler: ({ db }, { label }) => {
    const rows = labelled(db, label);
    for (const row of rows) db.update(mails, row.id, { label: null });
    return { changed: rows.length };
  },
});

// --- snoozed mail ---

const snoozedItem = mailItem.extend({ until: z.string() });

function snoozeOf(db: Reader, mail: number) {
  const [row] = db.where(snoozes, { mail });
  return row;
}

const snooze = defineApi({
  summary: "Let a received mail wait in the archive until a day, in place of an earlier such day.",
  params: z.strictObject({ id, until: day("the day on which it is due again") }),
  returns: snoozedItem,
  example: (db) => ({ id: received(db), until: "2026-03-20" }),
  handler: ({ db, now }, { id, until }) => {
    const row = receivedMail(db, id);
    if (row.folder === "trash") {
      throw new ApiError(409, `id: mail ${id} is in the trash; mail.restore first`);
    }
    notPast(until, now, "until");
    const known = snoozeOf(db, id);
    if (known) db.update(snoozes, known.id, { until });
    else db.insert(snoozes, { mail: id, until });
    return { ...mailView(db)(db.update(mails, id, { folder: "archive" })), until };
  },
});

const snoozed = defineApi({
  summary: "List snoozed mail by the day on which it is due again, then newest first.",
  params: z.strictObject({ until: day("only due on this day or earlier").optional(), ...paging }),
  returns: pageOf(snoozedItem),
  example: () => ({}),
  handler: ({ db }, { until, ...page }) => {
    const rows = db.all(snoozes).flatMap((row) => {
      const mail = db.get(mails, row.mail)!;
      const due = until === undefined || row.until <= until;
      return due && mail.folder === "archive" ? [{ ...mail, until: row.until }] : [];
    });
    const order = newestFirst(rows).toSorted((a, b) =>
      a.until < b.until ? -1 : a.until > b.until ? 1 : 0,
    );
    return paged(order, page, (row) => ({ ...mailView(db)(row), until: row.until }));
  },
});

const wake = defineApi({
  summary: "End the waiting of a snoozed mail: it moves to the inbox.",
  params: z.strictObject({ id: idOf("snoozed mail") }),
  returns: mailItem,
  example: (db) => ({ id: db.all(snoozes)[0]?.mail ?? 1 }),
  handler: ({ db }, { id }) => {
    const row = snoozeOf(db, receivedMail(db, id).id);
    if (!row) throw new ApiError(409, `id: mail ${id} is not snoozed; mail.snoozed lists those`);
    db.remove(snoozes, row.id);
    return mailView(db)(db.update(mails, id, { folder: "inbox" }));
  },
});

// --- rules ---

const ruleItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  from: z.string().nullable(),
  words: z.string().nullable(),
  label: z.string().nullable(),
  archives: z.boolean(),
  active: z.boolean(),
});

const ruleView =
  (db: Reader) =>
  ({ person, ...row }: Rule) => ({
    ...row,
    from: person === null ? null : handleOf(db, person),
  });

const listRules = defineApi({
  summary: "List the rules for incoming mail, oldest first.",
  params: z.strictObject({
    active: z.boolean().optional().describe("only active ones, or only paused ones"),
    ...paging,
  }),
  returns: pageOf(ruleItem),
  example: () => ({ active: true }),
  handler: ({ db }, { active, ...page }) =>
    paged(db.where(rules, given({ active })), page, ruleView(db)),
});

const addRule = defineApi({
  summary:
    "Add a rule: mail from someone or with words in the subject gets a label or is archived.",
  params: z.strictObject({
    name: line("the rule's name, a new one"),
    from: handle("only mail from this person").optional(),
    words: line("only mail with these words in the subject; case is ignored").optional(),
    label: line("the label that such mail gets").optional(),
    archives: z.boolean().default(false).describe("whether such mail goes to the archive"),
  }),
  returns: ruleItem,
  example: () => ({ name: "photo mail", words: "photo", label: "pictures" }),
  handler: ({ db }, { name, from, words = null, label = null, archives }) => {
    freeName(db, rules, name);
    const person = personId(db, from, "from") ?? null;
    if (person === null && words === null) {
      throw new ApiError(422, "from: expected from or words or both, got neither");
    }
    if (label === null && !archives) {
      throw new ApiError(422, "label: expected label or archives: true or both, got neither");
    }
    return ruleView(db)(db.insert(rules, { name, person, words, label, archives, active: true }));
  },
});

const setRule = defineApi({
  summary: "Pause a rule, or make it active again.",
  params: z.strictObject({
    id: idOf("rule"),
    active: z.boolean().describe("false: the rule pauses"),
  }),
  returns: ruleItem,
  example: (db) => ({ id: idIn(db, rules), active: false }),
  handler: ({ db }, { id, active }) =>
    ruleView(db)(db.update(rules, rowBy(db, rules, id, "rule").id, { active })),
});

/** What a rule is about in the inbox now. */
function caught(db: Reader, rule: Rule): Mail[] {
  const match = given({ person: rule.person ?? undefined });
  return db
    .where(mails, { outgoing: false, folder: "inbox", ...match })
    .filter((row) => rule.words === null || contains(row.subject, rule.words));
}

const applyRule = defineApi({
  summary: "Apply an active rule to the mail that is in the inbox now; says how many it was about.",
  params: z.strictObject({ id: idOf("rule") }),
  returns: changed,
  example: (db) => ({ id: idIn(db, rules, (row) => row.active) }),
  handler: ({ db }, { id }) => {
    const rule = rowBy(db, rules, id, "rule");
    if (!rule.active) throw new ApiError(409, `id: rule ${id} is paused; mail.setRule first`);
    const rows = caught(db, rule);
    const patch: Partial<Mail> = {
      ...(rule.label === null ? {} : { label: rule.label }),
      ...(rule.archives ? { folder: "archive" } : {}),
    };
    for (const row of rows) db.update(mails, row.id, patch);
    return { changed: rows.length };
  },
});

const removeRule = defineApi({
  summary: "Remove a rule; mail keeps what the rule did.",
  params: z.strictObject({ id: idOf("rule") }),
  returns: ruleItem,
  example: (db) => ({ id: idIn(db, rules) }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, rules, id, "rule");
    db.remove(rules, id);
    return ruleView(db)(row);
  },
});

export const sortingApis = {
  move,
  markRead,
  markUnread,
  renameLabel,
  clearLabel,
  snooze,
  snoozed,
  wake,
  rules: listRules,
  addRule,
  setRule,
  applyRule,
  removeRule,
};
