/** What the reader knows of trips, shared costs, plans and files of others: nouns, phrases and columns. */
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
const cents = (row: Row) => Number(row["cents"]);
const text = (column: string) => (row: Row) => String(row[column]);
const CITY = "([A-Z]\\w+(?: [A-Z]\\w+)?)";
const AMOUNTS = { most: "largest|biggest|highest", least: "smallest|lowest" };
const COSTS = { most: "most expensive|costliest|priciest", least: "cheapest|least expensive" };
const SOON = { most: "latest|last", least: "next|earliest|first" };
const PAST = { most: "newest|latest|most recent", least: "oldest|earliest" };
const large = compared("of|with an amount of|that are not below|that come to", "money", cents);

const sumOf = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + cents(row), 0);
const groupExpenses = (row: Row, tables: Tables) =>
  tables("split.expenses").filter((one) => one["group"] === row.id && one["removed"] === false);
const shareIn = (tables: Tables, expense: Row, person: number | null) =>
  sumOf(
    tables("split.shares").filter(
      (share) => share["expense"] === expense.id && share["person"] === person,
    ),
  );
const spending = (row: Row, tables: Tables) => sumOf(groupExpenses(row, tables));
const myShare = (row: Row, tables: Tables) =>
  groupExpenses(row, tables).reduce((sum, expense) => sum + shareIn(tables, expense, null), 0);
/** What the owner is owed in a group, less what the owner owes. */
function balanceIn(row: Row, tables: Tables): number {
  const paid = sumOf(groupExpenses(row, tables).filter((expense) => expense["payer"] === null));
  const settled = tables("split.settlements")
    .filter((one) => one["group"] === row.id && one["undone"] === false)
    .reduce((sum, one) => sum + (one["outgoing"] ? cents(one) : -cents(one)), 0);
  return paid - myShare(row, tables) + settled;
}
const groupMembers = (row: Row, tables: Tables) =>
  tables("split.members").filter((one) => one["group"] === row.id && one["left"] === false);

const split: readonly Thing[] = [
  {
    name: "splitGroups",
    table: "split.groups",
    noun: "active groups? of mine in Split|active Split groups?|active groups? in Split|Split groups? in use|unarchived groups? in Split|groups? (?:not archived|in use) in Split",
    includes: (row) => row["archived"] === false,
    phrases: [
      valued(
        `with ${NAME} as a member|that ${NAME} is a member of|that have ${NAME} as a member|to which ${NAME} belongs|which ${NAME} is in`,
        (row, value, tables) =>
          groupMembers(row, tables).some((one) => isPerson(tables, one["person"], value)),
      ),
      compared(
        "in which my balance is|with a balance of|that have a balance of|in which I am ahead by|whose balance for me is",
        "money",
        balanceIn,
        "for me|in my favour",
      ),
      fixed(
        "in which my balance is negative|with a negative balance for me|that have a balance against me|in which I owe more than I am owed|whose balance for me is below zero",
        (row, tables) => balanceIn(row, tables) < 0,
      ),
      compared(
        "with|that have|of|whose members, with me, are|that count",
        "number",
        (row, tables) => groupMembers(row, tables).length + 1,
        "or more members, me included|members, me included|or more members including me|or more members, counting me|or more members together with me",
      ),
      compared(
        "with total expenses of|that spent|whose expenses come to|in which|that have expenses of",
        "money",
        spending,
        "in total|was spent in total|or more was spent in total|or more in total|or more altogether|altogether",
      ),
    ],
    fields: [
      { words: "name", read: text("name") },
      {
        words: "spending",
        read: spending,
        isMoney: true,
        ranks: { most: "most expensive|costliest", least: "cheapest" },
      },
      { words: "share that I bear", read: myShare, isMoney: true },
      { words: "number of expenses", read: (row, tables) => groupExpenses(row, tables).length },
    ],
  },
  {
    name: "expenses",
    table: "split.expenses",
    noun: "shared expenses? in Split|shared expenses?|expenses? in the Split app|expenses? of my Split groups|Split expenses?",
    includes: (row) => row["removed"] === false,
    phrases: [
      valued(
        `(?:of which|that|which) ${NAME} (?:has|have|bears?|has to bear|have to bear) a share(?: of)?|in which ${NAME} takes part with a share|with a share for ${NAME}`,
        (row, value, tables) =>
          tables("split.shares").some(
            (share) =>
              share["expense"] === row.id &&
              Number(share["cents"]) > 0 &&
              isPerson(tables, share["person"], value),
          ),
      ),
      valued(
        '(?:in|of|that belong to|which were added to|that are in) the group "([^"]*)"',
        (row, value, tables) =>
          tables("split.groups").some(
            (group) => group.id === row["group"] && group["name"] === value,
          ),
      ),
      fixed(
        "that I paid|paid by me|of which I was the payer|whose payer I am|which I paid for everyone",
        (row) => row["payer"] === null,
      ),
      valued(
        `(?:that|which) ${NAME} paid(?: for everyone)?|paid by ${NAME}|of which ${NAME} was the payer|whose payer is ${NAME}`,
        (row, value, tables) => isPerson(tables, row["payer"], value),
      ),
      fixed(
        "that I added|added by me|which I wrote down myself|that were added by me|which I entered",
        (row) => row["addedBy"] === null,
      ),
      valued(
        '(?:in|of|that are in|which are filed under) the category "([^"]*)"|whose category is "([^"]*)"',
        (row, value) => row["category"] === value,
      ),
      large,
      compared("dated|with a date of|that are dated|that date|whose date is", "day", text("day")),
    ],
    fields: [
      { words: "description", read: text("what") },
      { words: "amount", read: cents, isMoney: true, ranks: AMOUNTS },
      {
        words: "share that I bear",
        read: (row, tables) => shareIn(tables, row, null),
        isMoney: true,
      },
      { words: "date", read: text("day"), ranks: PAST },
    ],
  },
];

const nights = (row: Row) =>
  (Date.parse(String(row["until"])) - Date.parse(String(row["from"]))) / 86_400_000;
const tripCosts = (row: Row, tables: Tables) =>
  sumOf(
    tables("travel.costs").filter((cost) => cost["trip"] === row.id && cost["struck"] === false),
  );
const cost = (lead: string, tail: string, read: (row: Row, tables: Tables) => number) =>
  compared(lead, "money", read, tail);

const travelMinutes = (row: Row) => {
  const [from, to] = ["departs", "arrives"].map((column) => {
    const [hours, minutes] = String(row[column]).split(":");
    return 60 * Number(hours) + Number(minutes);
  });
  return to! - from!;
};

const travel: readonly Thing[] = [
  {
    name: "trips",
    table: "travel.trips",
    noun: "trips? in my travel app|trips? (?:that I have in travel|on my travel account|listed in travel)|trips?",
    includes: (row) => row["cancelled"] === false,
    phrases: [
      valued(
        `with ${NAME} as a companion|on which ${NAME} comes along|that have ${NAME} among the companions|which list ${NAME} as a companion|where ${NAME} is one of the companions`,
        (row, value, tables) =>
          tables("travel.companions").some(
            (one) =>
              one["trip"] === row.id &&
              one["left"] === false &&
              isPerson(tables, one["person"], value),
          ),
      ),
      fixed(
        "that are over|which have ended already|that ended before today|which are already in the past|that came to their end before today",
        (row) => String(row["until"]) < TODAY,
      ),
      fixed(
        "that are not over yet|which have not ended yet|that end today or later|which are not in the past yet|whose last day is today or later",
        (row) => String(row["until"]) >= TODAY,
      ),
      valued(
        `to ${CITY}\\b(?! [A-Z]| with the role)|that go to ${CITY}|whose destination is ${CITY}|which lead to ${CITY}|with ${CITY} as their destination`,
        (row, value) => row["city"] === value,
      ),
      compared(
        "that have cost|with costs of|whose costs come to|which have cost|with noted costs of",
        "money",
        tripCosts,
        "in all|altogether|or more in total|in total",
      ),
      compared(
        "of|that last|with|which take|with a length of",
        "number",
        nights,
        "or more nights|nights",
      ),
      compared(
        "that begin|with a first day of|that start|whose first day is|which begin",
        "day",
        text("from"),
        "or a later one|or an earlier one",
      ),
      fixed(
        "that belong to me|which I planned myself|which are mine and not somebody else's",
        (row) => row["person"] === null,
      ),
      fixed(
        "that belong to others|which somebody else planned|of which another person is the host|that are not my own|which are somebody else's and not mine",
        (row) => row["person"] !== null,
      ),
    ],
    fields: [
      { words: "name", read: text("name") },
      { words: "cost", read: tripCosts, isMoney: true, ranks: COSTS },
      { words: "number of nights", read: nights, ranks: { most: "longest", least: "shortest" } },
      { words: "first day", read: text("from"), ranks: SOON },
    ],
  },
  {
    name: "bookings",
    table: "travel.bookings",
    noun: "bookings? in my travel app|travel bookings?|bookings? (?:of mine in travel|on my travel account|listed in travel)",
    includes: () => true,
    phrases: [
      valued(
        '(?:with the status|in the state|whose status is|that have the status) "([^"]*)"|which travel lists as "([^"]*)"',
        (row, value) => row["status"] === value,
      ),
      valued(
        '(?:of the kind|whose kind is|which are of the kind) "([^"]*)"|(?:that are for|by which I booked) an? (\\w+)',
        (row, value) => row["kind"] === value,
      ),
      fixed(
        "that belong to no trip|which are not part of any trip|without a trip|that are part of no trip at all|which no trip includes",
        (row) => row["trip"] === null,
      ),
      compared(
        "for|that are for|dated|whose day is|for no",
        "day",
        text("day"),
        "or a later day|or an earlier day|or after that",
      ),
      cost("that cost|with a price of|whose price is|for which I paid", "", cents),
    ],
    fields: [
      { words: "price", read: cents, isMoney: true, ranks: COSTS },
      {
        words: "number of travellers",
        read: (row, tables) =>
          tables("travel.travellers").filter(
            (one) => one["booking"] === row.id && one["dropped"] === false,
          ).length,
      },
      { words: "day", read: text("day"), ranks: SOON },
    ],
  },
  {
    name: "hotels",
    table: "travel.hotels",
    noun: "hotels? in the travel app|hotels? (?:listed|on offer) in travel|bookable hotels?|hotels?",
    includes: () => true,
    phrases: [
      valued(
        `(?:in the city of|in|located in|that are in|to be found in) ${CITY}`,
        (row, value) => row["city"] === value,
      ),
      fixed(
        "with breakfast in the price|with breakfast|that include breakfast|where breakfast is included|which serve breakfast with the room",
        (row) => row["breakfast"] === true,
      ),
      compared(
        "with|that have|which have|of",
        "number",
        (row) => Number(row["stars"]),
        "or more stars|stars or more|stars",
      ),
      cost(
        "that cost|at|with a price of|whose rooms cost",
        "a night|or less per night|per night|a night or less",
        cents,
      ),
    ],
    fields: [
      { words: "name", read: text("name") },
      { words: "price per night", read: cents, isMoney: true, ranks: COSTS },
    ],
  },
  {
    name: "services",
    table: "travel.services",
    noun: "services? in the timetable|services? in the travel app|(?:bookable )?travel services?|services? listed in travel|bookable services?",
    includes: () => true,
    phrases: [
      valued(
        `(?:from|that depart from|starting in|which leave from) ${CITY}|with ${CITY} as the place of departure`,
        (row, value) => row["from"] === value,
      ),
      valued(
        `(?:to|that arrive in|going to|which end in) ${CITY}|with ${CITY} as the place of arrival`,
        (row, value) => row["to"] === value,
      ),
      valued(
        '(?:of the kind|that are of the kind|whose kind is|which travel lists as) "([^"]*)"|with "([^"]*)" as their kind',
        (row, value) => row["kind"] === value,
      ),
      valued(
        "departing at (\\d\\d:\\d\\d) or later|that leave at (\\d\\d:\\d\\d) or later|with a departure at (\\d\\d:\\d\\d) or after that|which depart no earlier than (\\d\\d:\\d\\d)|whose time of departure is (\\d\\d:\\d\\d) or later",
        (row, value) => String(row["departs"]) >= value,
      ),
      compared(
        "with an ordinary fare of|whose ordinary fare is|that ordinarily cost|for which the ordinary fare is",
        "money",
        cents,
      ),
    ],
    fields: [
      { words: "number", read: text("number") },
      {
        words: "travelling time in minutes",
        read: travelMinutes,
        ranks: { most: "slowest", least: "fastest|quickest" },
      },
      { words: "ordinary fare", read: cents, isMoney: true, ranks: COSTS },
    ],
  },
];

const others: readonly Thing[] = [
  {
    name: "plans",
    table: "pay.plans",
    noun: "active planned payments? in Pay|active planned payments?|planned Pay payments? of mine in force|active payment plans? in Pay|active plans? for (?:a payment|payments)",
    includes: (row) => row["status"] === "active",
    phrases: [
      valued(
        `(?:to|that go to|for|that pay) ${NAME}|which ${NAME} will get`,
        (row, value, tables) => isPerson(tables, row["person"], value),
      ),
      valued(
        "(?:that happen|that are made|which take place|that are due|which are to be paid) (?:every (week|month)|only (once)|(once) only)",
        (row, value) => row["repeat"] === value,
      ),
      large,
      compared(
        "due|with a next date of|that come up|that are next due|whose next date is",
        "day",
        text("day"),
      ),
    ],
    fields: [
      { words: "note", read: text("note") },
      { words: "amount", read: cents, isMoney: true, ranks: AMOUNTS },
      {
        words: "next date",
        read: text("day"),
        ranks: { most: "latest \\(by next date\\)", least: "earliest \\(by next date\\)" },
      },
    ],
  },
  {
    name: "links",
    table: "photos.links",
    noun: "(?:working|active|still valid|still working) links? of (?:my photo app|the photos app)",
    includes: (row) => row["revoked"] === false && String(row["expires"]) >= TODAY,
    phrases: [
      compared(
        "that expire|expiring|whose last day is|that work|which expire",
        "day",
        text("expires"),
      ),
      valued(
        "(?:to|that lead to|which show|that open|which lead to) an? (?:single|whole) (photo|album)",
        (row, value) => row[value] !== null,
      ),
    ],
    fields: [
      {
        words: "last day",
        read: text("expires"),
        ranks: { most: "(?:latest|last)-expiring", least: "(?:soonest|first)-expiring" },
      },
      {
        words: "photo or album name",
        read: (row, tables) =>
          row["photo"] === null
            ? String(tables("photos.albums").find(({ id }) => id === row["album"])?.["title"])
            : String(tables("photos.photos").find(({ id }) => id === row["photo"])?.["name"]),
      },
    ],
  },
  {
    name: "mails.snoozed",
    table: "mail.mails",
    noun: "snoozed (?:e-)?mails?|(?:e-)?mails? (?:put )?on snooze",
    includes: (row, tables) =>
      row["folder"] === "archive" &&
      belonging(tables, "mail.snoozes", "mail", row.id) !== undefined,
    phrases: [
      compared(
        "that are due again|whose snooze ends|which wait|that come back|whose snooze is over",
        "day",
        (row, tables) => String(belonging(tables, "mail.snoozes", "mail", row.id)?.["until"]),
        "or an earlier day|or a later day",
      ),
      fixed(
        "without a label|that have no label|which are not labelled|that carry no label|with no label at all",
        (row) => row["label"] === null,
      ),
    ],
    fields: [
      { words: "subject", read: text("subject") },
      {
        words: "day on which it is due again",
        read: (row, tables) => String(belonging(tables, "mail.snoozes", "mail", row.id)?.["until"]),
        ranks: {
          most: "latest \\(by end of snooze\\)",
          least: "earliest \\(by end of snooze\\)",
        },
      },
    ],
  },
  {
    name: "scheduled",
    table: "messages.scheduled",
    noun: "(?:waiting )?scheduled messages?(?: of mine)?|messages? waiting to leave later|scheduled texts? in Messages",
    includes: (row) => row["cancelled"] === false,
    phrases: [
      compared("that leave|due to leave|whose day is|planned for|that go out", "day", text("day")),
      valued(
        'that mention "([^"]*)"|with the word "([^"]*)" in them|that contain the word "([^"]*)"|in which "([^"]*)" is mentioned|that have "([^"]*)" in their text',
        (row, value) => String(row["text"]).toLowerCase().includes(value),
      ),
    ],
    fields: [
      { words: "text", read: text("text") },
      { words: "date", read: (row) => `${row["day"]} ${row["time"]}`, ranks: SOON },
    ],
  },
  ...(["viewer", "editor"] as const).map(
    (role): Thing => ({
      name: `${role} files`,
      table: "files.files",
      noun:
        role === "viewer"
          ? "files? of others that I may only view|files? shared with me for viewing only|files? that others share with me as viewer|files? of others where I am just a viewer|files? of others shared with me as viewer"
          : "files? of others that I may edit|files? shared with me for editing|files? that others share with me as editor|files? of others where I am an editor|files? of others shared with me as editor",
      includes: (row) => row["owner"] !== null && row["state"] === "live" && row["role"] === role,
      phrases: [
        valued(
          `(?:from|of|that belong to) ${NAME}|whose owner is ${NAME}|which ${NAME} owns`,
          (row, value, tables) => isPerson(tables, row["owner"], value),
        ),
        compared(
          "with|of|that have|whose size is|that are no smaller than",
          "number",
          (row) => String(row["text"]).length,
          "or more characters|characters",
        ),
        valued(
          'whose text has the word "([^"]*)" in it|in which you can read "([^"]*)"|whose content mentions "([^"]*)"|that say "([^"]*)" somewhere in the text|with "([^"]*)" somewhere in their text',
          (row, value) =>
            (
              String(row["text"])
                .toLowerCase()
                .match(/[a-z]+/g) as string[] | null
            )?.includes(value) ?? false,
        ),
      ],
      fields: [
        { words: "name", read: text("name") },
        {
          words: "size in characters",
          read: (row) => String(row["text"]).length,
          ranks: { most: "largest", least: "smallest" },
        },
        { words: "number of lines", read: (row) => String(row["text"]).split("\n").length },
      ],
    }),
  ),
];

export const travelThings: readonly Thing[] = [...split, ...travel, ...others];
