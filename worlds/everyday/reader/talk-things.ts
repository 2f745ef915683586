/** What the reader knows of events, mail, messages and more of music: nouns, phrases and columns. */
import {
  belonging,
  compared,
  fixed,
  isPerson,
  NAME,
  type Row,
  type Tables,
  valued,
} from "./phrases.ts";
import type { Thing } from "./things.ts";

const TODAY = "2026-03-12";
const day = (row: Row) => String(row["day"]);
const sentOn = (row: Row) => String(row["at"]).slice(0, 10);
const text = (column: string) => (row: Row) => String(row[column]);
const SOON = { most: "latest|last", least: "next|earliest|first" };
const PAST = { most: "newest|latest|most recent", least: "oldest|earliest" };
const AMOUNTS = { most: "largest|biggest|highest", least: "smallest|lowest" };
const COSTS = { most: "most expensive|costliest|priciest", least: "cheapest|least expensive" };
const amountIn = (words: unknown) =>
  Math.round(100 * Number(/\$(\d+\.\d\d)/.exec(String(words))?.[1] ?? 0));
const dayIn = (words: unknown) => /\d{4}-\d\d-\d\d/.exec(String(words))?.[0] ?? null;

const guestsOf = (row: Row, tables: Tables) =>
  tables("calendar.guests").filter((one) => one["event"] === row.id && one["uninvited"] === false);
const eventPhrases = [
  valued(
    `(?:with|in which|where|that|with) ${NAME} (?:takes part|belongs to as host or guest|is host or guest|as host or guest)|that ${NAME} belongs to as host or guest|with ${NAME}(?! as the host)`,
    (row, value, tables) =>
      [row["host"], ...guestsOf(row, tables).map((one) => one["person"])].some((id) =>
        isPerson(tables, id, value),
      ),
  ),
  valued(
    `hosted by ${NAME}|whose host is ${NAME}|that ${NAME} hosts|with ${NAME} as the host|for which ${NAME} is the host`,
    (row, value, tables) => isPerson(tables, row["host"], value),
  ),
  valued(
    '(?:in|of|that lie in|filed under) the category "([^"]*)"|whose category is "([^"]*)"',
    (row, value, tables) => {
      const filing = tables("calendar.filings").find((one) => one["event"] === row.id);
      return tables("calendar.categories").some(
        (one) => one.id === filing?.["category"] && one["name"] === value,
      );
    },
  ),
  compared(
    "with|that have|to which|with a guest list of",
    "number",
    (row, tables) => guestsOf(row, tables).length,
    "(?:or more )?guests(?: are invited)?",
  ),
  fixed(
    "without guests|that have no guests|to which nobody is invited|with an empty guest list|which have no guest at all",
    (row, tables) => guestsOf(row, tables).length === 0,
  ),
  fixed(
    "without a reminder|that have no reminder|for which no reminder is set|which lack a reminder|with no reminder so far",
    (row, tables) => belonging(tables, "calendar.reminders", "event", row.id) === undefined,
  ),
  fixed(
    "with at least one guest who has not answered|that still lack an answer of a guest|where a guest has not answered yet|for which the answer of some guest is missing|with a guest whose answer is still open",
    (row, tables) =>
      guestsOf(row, tables).some(
        ({ person }) =>
          !tables("calendar.answers").some(
            (one) => one["event"] === row.id && one["person"] === person,
          ),
      ),
  ),
  fixed(
    "that start before noon|that begin before 12:00|with a start before 12:00|which start earlier than 12:00|whose start is before noon",
    (row) => String(row["time"]) < "12:00",
  ),
  fixed(
    "that start at 18:00 or later|that begin no earlier than 18:00|with a start at 18:00 or after|which start at six in the evening or later|whose start is 18:00 or later",
    (row) => String(row["time"]) >= "18:00",
  ),
  compared("|that are", "day", day, "or a later day"),
  valued(`(?:from|by|that came from) ${NAME}|that ${NAME} sent`, (row, value, tables) =>
    isPerson(tables, row["host"], value),
  ),
];
const accepted = (row: Row) => row["response"] === "accepted" && row["cancelled"] === false;
const event = (
  name: string,
  noun: string,
  includes: Thing["includes"],
  ranks: { readonly most: string; readonly least: string } = SOON,
): Thing => ({
  ...{ name, noun, includes },
  table: "calendar.events",
  phrases: eventPhrases,
  fields: [
    { words: "title", read: text("title") },
    { words: "day", read: day, ranks },
    {
      words: "number of guests",
      read: (row, tables) => guestsOf(row, tables).length,
      ranks: { most: "largest|biggest|best-attended", least: "smallest" },
    },
  ],
});
const events: readonly Thing[] = [
  event(
    "own events",
    "(?:upcoming|future) events? of (?:mine|my own)|coming events? hosted by me",
    (row) => accepted(row) && row["host"] === null && day(row) >= TODAY,
  ),
  event(
    "events of others",
    "accepted (?:upcoming|coming|future) events? of (?:others|other hosts|other people)",
    (row) => accepted(row) && row["host"] !== null && day(row) >= TODAY,
  ),
  event(
    "past events",
    "past events? (?:in|of|on) my calendar|past calendar events?|events? of the past in my calendar",
    (row) => accepted(row) && day(row) < TODAY,
    PAST,
  ),
  event(
    "invitations",
    "open calendar invitations?|open invitations?(?: in my calendar)?|calendar invitations without an answer of mine|(?:unanswered|pending) calendar invitations",
    (row) => row["response"] === "open",
  ),
];

const copied = valued(
  `of which ${NAME} got a copy|that were copied to ${NAME}|with ${NAME} among those who got a copy|of which (?:a copy went to|I sent) ${NAME}(?: a copy)?|that ${NAME} got as a copy`,
  (row, value, tables) =>
    tables("mail.copies").some(
      (one) => one["mail"] === row.id && isPerson(tables, one["person"], value),
    ),
);
const subjectStart = valued(
  'whose subject (?:line )?(?:begins|starts) with "([^"]*)"|with a subject that (?:begins|starts) with "([^"]*)"|with "([^"]*)" at the (?:very beginning|start) of the subject|(?:that|whose subjects) have "([^"]*)" (?:right at the start|at the start of their subjects)',
  (row, value) => String(row["subject"]).startsWith(value),
);
const filesOn = (row: Row, tables: Tables) =>
  tables("mail.attachments").filter((one) => one["mail"] === row.id).length;
const receivedPhrases = [
  copied,
  subjectStart,
  valued(
    `(?:from|sent by|that came from|which I got from) ${NAME}|that ${NAME} sent me`,
    (row, value, tables) => isPerson(tables, row["person"], value),
  ),
  compared(
    "with|that have|to which|which came with",
    "number",
    filesOn,
    "(?:or more )?(?:attachments(?: or more)?|files are attached)",
  ),
  fixed(
    "with attachments|that have something attached|which came with attachments|that carry at least one attachment|to which a file is attached",
    (row, tables) => filesOn(row, tables) > 0,
  ),
  fixed(
    "that are archived|which I have archived|that I put into the archive|that (?:lie|are) in the archive",
    (row) => row["folder"] === "archive",
  ),
  compared("|that came|received|that I got|which reached me", "day", sentOn, "or after that day"),
  compared(
    "with an amount(?: of| no (?:lower|higher) than)?|whose amount is|in which the amount is|whose text names an amount of",
    "money",
    (row) => amountIn(row["body"]),
  ),
  valued(
    "with an amount no lower than \\$(\\d+(?:\\.\\d+)?)",
    (row, value) => amountIn(row["body"]) >= Math.round(Number(value) * 100),
  ),
  valued(
    "with an amount no higher than \\$(\\d+(?:\\.\\d+)?)",
    (row, value) => amountIn(row["body"]) <= Math.round(Number(value) * 100),
  ),
  compared("due|that are due|that have to be paid|whose due day is|to be paid", "day", (row) =>
    dayIn(row["body"]),
  ),
];
const kept = (row: Row) => row["outgoing"] === false && row["folder"] !== "trash";
const mailFields: Thing["fields"] = [
  { words: "subject", read: text("subject") },
  { words: "day of arrival", read: sentOn, ranks: PAST },
  { words: "number of attachments", read: filesOn },
  {
    words: "amount",
    read: (row) => amountIn(row["body"]),
    isMoney: true,
    ranks: {
      most: "(?:largest|biggest|highest) \\(by amount\\)",
      least: "(?:smallest|lowest) \\(by amount\\)",
    },
  },
  {
    words: "due day",
    read: (row) => dayIn(row["body"]),
    ranks: { most: "latest \\(by due day\\)", least: "earliest \\(by due day\\)" },
  },
];
const labelled = (label: string): Thing => ({
  name: `${label} in mail`,
  table: "mail.mails",
  noun: `(?:e-)?mails? (?:labelled|with the label) "${label}" in inbox and archive|inbox and archive mails? (?:labelled|with the label) "${label}"`,
  includes: (row) => kept(row) && row["label"] === label,
  phrases: receivedPhrases,
  fields: mailFields,
});
const draftPhrases = [
  subjectStart,
  copied,
  valued(
    `(?:to|addressed to|that are meant for|whose receiver is) ${NAME}|with ${NAME} as the receiver`,
    (row, value, tables) => isPerson(tables, row["person"], value),
  ),
];
const followUp = (row: Row, tables: Tables) =>
  (belonging(tables, "mail.followUps", "mail", row.id)?.["day"] ?? null) as string | null;
const mails: readonly Thing[] = [
  labelled("receipts"),
  labelled("bills"),
  {
    name: "kept mails",
    table: "mail.mails",
    noun: "(?:e-)?mails? in inbox (?:and|or) archive|received (?:e-)?mails? outside the trash",
    includes: kept,
    phrases: receivedPhrases,
    fields: mailFields,
  },
  {
    name: "drafts",
    table: "mail.drafts",
    noun: "(?:mail|unsent)? ?drafts?(?: of mine| in my mail)?",
    includes: () => true,
    phrases: draftPhrases,
    fields: [{ words: "subject", read: text("subject") }],
  },
  {
    name: "scheduled mails",
    table: "mail.scheduled",
    noun: "scheduled (?:e-)?mails?|(?:e-)?mails? scheduled for (?:later|a later day)",
    includes: (row) => row["status"] === "waiting",
    phrases: [
      ...draftPhrases,
      compared(
        "that leave|to be sent|that go out|set for|whose day is",
        "day",
        day,
        "or a day before|or a day after|at the (?:latest|earliest)",
      ),
    ],
    fields: [
      { words: "subject", read: text("subject") },
      { words: "day of sending", read: day, ranks: SOON },
    ],
  },
  {
    name: "waiting mails",
    table: "mail.mails",
    noun: "sent (?:e-)?mails? (?:on my follow-up list|marked for follow-up|with a follow-up day)",
    includes: (row, tables) => row["outgoing"] === true && followUp(row, tables) !== null,
    phrases: [
      ...draftPhrases,
      compared(
        "that should be answered|whose follow-up day is|with a follow-up day|to be followed up|that wait|with",
        "day",
        followUp,
        "or an earlier day for following up|or a later day for following up",
      ),
    ],
    fields: [
      { words: "subject", read: text("subject") },
      {
        words: "follow-up day",
        read: followUp,
        ranks: { most: "latest \\(by follow-up day\\)", least: "earliest \\(by follow-up day\\)" },
      },
    ],
  },
];

const hasWord = (words: unknown, word: string) =>
  new RegExp(`(?<![a-z])${word}(?![a-z])`, "i").test(String(words));
const mentions = valued(
  'that (?:mention|contain the word) "([^"]*)"|with the word "([^"]*)" in them|in which "([^"]*)" is mentioned|that have "([^"]*)" in their text',
  (row, value) => hasWord(row["text"], value),
);
const addressed = valued(
  `(?:to|that are to|whose receiver is) ${NAME}|with ${NAME} as the receiver|that have ${NAME} as their receiver`,
  (row, value, tables) => isPerson(tables, row["person"], value),
);
const textPhrases = [
  mentions,
  valued(
    `(?:from|that came from|whose sender is) ${NAME}|with ${NAME} as the sender|that have ${NAME} as their sender`,
    (row, value, tables) => isPerson(tables, row["person"], value),
  ),
  addressed,
  fixed(
    "that contain an amount in dollars|with a dollar amount in them|in which a dollar amount is written|that have an amount in dollars in their text|which name a sum in dollars",
    (row) => String(row["text"]).includes("$"),
  ),
  fixed(
    "that end with a question mark|whose last character is a question mark|which end in a question mark|with a question mark at the end|that have a question mark as their last character",
    (row) => String(row["text"]).endsWith("?"),
  ),
  fixed(
    "that are unread|I have not read yet|that I have yet to read|which are still unread|that have not been read",
    (row) => row["unread"] === true,
  ),
  fixed(
    "with a star|that are starred|which I have starred|that carry a star|marked with a star",
    (row) => row["starred"] === true,
  ),
];
const MONTHS =
  "January February March April May June July August September October November December";
const after = (row: Row, value: string) => {
  const [date, month, year] = value.split(" ");
  const number = MONTHS.split(" ").indexOf(month!) + 1;
  return sentOn(row) > `${year}-${String(number).padStart(2, "0")}-${date!.padStart(2, "0")}`;
};
const PAID =
  'messages? in which someone says they paid|messages? that says? what (?:their|its) sender paid|received messages? about what (?:their|its) sender paid|messages? I got about what (?:their|its) sender paid|received messages? that says? "paid"';
const texts: readonly Thing[] = [
  {
    name: "paid texts",
    table: "messages.texts",
    noun: PAID,
    includes: (row) => row["outgoing"] === false && hasWord(row["text"], "paid"),
    phrases: [
      textPhrases[1]!,
      valued(
        "(?:that came|received|that reached me|with a date) after (\\d+ \\w+ \\d{4})|which I got later than (\\d+ \\w+ \\d{4})",
        after,
      ),
      valued(
        "(?:that are about|for|which speak of|concerning) (the \\w+)|where (the \\w+) was paid",
        (row, value) => hasWord(row["text"], `${value} at`),
      ),
      compared(
        "that speak of|with an amount of|whose amount is|that name an amount of|in which the amount is",
        "money",
        (row) => amountIn(row["text"]),
      ),
    ],
    fields: [
      { words: "text", read: text("text") },

      {
        words: "amount named",
        read: (row) => amountIn(row["text"]),
        isMoney: true,
        ranks: COSTS,
      },
      { words: "date", read: text("at"), ranks: PAST },
    ],
  },
  {
    name: "received texts",
    table: "messages.texts",
    noun: "messages? (?:I received|I got in Messages|that reached me in Messages)|received messages?(?: in Messages)?",
    includes: (row) => row["outgoing"] === false,
    phrases: textPhrases.filter((phrase) => phrase !== addressed),
    fields: [{ words: "text", read: text("text") }],
  },
  {
    name: "sent texts",
    table: "messages.texts",
    noun: "messages? (?:I sent|of mine in Messages|that I sent in Messages)|sent messages?(?: in Messages)?",
    includes: (row) => row["outgoing"] === true,
    phrases: textPhrases,
    fields: [{ words: "text", read: text("text") }],
  },
  {
    name: "posts",
    table: "messages.posts",
    noun: "(?:group )?chat posts?|posts? in (?:my (?:group )?chats|group chats|a group chat)",
    includes: (row, tables) =>
      row["withdrawn"] === false &&
      tables("messages.chats").some(
        (chat) => chat.id === row["chat"] && chat["role"] !== "removed",
      ),
    phrases: [
      mentions,
      valued(
        '(?:in the group|from my group|that stand in the group|which are in the|of the group) chat "([^"]*)"',
        (row, value, tables) =>
          tables("messages.chats").some(
            (chat) => chat.id === row["chat"] && chat["name"] === value,
          ),
      ),
      valued(
        `(?:by|from|whose author is) ${NAME}|that ${NAME} is the author of|with ${NAME} as their author`,
        (row, value, tables) => isPerson(tables, row["person"], value),
      ),
    ],
    fields: [{ words: "text", read: text("text") }],
  },
];

const pendingRequest = (name: string, noun: string, outgoing: boolean): Thing => ({
  ...{ name, noun, table: "pay.requests" },
  includes: (row) => row["outgoing"] === outgoing && row["status"] === "pending",
  phrases: [
    valued(
      'whose note mentions "([^"]*)"|that (?:mention|have) "([^"]*)" in (?:their|the) note|with "([^"]*)" in the note|with a note that contains "([^"]*)"',
      (row, value) => String(row["note"]).toLowerCase().includes(value),
    ),
    valued(
      `(?:from|sent by|that come from|to|that I sent to|addressed to) ${NAME}|that ${NAME} (?:made|has to pay)|in which ${NAME} asks for money|in which I ask ${NAME} for money`,
      (row, value, tables) => isPerson(tables, row["person"], value),
    ),
    compared("of|with an amount of|that are not below|that come to", "money", (row) =>
      Number(row["cents"]),
    ),
    compared("dated|with a date of|that are dated|that date|whose date is", "day", sentOn),
  ],
  fields: [
    { words: "note", read: text("note") },
    { words: "amount", read: (row) => Number(row["cents"]), isMoney: true, ranks: AMOUNTS },
    { words: "date", read: sentOn, ranks: PAST },
  ],
});
const requests: readonly Thing[] = [
  pendingRequest(
    "requests",
    "(?:pending|open|unanswered) payment requests? to me|payment requests? waiting for my answer|pending incoming Pay requests?",
    false,
  ),
  pendingRequest(
    "claims",
    "(?:pending|open|unanswered) payment requests? of (?:mine|my own)|payment requests? by me still (?:pending|unpaid)|pending outgoing Pay requests?",
    true,
  ),
];

export const talkThings: readonly Thing[] = [...events, ...mails, ...texts, ...requests];
