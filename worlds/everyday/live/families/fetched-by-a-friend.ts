/**
 * The family `fetched-by-a-friend`: a thing is ready somewhere, and a friend is asked to fetch it. Friends decline,
 * forget it, or only say that they did it. Split shows who has really been there, and then somebody else is asked.
 */
import { inOrder, never, type Writing, writes } from "bowline/world";
import { albumShares, albums } from "../../apps/photos/tables.ts";
import * as split from "../../apps/split/tables.ts";
import {
  events,
  guests,
  mails,
  notes,
  people,
  texts,
  todoLists,
  todos,
} from "../../apps/tables.ts";
import {
  dayAndMonth,
  firstName,
  insertOpenTodo,
  insertOwnEvent,
} from "../../handmade/insert-rows.ts";
import { dayFromStart } from "../../population/time.ts";
import { defineFamily, type LiveDraw, type LiveTask, type Story } from "../family.ts";
import { addReactions, deed, sendsMail, sendsText, textTo } from "../reactions.ts";
import * as asking from "../steps/asking.ts";
import { FINISH_CODE, GIVE_UP_CODE, quote, startCode } from "../steps/solution-code.ts";
import { isDone, OwnDeeds, reportsImpossible } from "../steps/verdict.ts";

interface FetchStory extends Story {
  readonly motive: string;
  readonly thing: string;
  readonly shop: string;
  readonly group: string;
  readonly extra: string;
}

const stories: readonly FetchStory[] = [
  {
    name: "canoe",
    split: "test-challenge",
    motive: "Our canoe is watertight again, and I am out of town until the weekend",
    thing: "canoe",
    shop: "Reed Boatyard",
    group: "River weekend",
    extra: "new paddle",
  },
  {
    name: "projector",
    split: "test-challenge",
    motive: "The projector for our film nights is repaired, and I am in bed with a cold",
    thing: "projector",
    shop: "Lens and Light",
    group: "Film nights",
    extra: "spare lamp",
  },
];

type Fate = "does" | "forgets" | "lies" | "declines";
const FATES: { readonly [twist: string]: readonly (readonly Fate[])[] } = {
  forgotten: [
    ["forgets", "does"],
    ["declines", "forgets", "does"],
    ["forgets", "declines", "does"],
  ],
  "says-so-only": [
    ["lies", "does"],
    ["declines", "lies", "does"],
    ["lies", "forgets", "declines"],
  ],
};

const DAY = "2026-03-12";

function makeTask(draw: LiveDraw<FetchStory>): LiveTask {
  const { story, twist, variant, rng, base } = draw;
  const { thing, shop, group: groupName, extra } = story;
  const circle = new Map(draw.people.map((one) => [firstName(one), one])).values();
  const [a, b, c, partner] = [...circle];
  const friends = [a!, b!, c!];
  const fates = FATES[twist]![variant]!;
  const asked = fates.map((fate, i) => ({ fate, person: friends[i]! }));
  const helper = asked.find(({ fate }) => fate === "does")?.person;
  const cents = 4 * rng.integer(180, 620);
  const [answers, acts, closes] = [0, 1, 2].map((i) =>
    friends.map(() => rng.integer(20, 150) + 200 * i),
  );
  const title = rng.pick(["Who can fetch things", "Helping hands", "Friends with a van"]);
  const album = `${rng.pick(["How to carry", "How to pack", "All about"])} the ${thing}`;
  const paid = `${thing} repair`;
  const question = `Could you fetch the ${thing} from ${shop} before they close?`;
  const ending = rng.pick([
    "",
    " I owe you one.",
    " The next cake is on me.",
    " That was so kind.",
  ]);
  const thanks = `Thank you, you have saved the day!${ending}`;
  const failed = `Nobody could fetch the ${thing}.`;
  const todo = `Fetch the ${thing}`;
  const event = `Take over the ${thing} from ${helper && firstName(helper)}`;
  const day = dayFromStart(rng.integer(3, 9));
  const time = `${rng.integer(15, 19)}:${rng.pick(["10", "20", "40", "50"])}`;
  const list = base.all(todoLists)[0]!;
  const comment = `Fetched, it stands at my place. They wanted another $${(cents / 100).toFixed(2)} for the ${extra}, which I have paid. Come on ${dayAndMonth(day)} at ${time} and take it over.`;
  return {
    traits: [
      "wait",
      "ask",
      "prose",
      ...(twist === "says-so-only" ? ["trap" as const] : []),
      ...(helper ? [] : ["impossible" as const]),
    ],
    instruction: [
      `${story.motive}. Somebody has to fetch the ${thing} from ${shop}, and my note "${title}" says in which order to ask.`,
      `Text the first one "${question}" and wait for the answer. Share my photo album "${album}" with whoever says yes, just to look at.`,
      `${shop} will send me a mail when they close. Wait for it before you do anything else. What people say is not enough for me: whoever has fetched the ${thing} comments on the expense "${paid}" of our split group "${groupName}".`,
      "If it was not fetched, take the album back from that person, and ask the next one in the same way. If somebody says no, go on with the next one at once.",
      `Once it has been fetched, the comment says what was paid for the ${extra}. Add that to the group as the expense "${extra}", dated ${dayAndMonth(DAY)}, in the category "other", paid by that friend and shared equally by all of us.`,
      `Put "Take over the ${thing} from <first name>" into my calendar, at the time which the comment names, and invite the friend. Text the friend "${thanks}" and tick off the todo "${todo}".`,
      `If none of the three fetches it, text ${partner!.name} "${failed}", leave the todo open, and report that it is impossible.`,
    ].join(" "),
    setup(db) {
      const firm = asking.addCompany(db, shop, draw.cities[0]!);
      const group = db.insert(split.splitGroups, { name: groupName, archived: false }).id;
      for (const { id: person } of friends)
        db.insert(split.splitMembers, { group, person, left: false });
      const whole = 4 * rng.child("whole").integer(900, 2400);
      const repair = insertExpense(db, {
        group,
        what: paid,
        cents: whole,
        payer: null,
        day: "2026-03-03",
      });
      for (const person of [null, ...friends.map(({ id }) => id)])
        db.insert(split.expenseShares, { expense: repair, person, cents: whole / 4 });
      db.insert(albums, {
        title: album,
        person: null,
        role: "editor",
        cover: null,
        removed: false,
        left: false,
      });
      insertOpenTodo(db, list.id, todo);
      const lines = [
        `${a!.name} lives around the corner and should be asked first.`,
        `${b!.name} has a van, so that is the second person to ask.`,
        `${c!.name} comes last, because of the bad back.`,
      ];
      const text = `Nobody minds being asked.\n${rng.child("note").shuffle(lines).join("\n")}`;
      db.insert(notes, { title, text, tag: null, pinned: false });
      for (const [i, { person, fate }] of asked.entries()) {
        const to = textTo(person, "could you fetch");
        const yes = rng
          .child(i)
          .pick(["Sure, I will go there after work.", "Gladly! I pass by there anyway."]);
        const no = rng
          .child(i)
          .pick(["Sorry, I am at sea until Monday.", "Sorry, not today, the little one is ill."]);
        const first = firstName(person);
        const says = sendsText(person, "All done, it stands in my hallway!");
        const row = {
          expense: repair,
          person: person.id,
          text: comment,
          removed: false,
          at: "$now",
        };
        const comments = [deed.add(split.expenseComments, row)];
        const closing =
          fate === "does"
            ? `We are closing. ${first} was here, and the ${thing} is on its way.`
            : `We are closing. We waited for ${first}, but the ${thing} is still with us.`;
        addReactions(db, [
          { to, minutes: answers![i]!, deeds: sendsText(person, fate === "declines" ? no : yes) },
          ...(fate === "does" ? [{ to, minutes: acts![i]!, deeds: comments }] : []),
          ...(fate === "lies" ? [{ to, minutes: acts![i]!, deeds: says }] : []),
          ...(fate === "declines"
            ? []
            : [{ to, minutes: closes![i]!, deeds: sendsMail(firm, `Your ${thing}`, closing) }]),
        ]);
      }
    },
    goal(db, time_) {
      const firm = asking.personNamed(db, shop);
      const own = db.where(albums, { title: album })[0]!.id;
      const history = [];
      for (const [i, { person, fate }] of asked.entries()) {
        asking.askByText(db, time_, person, question, 600);
        const next = asked[i + 1]?.person;
        const then: Writing = next
          ? asking.textTo(next, "could you fetch")
          : helper
            ? asking.textTo(helper, "saved the day")
            : asking.textTo(partner!);
        history.push(
          ...asking.askedBefore(
            person,
            asking.textTo(person, "could you fetch"),
            asking.textFrom(person),
            then,
          ),
        );
        if (fate === "declines") continue;
        const closing = asking.mailFrom(firm, firstName(person));
        history.push(inOrder(`${shop} has written about ${person.name} first`, closing, then));
        db.insert(albumShares, {
          album: own,
          person: person.id,
          role: "viewer",
          ended: fate !== "does",
        });
      }
      if (!helper) {
        asking.askByText(db, time_, partner!, failed, 0);
        return {
          impossible: true,
          history: [...history, never("no expense is added", writes("an expense", split.expenses))],
        };
      }
      const { id: group } = db.where(split.splitGroups, { name: groupName })[0]!;
      const expense = insertExpense(db, { group, what: extra, cents, payer: helper.id, day: DAY });
      for (const person of [null, ...friends.map(({ id }) => id)])
        db.insert(split.expenseShares, { expense, person, cents: cents / 4 });
      const { id } = insertOwnEvent(db, event, day, time);
      db.insert(guests, { event: id, person: helper.id, uninvited: false });
      asking.askByText(db, time_, helper, thanks, 0);
      db.update(todos, db.where(todos, { title: todo })[0]!.id, { done: true });
      return { history };
    },
    *solution() {
      yield startCode("mail", "split", "photos");
      yield `const lines = noteNamed(${quote(title)}).text.split("\\n");
const friends = ["asked first", "second person", "comes last"].map((words) => lines.find((line) => line.includes(words)).split(" ").slice(0, 2).join(" "));
const firm = handleOf(${quote(shop)});
const album = apis.photos.findAlbums({ query: ${quote(album)} }).items.find((one) => one.title === ${quote(album)}).id;
const group = readAll((page) => apis.split.groups({ page, size: 20 })).find(({ name }) => name === ${quote(groupName)}).id;
const repair = apis.split.expenses({ group }).items.find(({ what }) => what === ${quote(paid)}).id;
let lastMail = 0, helper;
print(lines);`;
      yield `for (const name of friends) {
  const handle = handleOf(name);
  const sent = apis.messages.send({ to: handle, text: ${quote(question)} });
  const { text } = waitFor(() => textAfter(handle, sent.id));
  print(name, text);
  if (!/^(Sure|Gladly)/.test(text)) continue;
  apis.photos.shareAlbum({ id: album, person: handle, role: "viewer" });
  const mail = waitFor(() => mailAfter(firm, lastMail));
  lastMail = mail.id;
  const comment = apis.split.comments({ id: repair }).items.find(({ by }) => by === handle);
  print(mail.body, comment);
  if (comment) {
    helper = { handle, first: name.split(" ")[0], comment: comment.text };
    break;
  }
  apis.photos.unshareAlbum({ id: album, person: handle });
}`;
      yield `if (!helper) {
  apis.messages.send({ to: handleOf(${quote(partner!.name)}), text: ${quote(failed)} });
  ${GIVE_UP_CODE}
} else {
  const { handle, first, comment } = helper;
  apis.split.add({ group, what: ${quote(extra)}, amount: amountsIn(comment)[0], payer: handle, category: "other", day: "${DAY}" });
  const [, date, time] = comment.match(/on (\\d+) March at (\\d\\d:\\d\\d)/);
  const event = apis.calendar.add({ title: ${quote(`Take over the ${thing} from `)} + first, day: "2026-03-" + date.padStart(2, "0"), time });
  apis.calendar.invite({ id: event.id, person: handle });
  apis.messages.send({ to: handle, text: ${quote(thanks)} });
  const open = apis.todo.search({ query: ${quote(todo)} }).items.find((one) => one.title === ${quote(todo)});
  apis.todo.complete({ id: open.id });
  ${FINISH_CODE}
}`;
    },
    *hasty() {
      yield startCode("mail", "split", "photos");
      yield `const handle = handleOf(${quote(a!.name)});
apis.messages.send({ to: handle, text: ${quote(question)} });
const album = apis.photos.findAlbums({ query: ${quote(album)} }).items[0].id;
apis.photos.shareAlbum({ id: album, person: handle, role: "viewer" });
apis.messages.send({ to: handle, text: ${quote(thanks)} });
const open = apis.todo.search({ query: ${quote(todo)} }).items[0];
apis.todo.complete({ id: open.id });
${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const own = new OwnDeeds(start, end, {
        [split.expenseComments.name]: ({ person }) => person !== null,
      });
      const firm = end.where(people, { name: shop })[0]!.id;
      const said = end.where(mails, { person: firm, outgoing: false });
      const sent = own.added(texts);
      const ends = asked.map(({ person, fate }) => {
        const answer = end
          .where(texts, { person: person.id, outgoing: false })
          .find(({ id }) => !start.get(texts, id));
        const mail = said.find(({ body }) => body.includes(firstName(person)));
        return (fate === "declines" ? answer?.at : mail?.at) ?? "9";
      });
      const inTurn = ends.every((at, i) => (sent[i + 1]?.at ?? "") > at);
      const albumId = start.where(albums, { title: album })[0]!.id;
      const last = helper ?? partner!;
      const made = own.firstId(events);
      return (
        (helper ? isDone(finish) : reportsImpossible(finish)) &&
        inTurn &&
        own.addedExactly(texts, [
          ...asked.map(({ person }) => ({ person: person.id, text: question, replyTo: null })),
          { person: last.id, text: helper ? thanks : failed, replyTo: null },
        ]) &&
        own.addedExactly(
          albumShares,
          asked
            .filter(({ fate }) => fate !== "declines")
            .map(({ person, fate }) => ({
              album: albumId,
              person: person.id,
              role: "viewer" as const,
              ended: fate !== "does",
            })),
        ) &&
        own.addedExactly(
          split.expenses,
          helper
            ? [
                {
                  what: extra,
                  cents,
                  payer: helper.id,
                  addedBy: null,
                  category: "other" as const,
                  day: DAY,
                  method: "equal" as const,
                  removed: false,
                },
              ]
            : [],
        ) &&
        own.addedExactly(
          split.expenseShares,
          helper
            ? [null, ...friends.map(({ id }) => id)].map((person) => ({ person, cents: cents / 4 }))
            : [],
        ) &&
        own.addedExactly(
          events,
          helper ? [{ title: event, day, time, host: null, cancelled: false }] : [],
        ) &&
        own.addedExactly(
          guests,
          helper ? [{ event: made, person: helper.id, uninvited: false }] : [],
        ) &&
        own.changedExactly(
          todos,
          helper ? [{ id: start.where(todos, { title: todo })[0]!.id, done: true }] : [],
        ) &&
        own.isOnlyIn(texts, albumShares, split.expenses, split.expenseShares, events, guests, todos)
      );
    },
  };
}

/** Inserts an expense that is shared equally, without its shares, and returns its id. */
function insertExpense(
  db: Parameters<LiveTask["setup"]>[0],
  row: Pick<split.Expense, "group" | "what" | "cents" | "payer" | "day">,
): number {
  const flags = { addedBy: null, category: "other", method: "equal", removed: false } as const;
  return db.insert(split.expenses, { ...row, ...flags }).id;
}

export const fetchedByAFriend = defineFamily<FetchStory>({
  name: "fetched-by-a-friend",
  difficulty: 3,
  stories,
  twists: Object.keys(FATES),
  make: makeTask,
});
