/** What the reader knows of people: contacts, their groups, who is owed, paid and written to, and circles of mail. */
import { compared, fixed, isPerson, NAME, type Row, type Tables, valued } from "./phrases.ts";
import type { Thing } from "./things.ts";

const details = (row: Row, tables: Tables) =>
  tables("contacts.details").find((one) => one["person"] === row.id);
const name = { words: "name", read: (row: Row) => String(row["name"]) };
const fullName = { words: "full name", read: (row: Row) => String(row["name"]) };
const sum = (rows: readonly Row[]) => rows.reduce((total, row) => total + Number(row["cents"]), 0);
const BY_SIZE = { most: "largest|biggest", least: "smallest" };
const CITY = "([A-Z]\\w+(?: [A-Z]\\w+)?)";

const membersOf = (tables: Tables, group: number) =>
  tables("contacts.members").filter((one) => one["group"] === group);
const payments = (row: Row, tables: Tables) =>
  tables("pay.payments").filter((one) => one["person"] === row.id);
const paid = (outgoing: boolean) => (row: Row, tables: Tables) =>
  sum(payments(row, tables).filter((one) => one["outgoing"] === outgoing));

/** What a person owes the owner by Split, in cents; negative when the owner owes the person. */
function owes(row: Row, tables: Tables, group?: unknown): number {
  const counted = tables("split.expenses").filter(
    (one) => one["removed"] === false && (group === undefined || one["group"] === group),
  );
  const shares = (expense: Row, person: number | null) =>
    sum(
      tables("split.shares").filter(
        (share) => share["expense"] === expense.id && share["person"] === person,
      ),
    );
  const theirs = counted
    .filter((one) => one["payer"] === null)
    .reduce((total, one) => total + shares(one, row.id), 0);
  const mine = counted
    .filter((one) => one["payer"] === row.id)
    .reduce((total, one) => total + shares(one, null), 0);
  const settled = tables("split.settlements")
    .filter(
      (one) =>
        one["person"] === row.id &&
        one["undone"] === false &&
        (group === undefined || one["group"] === group),
    )
    .reduce((total, one) => total + (one["outgoing"] ? 1 : -1) * Number(one["cents"]), 0);
  return theirs - mine + settled;
}
const unevenGroups = (row: Row, tables: Tables) =>
  new Set(
    tables("split.members")
      .filter((one) => one["person"] === row.id)
      .map((one) => one["group"])
      .filter((group) => owes(row, tables, group) !== 0),
  ).size;

const initial = valued(
  'whose names? starts? with "(\\w)"|with names that begin with "(\\w)"|(?:who|that) have names starting with "(\\w)"|with "(\\w)" as the first letter of (?:their|its) names|whose names have "(\\w)" as their first letter',
  (row, letter) => String(row["name"]).startsWith(letter),
);
const indebted = (sign: 1 | -1) => (row: Row, tables: Tables) => sign * owes(row, tables);
const debt = (sign: 1 | -1, noun: string, label: string): Thing => ({
  name: label,
  table: "contacts.people",
  noun,
  includes: (row, tables) => sign * owes(row, tables) > 0,
  phrases: [
    compared(
      "who owe me|with a debt of|whose debt is|who are behind by|whose whole debt comes to|whom I owe|to whom I owe|with a claim of|who are ahead by|whose whole claim comes to",
      "money",
      indebted(sign),
      "(?:or more )?in all",
    ),
    fixed(
      "with whom I am not even in more than one group|with open balances in at least two groups|between whom and me two or more groups are not even|who are not even with me in two groups or more|with whom several groups are not even",
      (row, tables) => unevenGroups(row, tables) > 1,
    ),
    initial,
  ],
  fields: [name, { words: label, read: indebted(sign), isMoney: true }],
});

const flag = (word: string) =>
  fixed(
    `whose conversation is ${word}|with an? ${word} conversation|whose conversation I have ${word}|that have an? ${word} conversation|with whom the conversation is ${word}`,
    (row, tables) =>
      tables("messages.conversations").some(
        (one) => one["person"] === row.id && one[word] === true,
      ),
  );

const people: readonly Thing[] = [
  {
    name: "payment partners",
    table: "contacts.people",
    noun: "(?:person|people) in (?:my Pay history|the payments of my Pay account)|contacts? (?:with Pay payments|in my Pay history)|(?:people|person) with (?:whom I had Pay payments|Pay payments to or from me)",
    includes: (row, tables) => payments(row, tables).length > 0,
    phrases: [
      compared(
        "with whom I had|with|with whom there were|who have|who were part of",
        "number",
        (row, tables) => payments(row, tables).length,
        "(?:or more )?payments(?: or more)?(?: with me)?",
      ),
      compared(
        "to whom I sent|who got|whom I paid a total of|to whom my payments add up to|who received",
        "money",
        paid(true),
        "(?:or more )?(?:from me )?(?:in all|altogether)",
      ),
      compared(
        "who sent me|from whom I got|who paid me a total of|whose payments to me add up to|from whom I received",
        "money",
        paid(false),
        "(?:or more )?(?:in all|altogether)",
      ),
      fixed(
        "who are among my Pay favourites|who are favourites of mine in Pay|whom I made a Pay favourite|who belong to my favourites in Pay|whom Pay lists as my favourites",
        (row, tables) => tables("pay.favourites").some((one) => one["person"] === row.id),
      ),
    ],
    fields: [
      name,
      { words: "amount paid by me in Pay", read: paid(true), isMoney: true },
      { words: "amount paid to me in Pay", read: paid(false), isMoney: true },
      {
        words: "number of Pay payments with me",
        read: (row, tables) => payments(row, tables).length,
      },
    ],
  },
  {
    name: "conversations",
    table: "contacts.people",
    noun: "people with whom I have (?:a conversation|messages)|people (?:among my conversations|from my conversations in Messages|with a conversation in Messages|I have a conversation with)",
    includes: (row, tables) => tables("messages.texts").some((one) => one["person"] === row.id),
    phrases: [flag("pinned"), flag("muted"), flag("archived")],
    fields: [fullName],
  },
  debt(
    1,
    "(?:person|people) (?:who owes? me by Split|in debt to me (?:by|in) Split)|contacts? with a debt to me in Split|debtors? of mine in Split|Split debtors? of mine",
    "debt to me",
  ),
  debt(
    -1,
    "(?:person whom I owe by|people with a claim on me (?:by|in)) Split|contacts? with a claim on me in Split|creditors? of mine in Split|Split creditors? of mine",
    "claim on me",
  ),
  {
    name: "contacts",
    table: "contacts.people",
    noun: "(?:people|person) (?:I know|in Contacts|in my address book|in my contacts)|contacts?",
    includes: () => true,
    phrases: [
      valued(
        '(?:in my|who belong to my|who are members of the|from the|who are in the) group "([^"]*)"',
        (row, value, tables) =>
          tables("contacts.groups").some(
            (group) =>
              group["name"] === value &&
              membersOf(tables, group.id).some((one) => one["person"] === row.id),
          ),
      ),
      valued(
        `(?:in|who live in|whose city is|who have their home in) ${CITY}|with ${CITY} as their city`,
        (row, value) => row["city"] === value,
      ),
      valued(
        "(?:born in|whose birthday is in|who have their birthday in|with a birthday in|whose birthdays fall in) (January|February|March|April|May|June|July|August|September|October|November|December)",
        (row, value, tables) =>
          new Date(String(details(row, tables)?.["birthday"])).toLocaleString("en", {
            month: "long",
            timeZone: "UTC",
          }) === value,
      ),
      compared(
        "born in|who were born|whose year of birth is|with|whose birth was in",
        "number",
        (row, tables) => Number(String(details(row, tables)?.["birthday"] ?? 9999).slice(0, 4)),
        "(?:or an earlier year )?as their year of birth|or before that year",
      ),
      compared(
        "born on|who were born|whose day of birth is|with a day of birth on|whose birth was on",
        "day",
        (row, tables) => String(details(row, tables)?.["birthday"] ?? "9999"),
        "or after that day|or after it",
      ),
      valued(
        'whose relationship to me is "([^"]*)"|noted with the relationship "([^"]*)"|who have "([^"]*)" as their relationship to me|who are down as "([^"]*)" in Contacts|with "([^"]*)" as the relationship',
        (row, value, tables) => details(row, tables)?.["relationship"] === value,
      ),
      fixed(
        "marked as favourites|that are favourites of mine|who are among my favourites|who count as favourites of mine|with the favourite mark",
        (row, tables) => details(row, tables)?.["favourite"] === true,
      ),
    ],
    fields: [
      fullName,
      { words: "city", read: (row) => String(row["city"]) },
      { words: "phone number", read: (row) => String(row["phone"]) },
      {
        words: "day of birth",
        read: (row, tables) => String(details(row, tables)?.["birthday"] ?? "9999-12-31"),
        ranks: { most: "youngest", least: "oldest" },
      },
    ],
  },
];

const circle = (
  thing: Pick<Thing, "name" | "table" | "noun" | "includes">,
  memberIds: (row: Row, tables: Tables) => readonly unknown[],
  tail: string,
): Thing => ({
  ...thing,
  phrases: [
    valued(
      `(?:that|which) ${NAME} is (?:in|on)|with ${NAME} (?:among the members|on them)|that have ${NAME} (?:as a member|in them)|to which ${NAME} belongs|of which ${NAME} is a member|in which ${NAME} is too`,
      (row, value, tables) => memberIds(row, tables).some((id) => isPerson(tables, id, value)),
    ),
    compared(
      "with|that have|in which there are|whose members(?: besides me)? number|of|on which there are",
      "number",
      (row, tables) => memberIds(row, tables).length,
      tail,
    ),
  ],
  fields: [
    name,
    {
      words: "number of members",
      read: (row, tables) => memberIds(row, tables).length,
      ranks: BY_SIZE,
    },
    {
      words: "number of members besides me",
      read: (row, tables) => memberIds(row, tables).length,
      ranks: BY_SIZE,
    },
  ],
});

const idsIn = (table: string, column: string) => (row: Row, tables: Tables) =>
  tables(table)
    .filter((one) => one[column] === row.id)
    .map((one) => one["person"]);

const chats = circle(
  {
    name: "chats",
    table: "messages.chats",
    noun: "group chats? (?:that includes? me|of mine|I belong to)|chats? (?:of mine in Messages|I belong to)",
    includes: (row) => row["role"] !== "removed",
  },
  (row, tables) =>
    tables("messages.chatMembers")
      .filter((one) => one["chat"] === row.id && one["role"] !== "removed")
      .map((one) => one["person"]),
  "(?:or (?:more|fewer) )?(?:members besides me|people in them besides me|others besides me)",
);

const circles: readonly Thing[] = [
  circle(
    {
      name: "contact groups",
      table: "contacts.groups",
      noun: "contact groups?|groups? (?:(?:kept )?in Contacts|of contacts|in my address book)",
      includes: () => true,
    },
    idsIn("contacts.members", "group"),
    "(?:or (?:more|fewer) )?(?:members|people(?: in them)?)",
  ),
  circle(
    {
      name: "mailing lists",
      table: "mail.lists",
      noun: "mailing lists?(?: of mine| in my mail| of my own| kept by me)?",
      includes: () => true,
    },
    idsIn("mail.listMembers", "list"),
    "(?:or more )?(?:members(?: or more)?|people)",
  ),
  {
    ...chats,
    phrases: [
      ...chats.phrases,
      valued(
        '(?:where my role is|in which I have the role) "(\\w+)"|(?:in which I am|that have me as|with me as) (?:an? (?:plain )?|the )(\\w+)',
        (row, value) => row["role"] === value,
      ),
      fixed(
        "that are muted|which I have muted|that I keep muted|on mute|whose sound is muted",
        (row) => row["muted"] === true,
      ),
    ],
  },
  {
    name: "newsletters",
    table: "mail.newsletters",
    noun: "newsletters? (?:(?:with|under) a running subscription|on subscription|with a subscription of mine)|subscribed newsletters?",
    includes: (row) => row["subscribed"] === true,
    phrases: [
      valued(
        `(?:by|edited by|whose editor is) ${NAME}|that ${NAME} edits|with ${NAME} as editor`,
        (row, value, tables) => isPerson(tables, row["person"], value),
      ),
      valued(
        "(?:that are|which come out|that appear|whose rhythm is) (daily|weekly|monthly|quarterly|yearly)|with a (daily|weekly|monthly|quarterly|yearly) rhythm",
        (row, value) => row["rhythm"] === value,
      ),
    ],
    fields: [
      name,
      {
        words: "number of issues",
        read: (row, tables) =>
          tables("mail.issues").filter((one) => one["newsletter"] === row.id).length,
      },
    ],
  },
];

export const peopleThings: readonly Thing[] = [...people, ...circles];
