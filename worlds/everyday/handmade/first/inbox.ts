/** The inbox: newsletters, read and unread, and what is unanswered. */
import type { Reader } from "bowline/world";
import { issues, newsletters } from "../../apps/mail/tables.ts";
import { type Mail, mails, people, todoLists, todos } from "../../apps/tables.ts";
import { listsOfOthers } from "../../apps/todo/tables.ts";
import { DONE, logIn, pages, quoted } from "../cells.ts";
import { Changes, sameMembers, sameWords, silent } from "../changes.ts";
import { dayWords, LAST_WEEK, receivedMail, sentMail } from "../rows.ts";
import { errand, type HandmadeScenario, turn } from "../scenario.ts";

const archiveReadIssues = errand("archive-read-issues", 2, (draw) => {
  const { base } = draw;
  const newsletter = turn(draw, base.all(newsletters));
  return {
    instruction: `Archive the issues of the newsletter "${newsletter.name}" in my inbox that I have read, except those labelled "keep". Unread ones stay.`,
    setup(db) {
      const editor = { ...base.get(people, newsletter.person)! };
      const issue = (number: number, more: Partial<Mail>) => {
        const mail = {
          subject: `${newsletter.name}, issue ${number}`,
          body: "All the news.",
          ...more,
        };
        db.insert(issues, { newsletter: newsletter.id, mail: receivedMail(db, editor, mail).id });
      };
      issue(301, { unread: false });
      issue(302, { unread: false, label: "keep" });
      issue(303, { unread: true });
      issue(304, { unread: false, starred: true });
      issue(305, { unread: true, label: "keep" });
      issue(306, { unread: false, folder: "archive" });
      receivedMail(db, editor, { subject: "Not an issue", body: "Just me.", unread: false });
    },
    goal(db) {
      for (const { mail } of db.where(issues, { newsletter: newsletter.id })) {
        const { folder, unread, label } = db.get(mails, mail)!;
        if (folder === "inbox" && !unread && label !== "keep")
          db.update(mails, mail, { folder: "archive" });
      }
    },
    *solution() {
      yield logIn("mail");
      yield `${pages("letters", (page) => `apis.mail.newsletters({ ${page} })`)}
const { id } = letters.find(({ name }) => name === ${quoted(newsletter.name)});
${pages("issues", (page) => `apis.mail.issues({ id, ${page} })`)}
print(issues);`;
      yield `for (const mail of issues) {
  if (mail.unread || mail.label === "keep") continue;
  if (apis.mail.head({ id: mail.id }).folder === "inbox") apis.mail.archive({ id: mail.id });
}\n${DONE}`;
    },
    verdict(end, start, finish) {
      const left = end
        .where(mails, { folder: "inbox" })
        .filter(({ id }) => start.get(mails, id)?.unread === false)
        .filter(({ id }) => end.where(issues, { mail: id, newsletter: newsletter.id }).length > 0);
      const moved = new Changes(start, end).changed(mails);
      const fine = moved.every(
        ({ before, after, columns }) =>
          columns.join() === "folder" &&
          before.folder === "inbox" &&
          after.folder === "archive" &&
          !before.unread &&
          before.label !== "keep" &&
          before.subject.startsWith(newsletter.name),
      );
      const alone = new Changes(start, end).count === moved.length;
      return (
        silent(finish) &&
        moved.length > 0 &&
        fine &&
        alone &&
        left.every(({ label }) => label === "keep")
      );
    },
  };
});

/** Subscribed, and every issue that ever came is unread. */
const neverRead = (db: Reader) =>
  db
    .where(newsletters, { subscribed: true })
    .filter(({ id }) =>
      db.where(issues, { newsletter: id }).every(({ mail }) => db.get(mails, mail)!.unread),
    );

const dropUnreadLetters = errand("drop-unread-newsletters", 2, (draw) => {
  const all = draw.base.where(newsletters, { subscribed: true });
  const boring = draw.common
    .shuffle(all)
    .filter((_, i) => i % 3 === draw.variant)
    .slice(0, 2);
  return {
    instruction: turn(draw, [
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
        const { id } = receivedMail(db, editor, { ...news, folder: "archive" });
        db.insert(issues, { newsletter: letter.id, mail: id });
      }
    },
    goal(db) {
      for (const { id } of neverRead(db)) db.update(newsletters, id, { subscribed: false });
    },
    *solution() {
      yield logIn("mail");
      yield `${pages("letters", (page) => `apis.mail.newsletters({ subscribed: true, ${page} })`)}
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
      yield `for (const letter of boring) apis.mail.unsubscribe({ id: letter.id });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const left = seen.changed(newsletters).filter(({ after }) => !after.subscribed);
      const names = left.map(({ after }) => after.name);
      return (
        silent(finish) &&
        seen.count === 2 &&
        sameMembers(
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

const todoForUnanswered = errand("todo-for-unanswered", 3, (draw) => {
  const { base, rng } = draw;
  const quiet = ({ id }: { readonly id: number }) =>
    base.where(mails, { person: id, folder: "inbox" }).length === 0;
  const [a, b] = [...draw.people.filter(quiet), ...draw.people.filter((one) => !quiet(one))];
  const [first, second, third, fourth, fifth] = rng.shuffle(TOPICS);
  const due = turn(draw, ["2026-03-16", "2026-03-18", "2026-03-20"]);
  const list = turn(
    draw,
    base.all(todoLists).filter(({ id }) => base.where(listsOfOthers, { list: id }).length === 0),
  );
  return {
    instruction: `For each mail from ${a!.name} in my inbox that I have not replied to, add a todo "Answer: <subject>" to my ${list.name} list, due ${dayWords(due)}.`,
    setup(db) {
      const got = (subject: string, more: Partial<Mail> = {}) =>
        receivedMail(db, a!, { subject, body: "What do you think?", ...more });
      const answered = got(first!, { unread: false });
      sentMail(db, a!, { subject: `Re: ${first}`, body: "Sounds good.", origin: answered.id });
      const passedOn = got(second!, { unread: false });
      sentMail(db, b!, { subject: `Fwd: ${second}`, body: passedOn.body, origin: passedOn.id });
      got(third!);
      got(fourth!, { folder: "archive", at: LAST_WEEK });
      receivedMail(db, b!, { subject: fifth!, body: "What do you think?" });
    },
    goal(db) {
      for (const mail of db.where(mails, { person: a!.id, folder: "inbox" })) {
        const replies = db.where(mails, { person: a!.id, outgoing: true });
        if (replies.some(({ origin }) => origin === mail.id)) continue;
        db.insert(todos, { title: `Answer: ${mail.subject}`, list: list.id, due, done: false });
      }
    },
    *solution() {
      yield logIn("mail");
      yield `const from = apis.contacts.find({ name: ${quoted(a!.name)} })[0].handle;
${pages("received", (page) => `apis.mail.list({ from, ${page} })`)}
const open = received.filter(({ id, subject }) => {
  const { items } = apis.mail.thread({ id, size: 20 });
  return !items.some((mail) => mail.sent && mail.with === from && mail.subject === "Re: " + subject);
});
print(open);`;
      yield `for (const mail of open) {
  apis.todo.add({ title: "Answer: " + mail.subject, list: ${quoted(list.name)}, due: "${due}" });
}\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const repliedTo = start
        .all(mails)
        .filter(({ outgoing, person }) => outgoing && person === a!.id)
        .map(({ origin }) => origin);
      const waiting = start
        .all(mails)
        .filter(
          ({ id, person, folder }) =>
            person === a!.id && folder === "inbox" && !repliedTo.includes(id),
        );
      const added = seen.added(todos);
      const asked = waiting.every(({ subject }) =>
        added.some(({ title }) => sameWords(title, `Answer ${subject}`)),
      );
      const right = added.every((todo) => todo.due === due && todo.list === list.id && !todo.done);
      return (
        silent(finish) &&
        asked &&
        right &&
        added.length === waiting.length &&
        seen.count === added.length
      );
    },
  };
});

export const inboxScenarios: readonly HandmadeScenario[] = [
  archiveReadIssues,
  dropUnreadLetters,
  todoForUnanswered,
];
