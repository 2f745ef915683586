/** Collections of received mail: the inbox, mail that is not in the trash, and mail about money. */
import {
  alternatives,
  atLeast,
  atMost,
  declareColumns,
  defineCollection,
  drawLowerBound,
  jsLiteral,
  nouns,
  superlatives,
  titleBy,
  wordList,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { attachments } from "../../apps/mail/tables.ts";
import { dayOf } from "../../apps/shared.ts";
import type { Mail } from "../../apps/tables.ts";
import {
  amountCode,
  centsInText,
  dayCode,
  dayInText,
  findByExactNameCode,
  idsOfCopyReceivers,
  mailCollectionOptions,
  preferPeopleWithSeveralRows,
  senderColumn,
  subjectStartColumn,
  withoutLabelColumn,
} from "./mails-and-columns.ts";

const BODY_CODE = "apis.mail.show({id:x.id}).body";
const SUBJECT_STARTS = wordList(
  "Invitation | Directions | Receipt | Pictures | Deposit | Invoice | Re",
);
/** Words that occur in the bodies of some mails. */
const BODY_WORDS = wordList(`platform | door code | deposit | invoice | pictures | tickets | cash
  | warm scarf | row eight | shoes | thank you | bridge`);
const BOUGHT_THINGS = wordList("dinner | wine | taxi | tickets | drinks | groceries | gift | cake");

const countFiles = (row: Mail, db: Reader) => db.where(attachments, { mail: row.id }).length;

const receivedColumns = declareColumns<Mail>((kit) => {
  const { choice, drawnClause, day, withProperty, money, number, person, text } = kit;
  return {
    from: preferPeopleWithSeveralRows(senderColumn(kit, (row) => row.person)),
    subject: text((row) => row.subject, { item: "subject", noun: "subject" }),
    label: choice((row) => row.label, { arg: "label" }, { excludes: ["unlabelled"] })`
      with the label "$"
      | labelled "$" | that have the label "$" | which are labelled "$" | that carry the label "$"`,
    unlabelled: withoutLabelColumn(kit),
    starred: withProperty((row) => row.starred, {
      args: "starred:true",
    })`with a star | that I starred | which are starred | that have a star | that carry a star`,
    unread: withProperty((row) => row.unread, {
      args: "unread:true",
    })`that I have not read yet | that are
      still unread | which are unread | I have yet to read | that nobody has read so far`,
    "subject-start": subjectStartColumn(kit, SUBJECT_STARTS),
    body: choice(
      (row) => BODY_WORDS.filter((topic) => row.body.toLowerCase().includes(topic)),
      {},
      { code: (topic) => ({ test: `${BODY_CODE}.toLowerCase().includes(${topic})` }) },
    )`whose text mentions "$" | with "$" in the text | whose text has the words "$" in it
      | in whose text I can find "$" | where "$" is mentioned in the text`,
    day: day(
      (row) => dayOf(row.at),
      { item: "day", noun: "day of arrival" },
      superlatives`newest / oldest | latest / earliest | most recent / oldest | newest / oldest
          | most recent / earliest`,
      atLeast("since", { arg: "since", excludes: ["until"] })`that came on $ or later
        | received on or after $ | that I got on $ or after that day
        | no older than $ | which reached me on $ at the earliest`,
      atMost("until", { arg: "until", excludes: ["since"] })`that came on $ or earlier
        | received on or before $ | that I got on $ or before that day
        | no newer than $ | which reached me on $ at the latest`,
    ),
    attached: withProperty((row, db) => countFiles(row, db) > 0, {
      args: "attached:true",
    })`with attachments | that have something attached | which came with attachments
      | that carry at least one attachment | to which a file is attached`,
    attachments: number(countFiles, { item: "attachments", noun: "number of attachments" }),
    "many-files": drawnClause(
      ({ rng, db }, all) => {
        const minimum = drawLowerBound(
          rng,
          all.map((row) => countFiles(row, db)),
        );
        // A bound below two would mean "one or more", which the clause `attached` already says.
        if (minimum === undefined || minimum < 2) return undefined;
        return {
          words: alternatives`with ${minimum} or more attachments
            | that have at least ${minimum} attachments
            | to which ${minimum} or more files are attached
            | with no fewer than ${minimum} attachments
            | which came with ${minimum} attachments or more`,
          holds: (row, reader) => countFiles(row, reader) >= minimum,
          code: { test: `x.attachments>=${minimum}` },
        };
      },
      { excludes: ["attached"] },
    ),
    archived: withProperty((row) => row.folder === "archive", { args: 'folder:"archive"' })`
      that lie in the archive | which I have archived
      | that are in the archive | that I put into the archive | that are archived`,
    copied: person(
      (row, db) => idsOfCopyReceivers(db, row.id),
      (handle) => ({
        test: `apis.mail.copies({id:x.id,size:20}).items.some(c=>c.handle===${handle})`,
      }),
    )`of which $ got a copy | that were copied to $ | with $ among those who got a copy
      | of which a copy went to $ | that $ got as a copy`,
    amount: money(
      (row) => centsInText(row.body),
      { code: amountCode(BODY_CODE), noun: "amount" },
      superlatives`largest (by amount) / smallest (by amount) | biggest (by amount) / smallest (by
        amount) | highest (by amount) / lowest (by amount) | largest (by amount) / smallest (by
        amount) | biggest (by amount) / smallest (by amount)`,
      atLeast("amount-from", { excludes: ["amount-to"] })`with an amount of $ or more
        | whose amount is at least $ | with an amount no lower than $
        | in which the amount is $ or more | whose text names an amount of at least $`,
      atMost("amount-to")`with an amount of $ or less | whose amount is at most $
        | with an amount no higher than $
        | in which the amount is $ or less | whose text names an amount of at most $`,
    ),
    due: day(
      (row) => dayInText(row.body) || null,
      { code: dayCode(BODY_CODE), noun: "due day" },
      superlatives`latest (by due day) / earliest (by due day) | latest (by due day) / earliest
        (by due day) | latest (by due day) / earliest (by due day) | latest (by due day) /
        earliest (by due day) | latest (by due day) / earliest (by due day)`,
      atMost("due-by")`due on $ or earlier | that are due by $ | that have to be paid on or before $
        | whose due day is $ or before | to be paid by $ at the latest`,
    ),
    what: choice(
      ({ subject }) =>
        BOUGHT_THINGS.map((what) => `Receipt: ${what},`).filter((it) => subject.startsWith(it)),
      {},
      { code: (start) => ({ test: `x.subject.startsWith(${start})` }) },
    )`whose subject starts with "$" | with a subject that begins with "$"
      | whose subject line begins with "$"
      | with "$" at the start of the subject | that have "$" at the start of their subjects`,
  };
});

const isKept = (row: Mail) => !row.outgoing && row.folder !== "trash";

/** Makes the collection of mails with a certain label, such as `invoices`, that is used for mails about money. */
const collectionOfMoneyMail = (label: string, clauses: string, fields: string) =>
  defineCollection<Mail>({
    ...mailCollectionOptions("bills", label),
    includes: (row) => isKept(row) && row.label === label,
    list: { api: "list", args: `label:${jsLiteral(label)}` },
    nouns: nouns`mail(s) labelled "${label}" in inbox and archive | mail(s) with the label
      "${label}" in inbox and archive | e-mail(s) labelled "${label}" in inbox and archive
      | inbox and archive mail(s) labelled "${label}"
      | inbox and archive mail(s) with the label "${label}"`,
    columns: receivedColumns,
    clauses,
    fields,
  });

export const receivedMailCollections = [
  defineCollection<Mail>({
    ...mailCollectionOptions("mails", "inbox"),
    includes: (row) => !row.outgoing && row.folder === "inbox",
    list: { api: "list", args: 'folder:"inbox"' },
    nouns: nouns`mail(s) in my inbox | inbox mail(s) | e-mail(s) in my inbox | mail(s) in the inbox
      | mail(s) lying in my inbox`,
    columns: receivedColumns,
    clauses: "from label unlabelled starred unread subject-start body",
    fields: "subject",
    title: titleBy<Mail>(
      "subject",
      (title) =>
        findByExactNameCode(
          `apis.mail.list({folder:"inbox",subject:${jsLiteral(title)},size:20}).items`,
          "subject",
          title,
        ),
      "Keys to the boat house | Roof repair, second offer | Plans for the tunnel",
    )`the mail "$" in my inbox | the mail with the subject "$" in my inbox
      | the mail in my inbox whose subject is "$"
      | the mail called "$" in my inbox | the one mail in my inbox with "$" as its subject`,
  }),
  defineCollection<Mail>({
    ...mailCollectionOptions("mails", "kept"),
    includes: isKept,
    list: "list",
    nouns: nouns`mail(s) in inbox and archive | received mail(s) outside the trash | e-mail(s) in
      inbox and archive | received e-mail(s) outside the trash | mail(s) in inbox or archive`,
    columns: receivedColumns,
    clauses: "from since until attached many-files archived subject-start copied",
    fields: "subject day attachments",
  }),
  collectionOfMoneyMail(
    "receipts",
    "from since until amount-from amount-to what archived copied",
    "subject amount day",
  ),
  collectionOfMoneyMail(
    "bills",
    "from since amount-from amount-to due-by archived",
    "subject amount due",
  ),
];
