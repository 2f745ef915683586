/** Scenarios about mail: replies, forwarded mails and drafts. */
import { drafts } from "../../apps/mail/tables.ts";
import { type Mail, mails } from "../../apps/tables.ts";
import { insertReceivedMail, insertSentMail, LAST_WEEK } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask } from "../scenario.ts";
import { FINISH_CODE, GIVE_UP_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import { Changes, haveSameMembers, haveSameWords, isDone, reportsImpossible } from "../verdicts.ts";

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

const thankByReply = defineScenario("thank-by-reply", 1, (draw) => {
  const [personA, personB] = draw.people;
  const { about, subject, thanks } = pickForTask(draw, HELPERS);
  return {
    instruction: `Reply to ${personA!.name}'s mail about ${about}: "${thanks}"`,
    setup(db) {
      insertReceivedMail(db, personA!, {
        subject,
        body: `You asked about ${about}. All is settled, just tell me when.`,
      });
      insertReceivedMail(db, personA!, {
        subject: "One more thing",
        body: "I forgot: your scarf is here.",
      });
      insertReceivedMail(db, personB!, {
        subject,
        body: `I hear that you asked about ${about} too.`,
      });
    },
    goal(db) {
      const [mail] = db.where(mails, { person: personA!.id, subject });
      insertSentMail(db, personA!, { subject: `Re: ${subject}`, body: thanks, origin: mail!.id });
    },
    *solution() {
      yield logInCell("mail");
      yield `const from = apis.contacts.find({ name: ${quote(personA!.name)} }).items[0].handle;
${readAllPagesCode("received", (page) => `apis.mail.list({ from, ${page} })`)}
print(received);`;
      yield `const mail = received.find(({ subject }) => subject === ${quote(subject)});
apis.mail.reply({ id: mail.id, body: ${quote(thanks)} });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [mail] = changes.addedRows(mails);
      if (!isDone(finish) || changes.rowCount !== 1 || !mail) return false;
      const answered = mail.origin === null ? undefined : end.get(mails, mail.origin);
      const right = mail.outgoing && mail.folder === "sent" && haveSameWords(mail.body, thanks);
      return (
        right &&
        mail.person === personA!.id &&
        answered?.subject === subject &&
        answered.person === personA!.id
      );
    },
  };
});

const MATTERS = ["the boiler inspection", "the lost parcel", "the school concert"];

/** In one of the three tasks the mail came from another person, so there is nothing to forward. */
const forwardIfThere = defineScenario("forward-if-there", 1, (draw) => {
  const [personA, personB, personC] = draw.people;
  const matter = pickForTask(draw, MATTERS);
  const mailExists = draw.variant !== pickForTask({ ...draw, variant: 0 }, [0, 1, 2]);
  const subject = `News about ${matter}`;
  return {
    instruction: `Did ${personA!.name} send me a mail about ${matter}? Then forward it to ${personB!.name}. If there is none from ${personA!.name}, do nothing and report that it is impossible.`,
    setup(db) {
      const writer = mailExists ? personA! : personC!;
      insertReceivedMail(db, writer, {
        subject,
        body: "It is on the 24th, in the morning.",
        folder: "archive",
      });
      insertReceivedMail(db, personA!, {
        subject: "The long weekend",
        body: "Are you around at all?",
      });
    },
    goal(db) {
      if (!mailExists) return { impossible: true };
      const [mail] = db.where(mails, { person: personA!.id, subject });
      insertSentMail(db, personB!, {
        subject: `Fwd: ${subject}`,
        body: mail!.body,
        origin: mail!.id,
      });
      return undefined;
    },
    *solution() {
      yield logInCell("mail");
      yield `const [from, to] = [${quote(personA!.name)}, ${quote(personB!.name)}].map((name) => apis.contacts.find({ name }).items[0].handle);
const { items } = apis.mail.list({ from, subject: ${quote(matter)} });
print(items);`;
      yield mailExists
        ? `apis.mail.forward({ id: items[0].id, to });\n${FINISH_CODE}`
        : GIVE_UP_CODE;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      if (!mailExists) return reportsImpossible(finish) && changes.rowCount === 0;
      const [mail] = changes.addedRows(mails);
      const origin = end.where(mails, { id: mail?.origin ?? 0 })[0];
      if (!isDone(finish) || changes.rowCount !== 1 || !origin) return false;
      return (
        mail!.person === personB!.id &&
        haveSameWords(mail!.subject, `Fwd ${subject}`) &&
        origin.person === personA!.id
      );
    },
  };
});

const forwardLabelled = defineScenario("forward-labelled", 2, (draw) => {
  const [personA, personB, personC] = draw.people;
  const label = pickForTask(draw, ["insurance", "allotment", "club money"]);
  const months = draw.rng.sample(["November", "December", "January", "February", "March"], 4);
  const mailOfMonth = (month: string) => ({
    subject: `Papers for ${month}`,
    body: `Here is what came in ${month}.`,
  });
  return {
    instruction: `Forward every mail from ${personA!.name} that I labelled "${label}" to ${personB!.name}, also those in the archive. What is in the trash can stay there.`,
    setup(db) {
      insertReceivedMail(db, personA!, { ...mailOfMonth(months[0]!), label, unread: false });
      insertReceivedMail(db, personA!, {
        ...mailOfMonth(months[1]!),
        label,
        folder: "archive",
        at: LAST_WEEK,
      });
      insertReceivedMail(db, personA!, { ...mailOfMonth(months[2]!), label, folder: "trash" });
      insertReceivedMail(db, personA!, mailOfMonth(months[3]!));
      insertReceivedMail(db, personC!, { ...mailOfMonth(months[0]!), label });
    },
    goal(db) {
      for (const { id, subject, body, folder } of db.where(mails, { person: personA!.id, label })) {
        if (folder !== "trash")
          insertSentMail(db, personB!, { subject: `Fwd: ${subject}`, body, origin: id });
      }
    },
    *solution() {
      yield logInCell("mail");
      yield `const [from, to] = [${quote(personA!.name)}, ${quote(personB!.name)}].map((name) => apis.contacts.find({ name }).items[0].handle);
${readAllPagesCode("labelled", (page) => `apis.mail.list({ from, label: ${quote(label)}, ${page} })`)}
print(labelled);`;
      yield `for (const mail of labelled) apis.mail.forward({ id: mail.id, to });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const origins = changes
        .addedRows(mails)
        .map(({ origin }) => origin && end.get(mails, origin)?.subject);
      const toB = changes
        .addedRows(mails)
        .every(({ person, outgoing }) => outgoing && person === personB!.id);
      const wanted = months.slice(0, 2).map((month) => mailOfMonth(month).subject);
      const fromA = changes
        .addedRows(mails)
        .every(({ origin }) => end.get(mails, origin!)?.person === personA!.id);
      return (
        isDone(finish) && toB && haveSameMembers(origins, wanted) && fromA && changes.rowCount === 2
      );
    },
  };
});

const sortOutDrafts = defineScenario("sort-out-drafts", 2, (draw) => {
  const [personA, personB] = draw.people;
  const when = pickForTask(draw, ["in April", "at Easter", "next Sunday"]);
  return {
    instruction: `Send the mail drafts that I have lying around for ${personA!.name}, and throw away all drafts that still have no receiver.`,
    setup(db) {
      const insertDraft = (person: number | null, subject: string, body: string) =>
        db.insert(drafts, { person, subject, body, origin: null });
      insertDraft(personA!.id, `The garden ${when}`, "Shall we dig the new bed?");
      insertDraft(null, "Untitled", "I wanted to say");
      insertDraft(personB!.id, `The garden ${when}`, "Shall we dig the new bed?");
      insertDraft(personA!.id, "Your ladder", `You get it back ${when}.`);
    },
    goal(db) {
      for (const { id, person, subject, body, origin } of db.all(drafts)) {
        if (person !== null && person !== personA!.id) continue;
        db.remove(drafts, id);
        if (person !== null) insertSentMail(db, personA!, { subject, body, origin });
      }
    },
    *solution() {
      yield logInCell("mail");
      yield `const to = apis.contacts.find({ name: ${quote(personA!.name)} }).items[0].handle;
${readAllPagesCode("all", (page) => `apis.mail.drafts({ ${page} })`)}
print(all);`;
      yield `for (const draft of all) {
  if (draft.to === to) apis.mail.sendDraft({ id: draft.id });
  if (draft.to === null) apis.mail.discardDraft({ id: draft.id });
}\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const mine = start.where(drafts, { person: personA!.id });
      const others = start
        .all(drafts)
        .filter(({ person }) => person !== null && person !== personA!.id);
      const mailContent = ({
        person,
        subject,
        body,
        origin,
      }: Pick<Mail, "person" | "subject" | "body" | "origin">) => [person, subject, body, origin];
      const sentDrafts = mine.map(({ subject, body, origin }) =>
        mailContent({ person: personA!.id, subject, body, origin }),
      );
      const kept = haveSameMembers(end.all(drafts), others);
      const sent =
        haveSameMembers(changes.addedRows(mails).map(mailContent), sentDrafts) &&
        changes.changedRows(mails).length === 0;
      return isDone(finish) && kept && sent && changes.areOnlyIn(drafts, mails);
    },
  };
});

export const mailScenarios: readonly HandmadeScenario[] = [
  thankByReply,
  forwardIfThere,
  forwardLabelled,
  sortOutDrafts,
];
