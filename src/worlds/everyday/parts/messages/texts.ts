/** Texts: received ones, those that tell what somebody paid, sent ones, and those that leave later. */
import type { Writer } from "../../../../world/index.ts";
import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Relation,
} from "../../algebra/parts.ts";
import { dayWords, moneyWords } from "../../algebra/words.ts";
import { type ScheduledText, scheduledTexts } from "../../apps/messages/tables.ts";
import { payments, type Text, texts, wallet } from "../../apps/tables.ts";
import { atLeast, centsAtLeast, centsAtMost } from "../bounds.ts";
import { AT, every, has, js, reachable, someWord, TODAY, wordForms } from "../contacts/common.ts";
import { writeText } from "./writes.ts";

type Sided = { readonly id: number; readonly person: number; readonly text: string };

/** A clause that names the other side. */
function side<R extends Sided>(param: "from" | "to"): Clause<R> {
  return {
    name: param,
    draw: (draw, rows) => {
      const ids = rows.map(({ person }) => person);
      const person = new Set(ids).size > 1 ? draw.person(ids) : undefined;
      if (!person) return undefined;
      const p = person.words;
      const [other, verb] = param === "from" ? ["sender", "came from"] : ["receiver", "are to"];
      return {
        words: [
          `${param} ${p}`,
          `that ${verb} ${p}`,
          `whose ${other} is ${p}`,
          `with ${p} as the ${other}`,
          `that have ${p} as their ${other}`,
        ],
        holds: (row) => row.person === person.value.id,
        code: { args: `${param}:${person.code}` },
        uses: [person],
      };
    },
  };
}

const TOPICS = [
  "paid",
  "dinner",
  "tickets",
  "keys",
  "receipt",
  "split",
  "late",
  "invited",
  "starts",
  "wine",
  "groceries",
  "fuel",
  "umbrella",
  "dog",
  "birthday",
  "recipe",
];

function mentions<R extends Sided>(): Clause<R> {
  return {
    name: "mentions",
    draw: (draw, rows) => {
      const word = someWord(
        draw,
        rows.map(({ text }) => text),
        TOPICS,
      );
      if (word === undefined) return undefined;
      return {
        words: wordForms(word),
        holds: ({ text }) => has(text, word),
        code: { test: `x.text.toLowerCase().includes(${js(word)})` },
      };
    },
  };
}

function asks<R extends Sided>(): Clause<R> {
  return {
    name: "asks",
    draw: (_, rows) => {
      const asking = rows.filter(({ text }) => text.endsWith("?")).length;
      if (asking === 0 || asking === rows.length) return undefined;
      return {
        words: [
          "that end with a question mark",
          "whose last character is a question mark",
          "which end in a question mark",
          "with a question mark at the end",
          "that have a question mark as their last character",
        ],
        holds: ({ text }) => text.endsWith("?"),
        code: { test: 'x.text.endsWith("?")' },
      };
    },
  };
}

function money<R extends Sided>(): Clause<R> {
  return {
    name: "money",
    draw: (_, rows) => {
      const found = rows.filter(({ text }) => text.includes("$")).length;
      if (found === 0 || found === rows.length) return undefined;
      return {
        words: [
          "that contain an amount in dollars",
          "with a dollar amount in them",
          "in which a dollar amount is written",
          "that have an amount in dollars in their text",
          "which tell an amount of dollars",
        ],
        holds: ({ text }) => text.includes("$"),
        code: { test: 'x.text.includes("$")' },
      };
    },
  };
}

// --- received ---

function flag(name: "unread" | "starred", words: Clause<Text>["name"][]): Clause<Text> {
  return {
    name,
    draw: (_, rows) => {
      const marked = rows.filter((row) => row[name]).length;
      if (marked === 0 || marked === rows.length) return undefined;
      const [a, b, c, d, e] = words as [string, string, string, string, string];
      return {
        words: [a, b, c, d, e],
        holds: (row) => row[name],
        code: { args: `${name}:true` },
      };
    },
  };
}

const unread = flag("unread", [
  "that are unread",
  "I have not read yet",
  "that I have yet to read",
  "which are still unread",
  "that have not been read",
]);
const starred = flag("starred", [
  "with a star",
  "that are starred",
  "which I have starred",
  "that carry a star",
  "marked with a star",
]);

export const receivedPart: Collection = collection<Text>({
  name: "texts",
  kind: "texts",
  app: "messages",
  table: texts,
  base: ({ outgoing }) => !outgoing,
  nouns: [
    { one: "message I received", many: "messages I received" },
    { one: "received message", many: "received messages" },
    { one: "received message in Messages", many: "received messages in Messages" },
    { one: "message I got in Messages", many: "messages I got in Messages" },
    { one: "message that reached me in Messages", many: "messages that reached me in Messages" },
  ],
  list: { api: "messages.list" },
  key: "id",
  whole: false,
  clauses: [side<Text>("from"), unread, starred, mentions<Text>(), asks<Text>(), money<Text>()],
  fields: [{ name: "text", unit: "text", noun: "text", value: (row) => row.text, code: "x.text" }],
});

// --- who paid what ---

/** The amount in the text, in cents; 0 where there is none. */
export function centsIn(text: string): number {
  return Math.round(Number(/\$(\d+\.\d\d)/.exec(text)?.[1] ?? 0) * 100);
}
const AMOUNT = "Number((/\\$(\\d+\\.\\d\\d)/.exec(x.text)||[0,0])[1])";
const dayOf = ({ at }: Text) => at.slice(0, 10);

function priced(name: "at-least" | "at-most", edge: typeof centsAtLeast): Clause<Text> {
  return {
    name,
    excludes: ["at-least", "at-most"].filter((other) => other !== name),
    draw: ({ rng }, rows) => {
      const bound = edge(
        rng,
        rows.map(({ text }) => centsIn(text)),
      );
      if (bound === undefined) return undefined;
      const than = name === "at-least" ? "at least" : "at most";
      const m = moneyWords(bound);
      return {
        words: [
          `over ${than} ${m}`,
          `with an amount of ${than} ${m}`,
          `whose amount is ${than} ${m}`,
          `that tell an amount of ${than} ${m}`,
          `in which the amount is ${than} ${m}`,
        ],
        holds: ({ text }) =>
          name === "at-least" ? centsIn(text) >= bound : centsIn(text) <= bound,
        code: { test: `${AMOUNT}${name === "at-least" ? ">" : "<"}=${bound / 100}` },
      };
    },
  };
}

const THINGS =
  "dinner wine taxi lodge fuel groceries tickets drinks gift cake flowers fee materials".split(" ");

const paidFor: Clause<Text> = {
  name: "for",
  draw: (draw, rows) => {
    const thing = someWord(
      draw,
      rows.map(({ text }) => text),
      THINGS.map((name) => `the ${name} at`),
    );
    const name = thing?.split(" ")[1];
    if (thing === undefined || name === undefined) return undefined;
    return {
      words: [
        `that are about the ${name}`,
        `for the ${name}`,
        `which speak of the ${name}`,
        `where the ${name} was paid`,
        `concerning the ${name}`,
      ],
      holds: ({ text }) => has(text, thing),
      code: { test: `x.text.includes(${js(thing)})` },
    };
  },
};

const since: Clause<Text> = {
  name: "since",
  draw: ({ rng }, rows) => {
    const bound = atLeast(rng, rows.map(dayOf));
    const day = bound && new Date(Date.parse(bound) - 86_400_000).toISOString().slice(0, 10);
    if (!day) return undefined;
    const d = dayWords(day);
    return {
      words: [
        `that came after ${d}`,
        `received after ${d}`,
        `which I got later than ${d}`,
        `that reached me after ${d}`,
        `with a date after ${d}`,
      ],
      holds: (row) => dayOf(row) > day,
      code: { args: `after:${js(day)}` },
    };
  },
};

export const paidPart: Collection = collection<Text>({
  name: "paid-texts",
  kind: "texts",
  app: "messages",
  table: texts,
  base: ({ outgoing, text }) => !outgoing && has(text, "paid"),
  nouns: [
    {
      one: "message in which someone says they paid",
      many: "messages in which someone says they paid",
    },
    {
      one: "message that tells what its sender paid",
      many: "messages that tell what their sender paid",
    },
    {
      one: "received message about what its sender paid",
      many: "received messages about what their sender paid",
    },
    {
      one: "message I got on what its sender paid",
      many: "messages I got on what their sender paid",
    },
    { one: 'received message that says "paid"', many: 'received messages that say "paid"' },
  ],
  list: { api: "messages.history", args: 'query:"paid"' },
  key: "id",
  whole: false,
  clauses: [
    side<Text>("from"),
    since,
    paidFor,
    priced("at-least", centsAtLeast),
    priced("at-most", centsAtMost),
  ],
  fields: [
    { name: "text", unit: "text", noun: "text", value: (row) => row.text, code: "x.text" },
    {
      name: "amount",
      unit: "money",
      noun: "amount told",
      value: ({ text }) => centsIn(text) / 100,
      code: AMOUNT,
      superlatives: {
        most: ["costliest", "most expensive", "dearest", "highest-priced", "priciest"],
        least: ["cheapest", "least expensive", "lowest-priced", "least dear", "least costly"],
      },
    },
    {
      name: "moment",
      unit: "day",
      noun: "date",
      value: ({ at }) => `${at.slice(0, 10)} ${at.slice(11, 16)}`,
      code: '(x.day+" "+x.time)',
      superlatives: {
        most: ["newest", "latest", "most recent", "last-received", "least old"],
        least: ["oldest", "earliest", "least recent", "first-received", "least new"],
      },
    },
  ],
});

// --- sent and scheduled ---

export const sentPart: Collection = collection<Text>({
  name: "sent-texts",
  kind: "sent texts",
  app: "messages",
  table: texts,
  base: ({ outgoing }) => outgoing,
  nouns: [
    { one: "message I sent", many: "messages I sent" },
    { one: "sent message", many: "sent messages" },
    { one: "sent message in Messages", many: "sent messages in Messages" },
    { one: "message of mine in Messages", many: "messages of mine in Messages" },
    { one: "message that I sent in Messages", many: "messages that I sent in Messages" },
  ],
  list: { api: "messages.sent" },
  key: "id",
  whole: false,
  clauses: [side<Text>("to"), mentions<Text>(), asks<Text>(), money<Text>()],
  fields: [{ name: "text", unit: "text", noun: "text", value: (row) => row.text, code: "x.text" }],
});

const leaving: Clause<ScheduledText> = {
  name: "leaving",
  draw: ({ rng }, rows) => {
    const day = atLeast(
      rng,
      rows.map((row) => row.day),
    );
    if (day === undefined) return undefined;
    const d = dayWords(day);
    return {
      words: [
        `that leave on ${d} or later`,
        `due to leave on ${d} or later`,
        `whose day is ${d} or later`,
        `planned for ${d} or later`,
        `that go out no earlier than ${d}`,
      ],
      holds: (row) => row.day >= day,
      code: { test: `x.day>=${js(day)}` },
    };
  },
};

export const scheduledPart: Collection = collection<ScheduledText>({
  name: "scheduled",
  kind: "scheduled texts",
  app: "messages",
  table: scheduledTexts,
  base: ({ cancelled }) => !cancelled,
  nouns: [
    { one: "scheduled message", many: "scheduled messages" },
    { one: "message waiting to leave later", many: "messages waiting to leave later" },
    { one: "scheduled text in Messages", many: "scheduled texts in Messages" },
    { one: "message I have scheduled", many: "messages I have scheduled" },
    { one: "waiting scheduled message", many: "waiting scheduled messages" },
  ],
  list: { api: "messages.scheduled" },
  key: "id",
  whole: false,
  clauses: [side<ScheduledText>("to"), leaving, mentions<ScheduledText>(), asks<ScheduledText>()],
  fields: [
    { name: "text", unit: "text", noun: "text", value: (row) => row.text, code: "x.text" },
    {
      name: "moment",
      unit: "day",
      noun: "date",
      value: ({ day, time }) => `${day} ${time}`,
      code: '(x.day+" "+x.time)',
      superlatives: {
        most: ["latest", "last to leave", "furthest off", "last-leaving", "furthest ahead"],
        least: ["earliest", "first to leave", "nearest", "first-leaving", "soonest"],
      },
    },
  ],
});

// --- people of texts ---

const senders = (from: string, to: string) => [
  `var ${to}=[...new Set(${every("messages.list", "")}.filter(x=>${from}.includes(x.id)).map(x=>x.from))];print(${to})`,
];
const receivers = (api: string) => (from: string, to: string) => [
  `var ${to}=[...new Set(${every(api, "")}.filter(x=>${from}.includes(x.id)).map(x=>x.to))];print(${to})`,
];

export const textRelations: readonly Relation[] = [
  {
    name: "senders",
    from: "texts",
    to: "people",
    app: "messages",
    words: [
      (noun) => `the senders of ${noun}`,
      (noun) => `everyone who sent me one of ${noun}`,
      (noun) => `the people behind ${noun}`,
      (noun) => `those who wrote ${noun}`,
      (noun) => `whoever is a sender of ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(texts, id)!.person))],
    cells: senders,
  },
  {
    name: "receivers",
    from: "sent texts",
    to: "people",
    app: "messages",
    words: [
      (noun) => `the receivers of ${noun}`,
      (noun) => `those who got ${noun}`,
      (noun) => `the people to whom ${noun} went`,
      (noun) => `the people on the other side of ${noun}`,
      (noun) => `whoever is a receiver of ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(texts, id)!.person))],
    cells: receivers("messages.sent"),
  },
  {
    name: "scheduled-to",
    from: "scheduled texts",
    to: "people",
    app: "messages",
    words: [
      (noun) => `the receivers of ${noun}`,
      (noun) => `those who shall get ${noun}`,
      (noun) => `the people to whom ${noun} will go`,
      (noun) => `the people on the other side of ${noun}`,
      (noun) => `whoever is a receiver of ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(scheduledTexts, id)!.person))],
    cells: receivers("messages.scheduled"),
  },
  {
    name: "starred-from",
    from: "people",
    to: "texts",
    app: "messages",
    words: [
      (noun) => `the starred messages from ${noun}`,
      (noun) => `those received messages with a star that came from ${noun}`,
      (noun) => `the messages from ${noun} that carry a star`,
      (noun) => `what I received and starred in Messages from ${noun}`,
      (noun) => `the messages with a star whose senders are ${noun}`,
    ],
    map: (db, ids) =>
      ids.flatMap((person) =>
        db.where(texts, { person, outgoing: false, starred: true }).map(({ id }) => id),
      ),
    cells: (from, to) => [
      `var ${to}=${from}.flatMap(k=>${every("messages.list", "from:k,starred:true")}.map(x=>x.id));print(${to})`,
    ],
  },
];

// --- actions ---

const text = (name: string, draw: Action["draw"], takes?: Action["takes"]): Action => ({
  name,
  kind: "texts",
  app: "messages",
  difficulty: 1,
  draw,
  ...(takes && { takes }),
});

const reply = text(
  "reply",
  (draw) => {
    const said = draw.value("text");
    const t = said.words;
    return {
      frames: [
        (noun) => `Reply to ${noun} with ${t}`,
        (noun) => `Answer ${noun} with ${t}`,
        (noun) => `Send ${t} as a reply to ${noun}`,
        (noun) => `Write ${t} as the answer to ${noun}`,
        (noun) => `Respond to ${noun} with ${t}`,
      ],
      permits: (db, id) => reachable(db, db.get(texts, id)?.person ?? null),
      apply: (db, id) => writeText(db, db.get(texts, id)!.person, said.value, id),
      call: (x) => `apis.messages.reply({id:${x},text:${said.code}})`,
      uses: [said],
    };
  },
  "text",
);

const forward = text("forward", (draw) => {
  const person = draw.person(draw.people.filter(({ blocked }) => !blocked).map(({ id }) => id));
  if (!person) return undefined;
  const p = person.words;
  return {
    frames: [
      (noun) => `Forward ${noun} to ${p}`,
      (noun) => `Send ${noun} on to ${p}`,
      (noun) => `Pass ${noun} on to ${p}`,
      (noun) => `Let ${p} have a forward of ${noun}`,
      (noun) => `Relay ${noun} to ${p}`,
    ],
    permits: (db, id) => db.get(texts, id) !== undefined && reachable(db, person.value.id),
    apply: (db, id) => writeText(db, person.value.id, db.get(texts, id)!.text),
    call: (x) => `apis.messages.forward({id:${x},to:${person.code}})`,
    uses: [person],
  };
});

const react = text("react", ({ rng }) => {
  const reaction = rng.pick(["like", "love", "laugh", "sad"]);
  const r = js(reaction);
  return {
    frames: [
      (noun) => `React to ${noun} with ${r}`,
      (noun) => `Put the reaction ${r} on ${noun}`,
      (noun) => `Give ${noun} the reaction ${r}`,
      (noun) => `Use ${r} as my reaction to ${noun}`,
      (noun) => `Let my reaction to ${noun} be ${r}`,
    ],
    permits: (db, id) => {
      const row = db.get(texts, id);
      return row !== undefined && row.reaction !== reaction;
    },
    apply: (db, id) => db.update(texts, id, { reaction }),
    call: (x) => `apis.messages.react({id:${x},kind:${r}})`,
  };
});

const star = text("star", () => ({
  frames: [
    (noun) => `Star ${noun}`,
    (noun) => `Put a star on ${noun}`,
    (noun) => `Mark ${noun} with a star`,
    (noun) => `Give ${noun} a star`,
    (noun) => `Add a star to ${noun}`,
  ],
  permits: (db, id) => db.get(texts, id)?.starred === false,
  apply: (db, id) => db.update(texts, id, { starred: true }),
  call: (x) => `apis.messages.star({id:${x}})`,
}));

const remove = text("remove", () => ({
  frames: [
    (noun) => `Remove ${noun}`,
    (noun) => `Delete ${noun}`,
    (noun) => `Discard ${noun}`,
    (noun) => `Get rid of ${noun}`,
    (noun) => `Throw away ${noun}`,
  ],
  permits: (db, id) => db.get(texts, id) !== undefined,
  apply: (db, id) => db.remove(texts, id),
  call: (x) => `apis.messages.remove({id:${x}})`,
}));

/** The amount and whom to pay stand in the message. */
const reimburse: Action = {
  ...text("reimburse", (draw) => {
    const note = draw.rng.pick(["my share", "thank you", "as agreed", "for everything"]);
    const n = js(note);
    const paid = (id: number, db: Writer) => centsIn(db.get(texts, id)!.text);
    return {
      frames: [
        (noun) => `Pay the sender of ${noun} the amount named in it, with the Pay note ${n}`,
        (noun) => `For ${noun}, pay the sender the amount named there, with the note ${n} in Pay`,
        (noun) => `Use Pay to send the sender of ${noun} the amount that it names, noting ${n}`,
        (noun) => `With the Pay note ${n}, pay whoever sent ${noun} the amount named in it`,
        (noun) =>
          `Settle ${noun}: pay the amount named in it to its sender, with the Pay note ${n}`,
      ],
      permits: (db, id) => {
        const row = db.get(texts, id);
        if (!row || !reachable(db, row.person)) return false;
        const cents = centsIn(row.text);
        return cents > 0 && cents * 9 < (db.all(wallet)[0]?.cents ?? 0);
      },
      apply: (db, id) => {
        const row = { person: db.get(texts, id)!.person, cents: paid(id, db), note };
        db.insert(payments, { ...row, outgoing: true, request: null, at: AT });
      },
      call: (x) =>
        `const m=apis.messages.show({id:${x}});apis.pay.send({to:m.from,amount:Number(/\\$(\\d+\\.\\d\\d)/.exec(m.text)[1]),note:${n}})`,
    };
  }),
  app: "pay",
  difficulty: 2,
};

const later = (name: string, draw: Action["draw"], takes?: Action["takes"]): Action => ({
  ...text(name, draw, takes),
  kind: "scheduled texts",
});

const unschedule = later("unschedule", () => ({
  frames: [
    (noun) => `Cancel ${noun}`,
    (noun) => `Call off ${noun}`,
    (noun) => `Withdraw ${noun} from the schedule`,
    (noun) => `Take ${noun} off the schedule`,
    (noun) => `Have ${noun} cancelled`,
  ],
  permits: (db, id) => db.get(scheduledTexts, id)?.cancelled === false,
  apply: (db, id) => db.update(scheduledTexts, id, { cancelled: true }),
  call: (x) => `apis.messages.unschedule({id:${x}})`,
}));

const reschedule = later(
  "reschedule",
  (draw) => {
    const day = draw.value("day");
    const d = day.words;
    return {
      frames: [
        (noun) => `Move ${noun} to ${d}, at the same time of day`,
        (noun) => `Reschedule ${noun} to ${d} without changing the time of day`,
        (noun) => `Let ${noun} leave on ${d} instead, at the old time of day`,
        (noun) => `Put ${noun} off or forward to ${d}, with the time of day unchanged`,
        (noun) => `Change the day of ${noun} to ${d} but not the time`,
      ],
      permits: (db, id) => {
        const row = db.get(scheduledTexts, id);
        return row?.cancelled === false && row.day !== day.value && day.value > TODAY;
      },
      apply: (db, id) => db.update(scheduledTexts, id, { day: day.value }),
      call: (x) => `apis.messages.reschedule({id:${x},day:${day.code}})`,
      uses: [day],
    };
  },
  "day",
);

export const textActions: readonly Action[] = [
  reply,
  forward,
  react,
  star,
  remove,
  reimburse,
  unschedule,
  reschedule,
];
