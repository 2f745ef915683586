/** Planned payments that run: by person, rhythm, amount and day; paused, stopped, changed. */
import {
  type Action,
  type Clause,
  collection,
  type Effect,
  type Relation,
} from "../../../../goals/index.ts";
import { type Plan, plans } from "../../apps/pay/tables.ts";
import { oneOfSome } from "../bounds.ts";
import { gather, js, largeOnes, mentioning, mentions, sideOf, soonOnes, TODAY } from "./phrases.ts";

const toPerson: Clause<Plan> = {
  name: "to",
  draw: (draw, rows) => {
    const person = sideOf(
      draw,
      rows.map((row) => row.person),
    );
    if (!person) return undefined;
    const p = person.words;
    return {
      words: [`to ${p}`, `that go to ${p}`, `for ${p}`, `which ${p} will get`, `that pay ${p}`],
      holds: (row) => row.person === person.value.id,
      code: { args: `to:${person.code}` },
      uses: [person],
    };
  },
};

const RHYTHMS = { once: "only once", week: "every week", month: "every month" } as const;

const rhythm: Clause<Plan> = {
  name: "repeat",
  draw: ({ rng }, rows) => {
    const repeat = oneOfSome(
      rng,
      rows.map((row) => row.repeat),
    );
    if (repeat === undefined) return undefined;
    const often = RHYTHMS[repeat];
    return {
      words: [
        `that happen ${often}`,
        `that are made ${often}`,
        `which take place ${often}`,
        `that are due ${often}`,
        `which are to be paid ${often}`,
      ],
      holds: (row) => row.repeat === repeat,
      code: { args: `repeat:${js(repeat)}` },
    };
  },
};

const large: Clause<Plan> = {
  name: "large",
  draw: (draw, rows) => {
    const drawn = largeOnes(
      draw,
      rows.map((row) => row.cents),
    );
    if (!drawn) return undefined;
    return {
      words: drawn.words,
      holds: (row) => row.cents >= drawn.bound,
      code: { test: `x.amount>=${drawn.bound / 100}` },
    };
  },
};

const soon: Clause<Plan> = {
  name: "soon",
  draw: (draw, rows) => {
    const drawn = soonOnes(
      draw,
      rows.map((row) => row.day),
    );
    if (!drawn) return undefined;
    return {
      words: drawn.words,
      holds: (row) => row.day <= drawn.bound,
      code: { test: `x.day<=${js(drawn.bound)}` },
    };
  },
};

const PURPOSES = "piano lessons,dog walking,gym fee,shared van,lottery,tutoring".split(",");

const purpose: Clause<Plan> = {
  name: "note",
  draw: (draw, rows) => {
    const drawn = mentioning(
      draw,
      rows.map((row) => row.note),
      PURPOSES,
    );
    if (!drawn) return undefined;
    return {
      words: drawn.words,
      holds: (row) => mentions(row.note, drawn.bound),
      code: { test: `x.note.toLowerCase().includes(${js(drawn.bound)})` },
    };
  },
};

export const plansPart = collection<Plan>({
  name: "plans",
  kind: "plans",
  app: "pay",
  table: plans,
  base: (row) => row.status === "active",
  nouns: [
    { one: "active planned payment", many: "active planned payments" },
    { one: "active planned payment in Pay", many: "active planned payments in Pay" },
    { one: "planned Pay payment of mine in force", many: "planned Pay payments of mine in force" },
    { one: "active payment plan in Pay", many: "active payment plans in Pay" },
    { one: "active plan for a payment", many: "active plans for payments" },
  ],
  list: { api: "pay.plans", args: 'status:"active"' },
  key: "id",
  whole: true,
  clauses: [toPerson, rhythm, large, soon, purpose],
  fields: [
    { name: "note", unit: "text", noun: "note", value: (row) => row.note, code: "x.note" },
    {
      name: "amount",
      unit: "money",
      noun: "amount",
      value: (row) => row.cents / 100,
      code: "x.amount",
      superlatives: {
        most: ["largest", "biggest", "highest", "greatest", "most expensive"],
        least: ["smallest", "lowest", "least", "littlest", "cheapest"],
      },
    },
    {
      name: "day",
      unit: "day",
      noun: "next date",
      value: (row) => row.day,
      code: "x.day",
      superlatives: {
        most: ["furthest off", "latest due", "last due", "most distant", "farthest ahead"],
        least: ["soonest", "earliest due", "first due", "nearest", "most imminent"],
      },
    },
  ],
});

export const planRelations: readonly Relation[] = [
  {
    name: "plan-receivers",
    from: "plans",
    to: "people",
    app: "pay",
    words: [
      (noun) => `the receivers of ${noun}`,
      (noun) => `everyone who will get one of ${noun}`,
      (noun) => `the people whom ${noun} will pay`,
      (noun) => `whoever gets money from ${noun}`,
      (noun) => `those who receive ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(plans, id)!.person))],
    cells: (from, to) => [
      `var ${to}=[],p=1,r;do{r=apis.pay.plans({size:20,page:p++});${to}.push(...r.items.filter(x=>${from}.includes(x.id)).map(x=>x.to))}while(r.more);${to}=[...new Set(${to})];print(${to})`,
    ],
  },
  {
    name: "people-plans",
    from: "people",
    to: "plans",
    app: "pay",
    words: [
      (noun) => `the active planned payments to ${noun}`,
      (noun) => `whatever active planned payments go to ${noun}`,
      (noun) => `my active payment plans for ${noun}`,
      (noun) => `the payments that I have actively planned to ${noun}`,
      (noun) => `the active plans for payments to ${noun}`,
    ],
    map: (db, ids) =>
      ids.flatMap((person) => db.where(plans, { person, status: "active" }).map((row) => row.id)),
    cells: (from, to) => gather("pay.plans", 'to:k,status:"active"', "id", from, to),
  },
];

// --- actions ---

function action(name: string, effect: Action["draw"], takes?: Action["takes"]): Action {
  const part = { name, kind: "plans", app: "pay", difficulty: 1, draw: effect } as const;
  return takes ? { ...part, takes } : part;
}

const isActive: Effect["permits"] = (db, id) => db.get(plans, id)!.status === "active";
const runs: Effect["permits"] = (db, id) => db.get(plans, id)!.status !== "stopped";

const pause = action("pause", () => ({
  frames: [
    (noun) => `Pause ${noun}`,
    (noun) => `Put ${noun} on hold`,
    (noun) => `Suspend ${noun} for now by pausing`,
    (noun) => `Set ${noun} to paused`,
    (noun) => `Let ${noun} pause`,
  ],
  permits: isActive,
  apply: (db, id) => void db.update(plans, id, { status: "paused" }),
  call: (x) => `apis.pay.pausePlan({id:${x}})`,
}));

const stop = action("stop", () => ({
  frames: [
    (noun) => `Stop ${noun} for good`,
    (noun) => `End ${noun} for ever`,
    (noun) => `Stop ${noun} once and for all`,
    (noun) => `Put a final stop to ${noun}`,
    (noun) => `Permanently stop ${noun}`,
  ],
  permits: runs,
  apply: (db, id) => void db.update(plans, id, { status: "stopped" }),
  call: (x) => `apis.pay.stopPlan({id:${x}})`,
}));

const setAmount = action(
  "set-amount",
  (draw) => {
    const money = draw.value("money");
    const m = money.words;
    return {
      frames: [
        (noun) => `Change the amount of ${noun} to ${m}`,
        (noun) => `Set the amount of ${noun} to ${m}`,
        (noun) => `Make the amount of ${noun} ${m}`,
        (noun) => `Let the amount of ${noun} be ${m} from now on`,
        (noun) => `Give ${noun} a new amount: ${m}`,
      ],
      permits: (db, id) => runs(db, id) && db.get(plans, id)!.cents !== money.value,
      apply: (db, id) => void db.update(plans, id, { cents: money.value }),
      call: (x) => `apis.pay.changePlan({id:${x},amount:${money.code}})`,
      uses: [money],
    };
  },
  "money",
);

const setDay = action(
  "set-day",
  (draw) => {
    const day = draw.value("day");
    if (day.value < TODAY) return undefined;
    const d = day.words;
    return {
      frames: [
        (noun) => `Move the next date of ${noun} to ${d}`,
        (noun) => `Set the next day of ${noun} to ${d}`,
        (noun) => `Make ${d} the next date of ${noun}`,
        (noun) => `Let ${noun} be due next on ${d}`,
        (noun) => `Change the next date of ${noun} to ${d}`,
      ],
      permits: (db, id) => runs(db, id) && db.get(plans, id)!.day !== day.value,
      apply: (db, id) => void db.update(plans, id, { day: day.value }),
      call: (x) => `apis.pay.changePlan({id:${x},day:${day.code}})`,
      uses: [day],
    };
  },
  "day",
);

export const planActions: readonly Action[] = [pause, stop, setAmount, setDay];
