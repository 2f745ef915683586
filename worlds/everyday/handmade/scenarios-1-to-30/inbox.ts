/** Scenarios about the inbox: newsletters, read and unread mails, and mails without a reply. */
import type { Reader } from "bowline/world";
import { issues, newsletters } from "../../apps/mail/tables.ts";
import { type Mail, mails, people, todoLists, todos } from "../../apps/tables.ts";
import { listsOfOthers } from "../../apps/todo/tables.ts";
import { dayAndMonth, insertReceivedMail, insertSentMail, LAST_WEEK } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask } from "../scenario.ts";
import { FINISH_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import { Changes, haveSameMembers, haveSameWords, isDone } from "../verdicts.ts";

const archiveReadIssues = defineScenario("archive-read-issues", 2, (draw) => {
  const { base } = draw;
  const newsletter = pickForTask(draw, base.all(newsletters));
  return {
    instruction: `Archive the issues of the newsletter "${newsletter.name}" in my inbox that I have read, except those labelled "keep". Unread ones stay.`,
    setup(db) {
      const editor = { ...base.get(people, newsletter.person)! };
      const insertIssue = (number: number, columns: Partial<Mail>) => {
        const mail = {
          subject: `${newsletter.name}, issue ${number}`,
          body: "All the news.",
          ...columns,
        };
        db.insert(issues, {
          newsletter: newsletter.id,
          mail: insertReceivedMail(db, editor, mail).id,
        });
      };
      insertIssue(301, { unread: false });
      insertIssue(302, { unread: false, label: "keep" });
      insertIssue(303, { unread: true });
      insertIssue(304, { unread: false, starred: true });
      insertIssue(305, { unread: true, label: "keep" });
      insertIssue(306, { unread: false, folder: "archive" });
      insertReceivedMail(db, editor, { subject: "Not an issue", body: "Just me.", unread: false });
    },
    goal(db) {
      for (const { mail } of db.where(issues, { newsletter: newsletter.id })) {
        const { folder, unread, label } = db.get(mails, mail)!;
        if (folder === "inbox" && !unread && label !== "keep")
          db.update(mails, mail, { folder: "archive" });
      }
    },
    *solution() {
      yield logInCell("mail");
      yield `${readAllPagesCode("letters", (page) => `apis.mail.newsletters({ ${page} })`)}
const { id } = letters.find(({ name }) => name === ${quote(newsletter.name)});
${readAllPagesCode("issues", (page) => `apis.mail.issues({ id, ${page} })`)}
print(issues);`;
      yield `for (const mail of issues) {
  if (mail.unread || mail.label === "keep") continue;
  if (apis.mail.head({ id: mail.id }).folder === "inbox") apis.mail.archive({ id: mail.id });
}\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const readMailsInInbox = end
        .where(mails, { folder: "inbox" })
        .filter(({ id }) => start.get(mails, id)?.unread === false)
        .filter(({ id }) => end.where(issues, { mail: id, newsletter: newsletter.id }).length > 0);
      const moved = new Changes(start, end).changedRows(mails);
      const onlyArchivesReadIssues = moved.every(
        ({ before, after, columns }) =>
          columns.join() === "folder" &&
          before.folder === "inbox" &&
          after.folder === "archive" &&
          !before.unread &&
          before.label !== "keep" &&
          before.subject.startsWith(newsletter.name),
      );
      const alone = new Changes(start, end).rowCount === moved.length;
      return (
        isDone(finish) &&
        moved.length > 0 &&
        onlyArchivesReadIssues &&
        alone &&
        readMailsInInbox.every(({ label }) => label === "keep")
      );
    },
  };
});

/** Returns the subscribed newsletters of which no issue has been read. */
const findUnreadNewsletters = (db: Reader) =>
  db
    .where(newsletters, { subscribed: true })
    .filter(({ id }) =>
      db.where(issues, { newsletter: id }).every(({ mail }) => db.get(mails, mail)!.unread),
    );

const unsubscribeUnread = defineScenario("drop-unread-newsletters", 2, (draw) => {
  const all = draw.base.where(newsletters, { subscribed: true });
  const boring = draw.common
    .shuffle(all)
    .filter((_, i) => i % 3 === draw.variant)
    .slice(0, 2);
  return {
    instruction: pickForTask(draw, [
      "Unsubscribe me from every newsletter that I still get although I have not read a single issue of it.",
      "There are newsletters of which I have never read a single issue. Unsubscribe me from those that I still get.",
      "Unsubscribe me from all those newsletters that I get of which every issue so far is still unread.",
    ]),
    setup(db) {
      for (const letter of all) {
        const unread = boring.includes(letter);
        const editor = db.get(people, letter.person)!;
        for (const { mail } of db.where(issues, { newsletter: letter.id }))
          if (unread) db.update(mails, mail, { unread });
        const news = { subject: `${letter.name}, issue 400`, body: "Spring is near.", unread };
        const { id } = insertReceivedMail(db, editor, { ...news, folder: "archive" });
        db.insert(issues, { newsletter: letter.id, mail: id });
      }
    },
    goal(db) {
      for (const { id } of findUnreadNewsletters(db))
        db.update(newsletters, id, { subscribed: false });
    },
    *solution() {
      yield logInCell("mail");
      yield `${readAllPagesCode("letters", (page) => `apis.mail.newsletters({ subscribed: true, ${page} })`)}
const boring = [];
for (const letter of letters) {
  let read = false;
  for (let page = 1, more = true; more; page++) {
    const found = apis.mail.issues({ id: letter.id, page, size: 20 });
    read = read || found.items.some((mail) => !mail.unread);
    more = found.more;
  }
  if (!read) boring.push(letter);
}
print(boring);`;
      yield `for (const letter of boring) apis.mail.unsubscribe({ id: letter.id });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const unsubscribed = changes
        .changedRows(newsletters)
        .filter(({ after }) => !after.subscribed);
      const names = unsubscribed.map(({ after }) => after.name);
      return (
        isDone(finish) &&
        changes.rowCount === 2 &&
        haveSameMembers(
          names,
          boring.map(({ name }) => name),
        )
      );
    },
  };
});

const TOPICS = [
  "The spare key",
  "Moving the piano",
  "A question about the roof",
  "Car on Sunday",
  "The old photos",
];

const todoForUnanswered = defineScenario("todo-for-unanswered", 3, (draw) => {
  const { base, rng } = draw;
  const hasNoMails = ({ id }: { readonly id: number }) =>
    base.where(mails, { person: id, folder: "inbox" }).length === 0;
  const [personA, personB] = [
    ...draw.people.filter(hasNoMails),
    ...draw.people.filter((one) => !hasNoMails(one)),
  ];
  const [first, second, third, fourth, fifth] = rng.shuffle(TOPICS);
  const due = pickForTask(draw, ["2026-03-16", "2026-03-18", "2026-03-20"]);
  const list = pickForTask(
    draw,
    base.all(todoLists).filter(({ id }) => base.where(listsOfOthers, { list: id }).length === 0),
  );
  return {
    instruction: `For each mail from ${personA!.name} in my inbox that I have not replied to, add a todo "Answer: <subject>" to my ${list.name} list, due ${dayAndMonth(due)}.`,
    setup(db) {
      const insertMail = (subject: string, columns: Partial<Mail> = {}) =>
        insertReceivedMail(db, personA!, { subject, body: "What do you think?", ...columns });
      const answered = insertMail(first!, { unread: false });
      insertSentMail(db, personA!, {
        subject: `Re: ${first}`,
        body: "Sounds good.",
        origin: answered.id,
      });
      const passedOn = insertMail(second!, { unread: false });
      insertSentMail(db, personB!, {
        subject: `Fwd: ${second}`,
        body: passedOn.body,
        origin: passedOn.id,
      });
      insertMail(third!);
      insertMail(fourth!, { folder: "archive", at: LAST_WEEK });
      insertReceivedMail(db, personB!, { subject: fifth!, body: "What do you think?" });
    },
    goal(db) {
      for (const mail of db.where(mails, { person: personA!.id, folder: "inbox" })) {
        const replies = db.where(mails, { person: personA!.id, outgoing: true });
        if (replies.some(({ origin }) => origin === mail.id)) continue;
        db.insert(todos, { title: `Answer: ${mail.subject}`, list: list.id, due, done: false });
      }
    },
    *solution() {
      yield logInCell("mail");
      yield `const from = apis.contacts.find({ name: ${quote(personA!.name)} }).items[0].handle;
${readAllPagesCode("received", (page) => `apis.mail.list({ folder: "inbox", from, ${page} })`)}
const open = received.filter(({ id, subject }) => {
  const { items } = apis.mail.thread({ id, size: 20 });
  return !items.some((mail) => mail.sent && mail.with === from && mail.subject === "Re: " + subject);
});
print(open);`;
      yield `for (const mail of open) {
  apis.todo.add({ title: "Answer: " + mail.subject, list: ${quote(list.name)}, due: "${due}" });
}\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const repliedTo = start
        .all(mails)
        .filter(({ outgoing, person }) => outgoing && person === personA!.id)
        .map(({ origin }) => origin);
      const waiting = start
        .all(mails)
        .filter(
          ({ id, person, folder }) =>
            person === personA!.id && folder === "inbox" && !repliedTo.includes(id),
        );
      const added = changes.addedRows(todos);
      const asked = waiting.every(({ subject }) =>
        added.some(({ title }) => haveSameWords(title, `Answer ${subject}`)),
      );
      const right = added.every((todo) => todo.due === due && todo.list === list.id && !todo.done);
      return (
        isDone(finish) &&
        asked &&
        right &&
        added.length === waiting.length &&
        changes.rowCount === added.length
      );
    },
  };
});

export const inboxScenarios: readonly HandmadeScenario[] = [
  archiveReadIssues,
  unsubscribeUnread,
  todoForUnanswered,
];
