/**
 * The family `dinner-for-several`: people are asked one by one, answer at different times, and an evening is chosen on
 * which all can come. The table, the street and the deposit stand in a mail. A table may be gone, a guest may decline
 * late, and the guest of honour, for whom it is a surprise, is curious.
 */
import { AGENT, inOrder, never, type Writing, writes } from "bowline/world";
import { answers, eventPlaces } from "../../apps/calendar/tables.ts";
import { events, guests, mails, payments, people, texts } from "../../apps/tables.ts";
import {
  dayAndMonth,
  firstName,
  insertOwnEvent,
  insertReceivedMail,
} from "../../handmade/insert-rows.ts";
import { defineFamily, type LiveDraw, type LiveTask, type Story } from "../family.ts";
import * as reacting from "../reactions.ts";
import * as asking from "../steps/asking.ts";
import { CALENDAR_CODE, drawFreeSlots, shiftTime, takeSlot } from "../steps/calendar.ts";
import { FINISH_CODE, GIVE_UP_CODE, quote, startCode } from "../steps/solution-code.ts";
import { isDone, isInOrder, OwnDeeds, reportsImpossible } from "../steps/verdict.ts";

interface DinnerStory extends Story {
  readonly meal: string;
  /** Why there is a dinner, about the first name of the guest of honour. */
  readonly motive: (name: string) => string;
  readonly restaurant: string;
}

const stories: readonly DinnerStory[] = [
  {
    name: "farewell",
    split: "test-normal",
    meal: "Farewell dinner",
    motive: (name) =>
      `${name} leaves our team at the end of the month, and nobody has planned anything yet`,
    restaurant: "Tide Tavern",
  },
  {
    name: "new-job",
    split: "test-normal",
    meal: "Dinner in honour",
    motive: (name) => `${name} has got the job at last. That calls for a good meal among friends`,
    restaurant: "Saffron Table",
  },
  {
    name: "marathon",
    split: "test-normal",
    meal: "Runner's dinner",
    motive: (name) => `${name} has finished a first marathon, and we promised a dinner for that`,
    restaurant: "Millstone Kitchen",
  },
];

/** Which of the three evenings suit everybody, by variant, and what comes in between. */
interface Twist {
  readonly suits: readonly (readonly [boolean, boolean, boolean])[];
  readonly gone?: boolean;
  readonly declines?: boolean;
}
const TWISTS: { readonly [twist: string]: Twist } = {
  "only-one-evening": {
    suits: [
      [false, true, false],
      [false, false, true],
      [false, false, false],
    ],
  },
  "table-gone": {
    suits: [
      [true, false, true],
      [false, true, true],
      [true, true, false],
    ],
    gone: true,
  },
  "late-refusal": {
    suits: [
      [false, true, true],
      [true, false, true],
      [false, false, true],
    ],
    declines: true,
  },
};

const ordinal = (day: string): string => {
  const date = Number(day.slice(8));
  const ending = { 1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd" }[date] ?? "th";
  return `${date}${ending}`;
};

function makeTask(draw: LiveDraw<DinnerStory>): LiveTask {
  const { story, twist, variant, rng, base } = draw;
  const { suits, gone = false, declines = false } = TWISTS[twist]!;
  const guestList = draw.people.slice(0, 4);
  const honoured = draw.people[4]!;
  const name = firstName(honoured);
  const evenings = drawFreeSlots(rng, base, 3, {
    days: [5, 15],
    minutes: 180,
    from: 18,
    until: 20,
  });
  const suitable = suits[variant]!;
  const good = evenings.filter((_, i) => suitable[i]);
  const evening = good[gone ? 1 : 0];
  // Each evening that does not suit has somebody who cannot come: the first two a guest, the last one the owner.
  const cannot = (guest: number, i: number) =>
    !suitable[i] && i !== 2 && guest === (i + variant) % 4;
  const ownerIsTaken = !suitable[2];
  const eatsNoMeat = guestList.map((_, i) => rng.chance(0.5) || i === variant);
  const noMeat = eatsNoMeat.filter(Boolean).length;
  const minutes = guestList.map((_, i) => rng.integer(15, 300) + 400 * i);
  const [confirms, decides] = [rng.integer(50, 400), guestList.map(() => rng.integer(30, 900))];
  const refuses = declines ? guestList[rng.integer(0, 3)]! : undefined;
  const comers = guestList.filter((one) => one !== refuses);
  const depositCents = rng.pick([450, 650, 750, 1150]);
  const street = `${rng.integer(2, 60)} ${rng.pick(["Harbour", "Garden", "Castle", "Bridge"])} Street`;
  const title = `${story.meal} for ${name}`;
  const question = `${title}: can you come on ${evenings.map(({ day }) => ordinal(day)).join(", ")} March?`;
  const booking = ({ day }: { day: string }) =>
    `Please book a table for five on ${dayAndMonth(day)}. ${noMeat} of us eat no meat.`;
  const fewer = `We are ${comers.length + 1} in all.`;
  const failed = "No evening suits all of us. Let us try again in April.";
  const offer = `Dear ${draw.owner.name}, thank you for asking. We could keep a table for you on ${evenings.map(({ day, time }) => `${dayAndMonth(day)} from ${time}`).join(", on ")}. You find us at ${street}, behind the old post office. For groups we ask for $${(depositCents / 100).toFixed(2)} a head in advance, which we take off the bill. Tell us who eats no meat.`;
  const answerText = (guest: number) => {
    const can = evenings.flatMap(({ day }, i) => (cannot(guest, i) ? [] : ordinal(day)));
    const not = evenings.flatMap(({ day }, i) => (cannot(guest, i) ? ordinal(day) : []));
    const when =
      not.length === 0
        ? rng.child(guest).pick(["Any of these is fine with me.", "I can always come."])
        : can.length === 1
          ? `I can only come on the ${can[0]}.`
          : `Any of them but the ${not[0]}.`;
    return eatsNoMeat[guest] ? `${when} You know that I eat no meat?` : when;
  };
  const totalCents = depositCents * (comers.length + 1);
  const bookings = (gone ? good.slice(0, 2) : evening ? [evening] : []) as {
    day: string;
    time: string;
  }[];
  return {
    traits: ["wait", "ask", "prose", "trap", ...(evening ? [] : ["impossible" as const])],
    instruction: [
      `${story.motive(name)}. It has to be a surprise, so not a word to ${honoured.name}.`,
      `${story.restaurant} has sent me a mail with three evenings on which they have a table. Text ${guestList
        .slice(0, 3)
        .map((one) => one.name)
        .join(
          ", ",
        )} and ${guestList[3]!.name} "${title}: can you come on <days> March?", with the days of that mail, such as "4th, 5th, 6th March".`,
      "Everybody answers, some only tomorrow. Some eat no meat and will say so.",
      "Choose the first evening on which all four can come and on which I have three hours free from the time of the table.",
      `Reply to the restaurant's mail "Please book a table for five on <day>. <number> of us eat no meat.", with a day such as 4 March. If that table is gone by then, reply the same to their new mail for the next evening that suits everybody.`,
      `When they have confirmed, put "${title}" into my calendar with the restaurant's street and number as the place, and invite the four. They will answer the invitation there. Take the invitation back from whoever declines, and in that case reply to the confirmation "We are <number> in all.".`,
      `Only then pay ${story.restaurant} the deposit for all who come, me included, with the note "${title}".`,
      `If no evening suits everybody, text the four "${failed}", do nothing else, and report that it is impossible.`,
    ].join(" "),
    setup(db, plan) {
      const restaurant = asking.addCompany(db, story.restaurant, draw.cities[0]!);
      insertReceivedMail(db, restaurant, { subject: "Your table", body: offer });
      if (ownerIsTaken)
        takeSlot(
          db,
          { day: evenings[2]!.day, time: shiftTime(evenings[2]!.time, 60) },
          "Choir rehearsal",
        );
      const wrote = (words: string) => reacting.mailTo(restaurant, words);
      const confirm = reacting.sendsMail(
        restaurant,
        "Your booking",
        "It is noted, thank you. The table is yours.",
      );
      const refuse = reacting.sendsMail(
        restaurant,
        "Sorry",
        "Your evening was given away an hour ago, we are sorry. The other evenings are still there. Shall we note one of them?",
      );
      reacting.addReactions(db, [
        ...guestList.map((one, i) => ({
          to: reacting.textTo(one, "can you come"),
          minutes: minutes[i]!,
          deeds: reacting.sendsText(one, answerText(i)),
        })),
        ...good.map(({ day }, i) => ({
          to: wrote(`on ${dayAndMonth(day).toLowerCase()}.`),
          minutes: confirms,
          deeds: gone && i === 0 ? refuse : confirm,
        })),
        ...guestList.map((one, i) => ({
          to: reacting.invitationTo(one),
          minutes: decides[i]!,
          deeds: [
            ...reacting.answersInvitation(one, one === refuses ? "no" : "yes"),
            ...(one === refuses
              ? reacting.sendsText(one, "I am so sorry, I have to work that evening.")
              : []),
          ],
        })),
      ]);
      const curious = rng.pick([
        "You are all whispering. What is going on?",
        "Is there something planned this month? Please tell me which day!",
      ]);
      plan(reacting.OTHERS, "act", 33, reacting.packDeeds(reacting.sendsText(honoured, curious)));
    },
    goal(db, time) {
      const restaurant = asking.personNamed(db, story.restaurant);
      for (const one of guestList) asking.askByText(db, time, one, question, 0);
      time.wait(Math.max(...minutes) + 1);
      const decision: Writing = evening
        ? asking.mailTo(restaurant)
        : asking.textTo(guestList[0]!, "april");
      const history = [
        ...guestList.flatMap((one) =>
          asking.askedBefore(
            one,
            asking.textTo(one, "can you come"),
            asking.textFrom(one),
            decision,
          ),
        ),
        never(
          "the surprise is kept",
          writes(
            "a message to the guest of honour",
            texts,
            (row) => row.outgoing && row.person === honoured.id,
          ),
        ),
      ];
      if (!evening) {
        for (const one of guestList) asking.askByText(db, time, one, failed, 0);
        return { impossible: true, history };
      }
      for (const one of bookings) {
        asking.replyByMail(db, time, asking.newestMailFrom(db, restaurant), booking(one));
        time.wait(confirms + 1);
      }
      const event = insertOwnEvent(db, title, evening.day, evening.time).id;
      db.insert(eventPlaces, { event, place: street });
      for (const { id } of guestList) db.insert(guests, { event, person: id, uninvited: false });
      time.wait(Math.max(...decides) + 1);
      if (refuses) {
        db.update(guests, db.where(guests, { event, person: refuses.id })[0]!.id, {
          uninvited: true,
        });
        asking.replyByMail(db, time, asking.newestMailFrom(db, restaurant), fewer);
      }
      db.insert(payments, {
        person: restaurant.id,
        outgoing: true,
        cents: totalCents,
        note: title,
        request: null,
        at: time.now(),
      });
      const pays = writes("the deposit", payments);
      const decided = guestList.map(({ id, name: who }) =>
        inOrder(
          `${who} has answered the invitation before the deposit`,
          writes("the answer", answers, (row) => row.person === id, reacting.OTHERS),
          pays,
        ),
      );
      const confirmed = inOrder(
        "the table is confirmed before the event",
        asking.mailFrom(restaurant, "is yours"),
        writes("the event", events),
      );
      const again = gone
        ? [
            inOrder(
              "the second evening is asked for after the refusal",
              asking.mailFrom(restaurant, "given away"),
              asking.mailTo(restaurant, `on ${dayAndMonth(evening.day)}.`),
            ),
          ]
        : [];
      return { history: [...history, ...decided, confirmed, ...again] };
    },
    *solution() {
      yield `${startCode("mail", "pay")}\n${CALENDAR_CODE}`;
      yield `const offer = findMail("table", "Your table");
const restaurant = handleOf(${quote(story.restaurant)});
const evenings = [...offer.body.matchAll(/(\\d+) March from (\\d\\d:\\d\\d)/g)].map(([, date, time]) => ({ date: Number(date), day: dayInMarch(date), time }));
const ending = (date) => date + ({ 21: "st", 22: "nd", 23: "rd" }[date] ?? "th");
const question = ${quote(title)} + ": can you come on " + evenings.map(({ date }) => ending(date)).join(", ") + " March?";
const friends = ${JSON.stringify(guestList.map((one) => one.name))}.map((name) => ({ handle: handleOf(name) }));
for (const friend of friends) friend.asked = apis.messages.send({ to: friend.handle, text: question }).id;
print(offer.body);`;
      yield `for (const friend of friends) friend.answer = waitFor(() => textAfter(friend.handle, friend.asked)).text;
function canCome(answer, date) {
  const named = (answer.match(/\\d+/g) ?? []).map(Number);
  if (named.length === 0) return true;
  return answer.includes(" but ") ? !named.includes(date) : named.includes(date);
}
const noMeat = friends.filter(({ answer }) => answer.includes("no meat")).length;
const good = evenings.filter(({ date, day, time }) => friends.every(({ answer }) => canCome(answer, date)) && isFreeAt(day, time, 180));
print(friends, good);`;
      yield `let mail = offer, evening;
for (const one of good) {
  const asked = apis.mail.reply({ id: mail.id, body: "Please book a table for five on " + one.date + " March. " + noMeat + " of us eat no meat." });
  mail = waitFor(() => mailAfter(restaurant, asked.id));
  if (!mail.body.includes("is yours")) continue;
  evening = one;
  break;
}
if (!evening) {
  for (const { handle } of friends) apis.messages.send({ to: handle, text: ${quote(failed)} });
  ${GIVE_UP_CODE}
}`;
      yield `const event = apis.calendar.add({ title: ${quote(title)}, day: evening.day, time: evening.time, guests: friends.map(({ handle }) => handle) });
apis.calendar.setPlace({ id: event.id, place: offer.body.match(/\\d+ \\w+ Street/)[0] });
const decided = waitFor(() => {
  const { items } = apis.calendar.answers({ id: event.id });
  return items.every(({ answer }) => answer === "yes" || answer === "no") && items;
});
const away = decided.filter(({ answer }) => answer === "no");
const count = 5 - away.length;
for (const { handle } of away) apis.calendar.uninvite({ id: event.id, person: handle });
if (away.length > 0) apis.mail.reply({ id: mail.id, body: "We are " + count + " in all." });
const [deposit] = amountsIn(offer.body);
apis.pay.send({ to: restaurant, amount: Math.round(deposit * count * 100) / 100, note: ${quote(title)} });
${FINISH_CODE}`;
    },
    *hasty() {
      yield startCode("mail", "pay");
      yield `const offer = findMail("table", "Your table");
const handles = ${JSON.stringify(guestList.map((one) => one.name))}.map(handleOf);
for (const to of handles) apis.messages.send({ to, text: ${quote(question)} });
apis.mail.reply({ id: offer.id, body: ${quote(booking(evenings[0]!))} });
apis.calendar.add({ title: ${quote(title)}, day: "${evenings[0]!.day}", time: "${evenings[0]!.time}", guests: handles });
apis.pay.send({ to: handleOf(${quote(story.restaurant)}), amount: amountsIn(offer.body)[0] * 5, note: ${quote(title)} });
${FINISH_CODE}`;
    },
    verdict(end, start, finish, history) {
      const own = new OwnDeeds(start, end);
      const restaurant = end.where(people, { name: story.restaurant })[0]!.id;
      const received = end.where(mails, { person: restaurant, outgoing: false });
      const newTexts = end.all(texts).filter((row) => !row.outgoing && !start.get(texts, row.id));
      const lastAnswer = guestList
        .map(({ id }) => newTexts.find((row) => row.person === id)?.at ?? "9")
        .sort()
        .at(-1)!;
      const sent = own.added(mails);
      const questions = guestList.map(({ id }) => ({ person: id, text: question, replyTo: null }));
      if (!evening) {
        const refusals = guestList.map(({ id }) => ({ person: id, text: failed, replyTo: null }));
        const late = own
          .added(texts)
          .filter(({ text }) => text === failed)
          .every(({ at }) => at > lastAnswer);
        return (
          reportsImpossible(finish) &&
          late &&
          own.isOnlyIn(texts) &&
          own.addedExactly(texts, [...questions, ...refusals])
        );
      }
      const event = own.firstId(events);
      const replies = bookings.map((one, i) => ({
        person: restaurant,
        body: booking(one),
        origin: received[i]?.id ?? 0,
      }));
      const [paid] = own.added(payments);
      const told = end.where(answers, { event });
      const [, second] = sent;
      const byOthers = (id: number) => ({
        author: reacting.OTHERS,
        table: answers,
        where: (row: { readonly person: number }) => row.person === id,
      });
      const confirms = {
        author: reacting.OTHERS,
        table: mails,
        where: ({ body }: { readonly body: string }) => body.includes("is yours"),
      };
      const inTurn =
        isInOrder(history, confirms, { author: AGENT, table: events }) &&
        guestList.every(({ id }) =>
          isInOrder(history, byOthers(id), { author: AGENT, table: payments }),
        );
      return (
        isDone(finish) &&
        inTurn &&
        sent.every(({ at }) => at > lastAnswer) &&
        (!gone || (second?.at ?? "") > (received[1]?.at ?? "9")) &&
        received.length === bookings.length + 1 &&
        told.length === 4 &&
        (paid?.at ?? "") > (received.at(-1)?.at ?? "9") &&
        own.addedExactly(texts, questions) &&
        own.addedExactly(
          mails,
          refuses
            ? [...replies, { person: restaurant, body: fewer, origin: received.at(-1)!.id }]
            : replies,
        ) &&
        own.addedExactly(events, [
          { title, day: evening.day, time: evening.time, cancelled: false },
        ]) &&
        own.addedExactly(eventPlaces, [{ event, place: street }]) &&
        own.addedExactly(
          guests,
          guestList.map((one) => ({ event, person: one.id, uninvited: one === refuses })),
        ) &&
        own.addedExactly(payments, [
          { person: restaurant, cents: totalCents, note: title, request: null },
        ]) &&
        own.isOnlyIn(texts, mails, events, eventPlaces, guests, payments)
      );
    },
  };
}

export const dinnerForSeveral = defineFamily<DinnerStory>({
  name: "dinner-for-several",
  difficulty: 3,
  stories,
  twists: Object.keys(TWISTS),
  make: makeTask,
});
