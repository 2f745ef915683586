/** Mail: answers, forwards, drafts. */
import { drafts } from "../../apps/mail/tables.ts";
import { type Mail, mails } from "../../apps/tables.ts";
import { DONE, IMPOSSIBLE, logIn, pages, quoted } from "../cells.ts";
import { Changes, gaveUp, sameMembers, sameWords, silent } from "../changes.ts";
import { LAST_WEEK, receivedMail, sentMail } from "../rows.ts";
import { errand, type HandmadeScenario, turn } from "../scenario.ts";

const HELPERS = [
  {
    about: "the garden shed",
    subject: "Key to the garden shed",
    thanks: "Thanks, I will pick it up on Friday.",
  },
  {
    about: "the trailer",
    subject: "The trailer is free",
    thanks: "Great, we come for it at nine.",
  },
  {
    about: "the dentist",
    subject: "A good dentist",
    thanks: "Thank you, I have made an appointment.",
  },
];

const thankByReply = errand("thank-by-reply", 1, (draw) => {
  const [a, b] = draw.people;
  const { about, subject, thanks } = turn(draw, HELPERS);
  return {
    instruction: `Reply to ${a!.name}'s mail about ${about}: "${thanks}"`,
    setup(db) {
      receivedMail(db, a!, {
        subject,
        body: `You asked about ${about}. All is settled, just tell me when.`,
      });
      receivedMail(db, a!, { subject: "One more thing", body: "I forgot: your scarf is here." });
      receivedMail(db, b!, { subject, body: `I hear that you asked about ${about} too.` });
    },
    goal(db) {
      const [mail] = db.where(mails, { person: a!.id, subject });
      sentMail(db, a!, { subject: `Re: ${subject}`, body: thanks, origin: mail!.id });
    },
    *solution() {
      yield logIn("mail");
      yield `const from = apis.contacts.find({ name: ${quoted(a!.name)} })[0].handle;
${pages("received", (page) => `apis.mail.list({ from, ${page} })`)}
print(received);`;
      yield `const mail = received.find(({ subject }) => subject === ${quoted(subject)});
apis.mail.reply({ id: mail.id, body: ${quoted(thanks)} });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const [mail] = seen.added(mails);
      if (!silent(finish) || seen.count !== 1 || !mail) return false;
      const answered = mail.origin === null ? undefined : end.get(mails, mail.origin);
      const right = mail.outgoing && mail.folder === "sent" && sameWords(mail.body, thanks);
      return (
        right && mail.person === a!.id && answered?.subject === subject && answered.person === a!.id
      );
    },
  };
});

const MATTERS = ["the boiler inspection", "the lost parcel", "the school concert"];

/** In one of the three the mail came from someone else, so there is nothing to forward. */
const forwardIfThere = errand("forward-if-there", 1, (draw) => {
  const [a, b, c] = draw.people;
  const matter = turn(draw, MATTERS);
  const there = draw.variant !== turn({ ...draw, variant: 0 }, [0, 1, 2]);
  const subject = `News about ${matter}`;
  return {
    instruction: `Did ${a!.name} send me a mail about ${matter}? Then forward it to ${b!.name}. If there is none from ${a!.name}, do nothing and report that it is impossible.`,
    setup(db) {
      const writer = there ? a! : c!;
      receivedMail(db, writer, {
        subject,
        body: "It is on the 24th, in the morning.",
        folder: "archive",
      });
      receivedMail(db, a!, { subject: "The long weekend", body: "Are you around at all?" });
    },
    goal(db) {
      if (!there) return { impossible: true };
      const [mail] = db.where(mails, { person: a!.id, subject });
      sentMail(db, b!, { subject: `Fwd: ${subject}`, body: mail!.body, origin: mail!.id });
      return undefined;
    },
    *solution() {
      yield logIn("mail");
      yield `const [from, to] = [${quoted(a!.name)}, ${quoted(b!.name)}].map((name) => apis.contacts.find({ name })[0].handle);
const { items } = apis.mail.find({ from, subject: ${quoted(matter)} });
print(items);`;
      yield there ? `apis.mail.forward({ id: items[0].id, to });\n${DONE}` : IMPOSSIBLE;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      if (!there) return gaveUp(finish) && seen.count === 0;
      const [mail] = seen.added(mails);
      const origin = end.where(mails, { id: mail?.origin ?? 0 })[0];
      if (!silent(finish) || seen.count !== 1 || !origin) return false;
      return (
        mail!.person === b!.id &&
        sameWords(mail!.subject, `Fwd ${subject}`) &&
        origin.person === a!.id
      );
    },
  };
});

const forwardLabelled = errand("forward-labelled", 2, (draw) => {
  const [a, b, c] = draw.people;
  const label = turn(draw, ["insurance", "allotment", "club money"]);
  const months = draw.rng.sample(["November", "December", "January", "February", "March"], 4);
  const mail = (month: string) => ({
    subject: `Papers for ${month}`,
    body: `Here is what came in ${month}.`,
  });
  return {
    instruction: `Forward every mail from ${a!.name} that I labelled "${label}" to ${b!.name}, also those in the archive. What is in the trash can stay there.`,
    setup(db) {
      receivedMail(db, a!, { ...mail(months[0]!), label, unread: false });
      receivedMail(db, a!, { ...mail(months[1]!), label, folder: "archive", at: LAST_WEEK });
      receivedMail(db, a!, { ...mail(months[2]!), label, folder: "trash" });
      receivedMail(db, a!, mail(months[3]!));
      receivedMail(db, c!, { ...mail(months[0]!), label });
    },
    goal(db) {
      for (const { id, subject, body, folder } of db.where(mails, { person: a!.id, label })) {
        if (folder !== "trash") sentMail(db, b!, { subject: `Fwd: ${subject}`, body, origin: id });
      }
    },
    *solution() {
      yield logIn("mail");
      yield `const [from, to] = [${quoted(a!.name)}, ${quoted(b!.name)}].map((name) => apis.contacts.find({ name })[0].handle);
${pages("labelled", (page) => `apis.mail.find({ from, label: ${quoted(label)}, ${page} })`)}
print(labelled);`;
      yield `for (const mail of labelled) apis.mail.forward({ id: mail.id, to });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const origins = seen
        .added(mails)
        .map(({ origin }) => origin && end.get(mails, origin)?.subject);
      const toB = seen.added(mails).every(({ person, outgoing }) => outgoing && person === b!.id);
      const wanted = months.slice(0, 2).map((month) => mail(month).subject);
      const fromA = seen
        .added(mails)
        .every(({ origin }) => end.get(mails, origin!)?.person === a!.id);
      return silent(finish) && toB && sameMembers(origins, wanted) && fromA && seen.count === 2;
    },
  };
});

const sortOutDrafts = errand("sort-out-drafts", 2, (draw) => {
  const [a, b] = draw.people;
  const when = turn(draw, ["in April", "at Easter", "next Sunday"]);
  return {
    instruction: `Send the mail drafts that I have lying around for ${a!.name}, and throw away all drafts that still have no receiver.`,
    setup(db) {
      const draft = (person: number | null, subject: string, body: string) =>
        db.insert(drafts, { person, subject, body, origin: null });
      draft(a!.id, `The garden ${when}`, "Shall we dig the new bed?");
      draft(null, "Untitled", "I wanted to say");
      draft(b!.id, `The garden ${when}`, "Shall we dig the new bed?");
      draft(a!.id, "Your ladder", `You get it back ${when}.`);
    },
    goal(db) {
      for (const { id, person, subject, body, origin } of db.all(drafts)) {
        if (person !== null && person !== a!.id) continue;
        db.remove(drafts, id);
        if (person !== null) sentMail(db, a!, { subject, body, origin });
      }
    },
    *solution() {
      yield logIn("mail");
      yield `const to = apis.contacts.find({ name: ${quoted(a!.name)} })[0].handle;
${pages("all", (page) => `apis.mail.drafts({ ${page} })`)}
print(all);`;
      yield `for (const draft of all) {
  if (draft.to === to) apis.mail.sendDraft({ id: draft.id });
  if (draft.to === null) apis.mail.discardDraft({ id: draft.id });
}\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const mine = start.where(drafts, { person: a!.id });
      const others = start.all(drafts).filter(({ person }) => person !== null && person !== a!.id);
      const letter = ({
        person,
        subject,
        body,
        origin,
      }: Pick<Mail, "person" | "subject" | "body" | "origin">) => [person, subject, body, origin];
      const gone = mine.map(({ subject, body, origin }) =>
        letter({ person: a!.id, subject, body, origin }),
      );
      const kept = sameMembers(end.all(drafts), others);
      const sent =
        sameMembers(seen.added(mails).map(letter), gone) && seen.changed(mails).length === 0;
      return silent(finish) && kept && sent && seen.onlyIn(drafts, mails);
    },
  };
});

export const mailScenarios: readonly HandmadeScenario[] = [
  thankByReply,
  forwardIfThere,
  forwardLabelled,
  sortOutDrafts,
];
