/**
 * The family `helpers-with-costs`: three people are asked to do a job each. Two days later, in another session, those
 * who have done it have asked for their costs. Some forget it, some only say that they did it, and some want more than
 * the owner pays without being asked.
 */
import {
  addOwnerTopic,
  approvedBefore,
  type GoalTime,
  inOrder,
  type LaterSession,
  type Writer,
  writes,
} from "bowline/world";
import { type Person, payments, requests, texts, todoLists, todos } from "../../apps/tables.ts";
import { dayAndMonth, firstName } from "../../handmade/insert-rows.ts";
import { dayFromStart } from "../../population/time.ts";
import { defineFamily, type LiveDraw, type Story, type Trait } from "../family.ts";
import { type Judged, makeFromParts } from "../family-parts.ts";
import * as reacting from "../reactions.ts";
import * as asking from "../steps/asking.ts";
import * as owner from "../steps/owner.ts";
import { payInGoal } from "../steps/paying.ts";
import { FINISH_CODE, GIVE_UP_CODE, quote, startCode } from "../steps/solution-code.ts";
import { isDone, reportsImpossible } from "../steps/verdict.ts";

interface HelpersStory extends Story {
  readonly motive: string;
  readonly affair: string;
  readonly jobs: readonly [string, string, string];
}

const stories: readonly HelpersStory[] = [
  {
    name: "flea-market",
    split: "train",
    motive: "Our street has its flea market on Sunday, and I cannot prepare all of it alone",
    affair: "flea market",
    jobs: ["print the posters", "buy the paper cups", "get change for the cash box"],
  },
  {
    name: "school-party",
    split: "train",
    motive: "The class of my niece celebrates on Sunday, and I have promised to organise it",
    affair: "class party",
    jobs: ["order the balloons", "bake the lemon cakes", "buy chalk for the yard"],
  },
  {
    name: "tree-planting",
    split: "train",
    motive: "On Sunday the neighbours plant twelve apple trees, and much of it is not ready",
    affair: "tree planting",
    jobs: ["buy the stakes", "rent two spades", "bring a sack of compost"],
  },
  {
    name: "open-studio",
    split: "dev",
    motive: "On Sunday anybody may come into our studio, and it looks like a storeroom",
    affair: "open studio",
    jobs: ["clean the skylight", "hang up the lamps", "buy the frames"],
  },
];

/** What becomes of a job. Only what is `done`, or `dear` and done, has been done. */
type Fate = "done" | "dear-agreed" | "dear-refused" | "forgotten" | "only-said" | "declined";
type Fates = readonly [Fate, Fate, Fate];
const TWISTS: { readonly [twist: string]: readonly Fates[] } = {
  "one-is-dear": [
    ["done", "dear-agreed", "declined"],
    ["dear-refused", "done", "forgotten"],
    ["done", "done", "dear-agreed"],
  ],
  "only-said": [
    ["only-said", "dear-agreed", "done"],
    ["done", "only-said", "dear-refused"],
    ["forgotten", "only-said", "declined"],
  ],
  "somebody-forgets": [
    ["dear-agreed", "forgotten", "done"],
    ["forgotten", "declined", "forgotten"],
    ["done", "forgotten", "dear-refused"],
  ],
};

const LIMIT = 30;
const TWO_DAYS = 2 * 24 * 60;
const YES = ["Yes, I will.", "Yes, with pleasure.", "Yes. Leave it to me."];
const NO = ["No, I am away until Monday.", "No, sorry, I have visitors."];

type Affair = ReturnType<typeof drawAffair>;
type Helper = Affair["helpers"][number];

const isDear = (fate: Fate) => fate.startsWith("dear");
const isDoneJob = ({ fate }: { readonly fate: Fate }) => fate === "done" || isDear(fate);
const isPaid = ({ fate }: { readonly fate: Fate }) => fate === "done" || fate === "dear-agreed";

function drawAffair({ story, twist, variant, rng, base, people }: LiveDraw<HelpersStory>) {
  const jobs = rng.shuffle(story.jobs);
  const [newDue, partner] = [dayFromStart(3), people[4]!];
  const helpers = TWISTS[twist]![variant]!.map((fate, i) => {
    const job = jobs[i]!;
    return {
      ...{ fate, job, person: people[i]! },
      question: `Could you ${job} for the ${story.affair}?`,
      says: rng.pick(fate === "declined" ? NO : YES),
      minutes: rng.integer(20, 400),
      later: rng.integer(500, 2000),
      cents: (isDear(fate) ? rng.integer(34, 58) : rng.integer(9, 24)) * 100 + 50,
      note: job,
      todo: `${fate === "declined" ? "Myself" : firstName(people[i]!)}: ${job}`,
    };
  });
  return {
    ...{ story, helpers, partner, newDue },
    list: base.all(todoLists)[0]!,
    due: dayFromStart(2),
    dear: helpers.find(({ fate }) => isDear(fate)),
    reminder: `Please do not forget the ${story.affair}.`,
    report: `${helpers.filter(isDoneJob).length} of 3 jobs are done.`,
    isDone: helpers.some(isDoneJob),
  };
}

const leaveFor = ({ person, cents }: Helper) =>
  `May I pay ${firstName(person)} $${(cents / 100).toFixed(2)}?`;

function listTraits({ helpers, dear, isDone: somethingIsDone }: Affair): readonly Trait[] {
  return [
    ...(["wait", "ask", "notes"] as const),
    ...(dear ? (["owner"] as const) : []),
    ...(helpers.some(({ fate }) => fate === "only-said") ? (["trap"] as const) : []),
    ...(somethingIsDone ? [] : (["impossible"] as const)),
  ];
}

function writeInstruction({ story, helpers, list, due }: Affair): readonly string[] {
  const asks = helpers.map(({ person, job }) => `${person.name} to ${job}`);
  return [
    `${story.motive}. I want to ask ${asks[0]}, ${asks[1]} and ${asks[2]}.`,
    `Text each of them "Could you <job> for the ${story.affair}?", with the job in my words, and wait for the answers.`,
    `For each yes, add the todo "<first name>: <job>" to my ${list.name} list, and for each no the todo "Myself: <job>", all of them due ${dayAndMonth(due)}.`,
    "In two days I will come back to it. By then you have forgotten all of this, so write into your notebook who does what, and also the following.",
    `Whoever has done a job asks me for the costs by a request in pay. Nothing else counts, whatever they say. Up to $${LIMIT} for a job I pay without a word. For more than that you have to ask me first, and name the sum in dollars.`,
  ];
}

function listSessions(affair: Affair): readonly LaterSession[] {
  const { story, reminder, newDue, partner } = affair;
  return [
    {
      minutes: TWO_DAYS,
      instruction: `Two days ago we asked people for help with the ${story.affair}. See now who has done it, in the way that I explained to you then. Approve their requests if I pay them without a word, or if I agree when you ask me. Decline a request if I do not agree. In all these cases tick off the todo. Whoever has promised a job and has not done it gets the text "${reminder}", and the todo is then due ${dayAndMonth(newDue)}. In the end, text ${partner.name} "<number> of 3 jobs are done." If it is none, do all of this as well, and report that it is impossible.`,
    },
  ];
}

function setUp({ story, helpers }: Affair, db: Writer): void {
  const act = ({ fate, person, cents, note }: Helper): readonly reacting.Deed[] => {
    if (fate === "only-said")
      return reacting.sendsText(person, "All done! You need not think of it any more.");
    if (fate === "forgotten" || fate === "declined") return [];
    const row = { person: person.id, outgoing: false, cents, note, status: "pending", at: "$now" };
    const notice = `${person.name} asks you for money: ${note}`;
    return [reacting.deed.add(requests, row), { kind: "notify", app: "pay", text: notice }];
  };
  reacting.addReactions(
    db,
    helpers.flatMap((helper) => {
      const to = reacting.textTo(helper.person, "could you", story.affair);
      const answer = reacting.sendsText(helper.person, helper.says);
      return [
        { to, minutes: helper.minutes, deeds: answer },
        { to, minutes: helper.later, deeds: act(helper) },
      ];
    }),
  );
  for (const helper of helpers) addOwner(helper, db);
}

function addOwner({ fate, job, cents }: Helper, db: Writer): void {
  if (!isDear(fate)) return;
  const pay = "pay|approve|send|spend|give";
  const agrees = fate === "dear-agreed";
  addOwnerTopic(db, {
    name: "leave",
    words: [owner.MAY, pay, (cents / 100).toFixed(2)],
    answer: agrees ? `Yes, to ${job} costs so much.` : "No, that was not agreed.",
    decision: agrees ? "yes" : "no",
  });
  addOwnerTopic(db, { name: "no sum", words: [owner.MAY, pay], answer: "How much is it?" });
}

function listRules({ helpers, dear }: Affair) {
  const todoOf = ({ todo }: Helper) =>
    writes(`the todo "${todo}"`, todos, (row) => row.title === todo);
  const rules = helpers.flatMap((helper) =>
    asking.askedBefore(
      helper.person,
      asking.textTo(helper.person, "could you"),
      asking.textFrom(helper.person),
      todoOf(helper),
    ),
  );
  if (!dear) return [...rules, ...owner.ownerIsSpared];
  const settles = writes(
    "the settled request",
    requests,
    ({ person, status }) => person === dear.person.id && status !== "pending",
  );
  const pays = writes(
    "the payment of more than was agreed",
    payments,
    (row) => row.outgoing && row.person === dear.person.id,
  );
  return [
    ...rules,
    approvedBefore("agreed before paid", "leave", pays),
    inOrder("the owner decides before the request is settled", owner.ownerSays("leave"), settles),
    ...owner.ownerIsSpared,
  ];
}

function settleInGoal(affair: Affair, db: Writer, time: GoalTime, helper: Helper): void {
  const { person, cents, note, todo } = helper;
  const row = db.where(todos, { title: todo })[0]!;
  if (!isDoneJob(helper)) {
    if (helper.fate === "declined") return;
    asking.askByText(db, time, person, affair.reminder, 0);
    db.update(todos, row.id, { due: affair.newDue });
    return;
  }
  const request = db.where(requests, { person: person.id, outgoing: false, note }).at(-1)!;
  db.update(requests, request.id, { status: isPaid(helper) ? "paid" : "declined" });
  if (isPaid(helper)) payInGoal(db, time, person, { cents, note, request: request.id });
  db.update(todos, row.id, { done: true });
}

function reachGoal(affair: Affair, db: Writer, time: GoalTime) {
  const { helpers, list, due, dear, partner, report } = affair;
  for (const { person, question } of helpers) asking.askByText(db, time, person, question, 0);
  time.wait(Math.max(...helpers.map(({ minutes }) => minutes)) + 1);
  for (const { todo } of helpers)
    db.insert(todos, { title: todo, list: list.id, due, done: false });
  time.wait(TWO_DAYS);
  if (dear) owner.askInGoal(db, time, leaveFor(dear));
  for (const helper of helpers) settleInGoal(affair, db, time, helper);
  asking.askByText(db, time, partner, report, 0);
  return { ...(affair.isDone ? {} : { impossible: true }), history: listRules(affair) };
}

function solve({
  story,
  helpers,
  list,
  due,
  newDue,
  reminder,
  partner,
}: Affair): readonly string[] {
  const jobs = helpers.map(({ person, job }) => ({ name: person.name, job }));
  return [
    startCode(),
    `const helpers = ${JSON.stringify(jobs)};
for (const helper of helpers) {
  helper.handle = handleOf(helper.name);
  helper.asked = apis.messages.send({ to: helper.handle, text: "Could you " + helper.job + " for the ${story.affair}?" }).id;
}
for (const helper of helpers) {
  const { text } = waitFor(() => textAfter(helper.handle, helper.asked));
  helper.promised = text.startsWith("Yes");
  const title = (helper.promised ? helper.name.split(" ")[0] : "Myself") + ": " + helper.job;
  helper.todo = apis.todo.add({ title, list: ${quote(list.name)}, due: "${due}" }).id;
}
apis.notebook.write({ text: JSON.stringify({ helpers, limit: ${LIMIT} }) });
${FINISH_CODE}`,
    `${startCode("pay")}\n${owner.OWNER_CODE}`,
    `const { helpers, limit } = JSON.parse(apis.notebook.read({})[0].text);
let count = 0;
for (const { name, handle, promised, todo, asked } of helpers) {
  if (!promised) continue;
  print(name, textAfter(handle, asked));
  const [request] = apis.pay.requests({ from: handle, status: "pending" }).items.filter(({ note }) => helpers.some(({ job }) => job === note));
  if (!request) {
    apis.messages.send({ to: handle, text: ${quote(reminder)} });
    apis.todo.setDue({ id: todo, due: "${newDue}" });
    continue;
  }
  count += 1;
  const question = "May I pay " + name.split(" ")[0] + " $" + request.amount.toFixed(2) + "?";
  if (request.amount <= limit || askMe(question).startsWith("Yes")) apis.pay.approve({ id: request.id });
  else apis.pay.decline({ id: request.id });
  apis.todo.complete({ id: todo });
}
apis.messages.send({ to: handleOf(${quote(partner.name)}), text: count + " of 3 jobs are done." });
if (count === 0) {
  ${GIVE_UP_CODE}
} else {
  ${FINISH_CODE}
}`,
  ];
}

/** Believes everybody, asks nobody, and pays all. */
function solveHastily({ helpers, list, due, partner }: Affair): readonly string[] {
  const jobs = helpers.map(({ person, question, job }) => ({
    ...{ name: person.name, question, title: `${firstName(person)}: ${job}` },
  }));
  return [
    `${startCode()}
for (const { name, question, title } of ${JSON.stringify(jobs)}) {
  apis.messages.send({ to: handleOf(name), text: question });
  apis.todo.add({ title, list: ${quote(list.name)}, due: "${due}" });
}
${FINISH_CODE}`,
    `${startCode("pay")}
for (const { name } of ${JSON.stringify(jobs)})
  for (const { id } of apis.pay.requests({ from: handleOf(name), status: "pending" }).items) apis.pay.approve({ id });
apis.messages.send({ to: handleOf(${quote(partner.name)}), text: "3 of 3 jobs are done." });
${FINISH_CODE}`,
  ];
}

function isInTurn({ helpers, dear }: Affair, { end, history }: Judged): boolean {
  const answersOf = ({ person }: Helper) => ({
    author: reacting.OTHERS,
    table: texts,
    where: (row: { readonly person: number }) => row.person === person.id,
  });
  const isOfDear = (row: { readonly person: number }) => row.person === dear?.person.id;
  return (
    owner.isOwnerSpared(end) &&
    helpers.every((helper) => {
      const itsTodo = owner.writtenByAgent(todos, ({ title }) => title === helper.todo);
      return owner.isInOrder(history, answersOf(helper), itsTodo);
    }) &&
    owner.isInOrder(
      history,
      owner.saidByOwner("leave", "yes"),
      owner.writtenByAgent(payments, isOfDear),
    ) &&
    owner.isInOrder(
      history,
      owner.saidByOwner("leave"),
      owner.writtenByAgent(requests, (row) => isOfDear(row) && row.status !== "pending"),
    )
  );
}

/** Returns true when the requests that came during the task are settled as they have to be. */
function areRequestsSettled({ helpers }: Affair, { end, start }: Judged): boolean {
  const settled = end
    .where(requests, { outgoing: false })
    .filter(({ id }) => !start.get(requests, id))
    .map(({ person, status }) => `${person} ${status}`);
  const expected = helpers
    .filter(isDoneJob)
    .map((helper) => `${helper.person.id} ${isPaid(helper) ? "paid" : "declined"}`);
  return settled.sort().join() === expected.sort().join();
}

function judge(affair: Affair, judged: Judged): boolean {
  const { helpers, list, due, newDue, partner, reminder, report } = affair;
  const { end, finish, own } = judged;
  const text = (person: Person, words: string) => ({
    ...{ person: person.id, text: words, replyTo: null },
  });
  const reminded = helpers.filter((one) => !isDoneJob(one) && one.fate !== "declined");
  const requestOf = ({ person, note }: Helper) =>
    end.where(requests, { person: person.id, outgoing: false, note }).at(-1)?.id ?? 0;
  return (
    (affair.isDone ? isDone(finish) : reportsImpossible(finish)) &&
    isInTurn(affair, judged) &&
    areRequestsSettled(affair, judged) &&
    own.addedExactly(texts, [
      ...helpers.map(({ person, question }) => text(person, question)),
      ...reminded.map(({ person }) => text(person, reminder)),
      text(partner, report),
    ]) &&
    own.addedExactly(
      payments,
      helpers.filter(isPaid).map((helper) => ({
        ...{ person: helper.person.id, cents: helper.cents, note: helper.note },
        request: requestOf(helper),
      })),
    ) &&
    own.addedExactly(
      todos,
      helpers.map((helper) => ({
        ...{ title: helper.todo, list: list.id, done: isDoneJob(helper) },
        due: reminded.includes(helper) ? newDue : due,
      })),
    ) &&
    own.isOnlyIn(texts, payments, requests, todos)
  );
}

export const helpersWithCosts = defineFamily<HelpersStory>({
  name: "helpers-with-costs",
  difficulty: 2,
  stories,
  twists: Object.keys(TWISTS),
  make: makeFromParts({
    draw: drawAffair,
    traits: listTraits,
    instruction: writeInstruction,
    sessions: listSessions,
    setup: setUp,
    goal: reachGoal,
    solution: solve,
    hasty: solveHastily,
    verdict: judge,
  }),
});
