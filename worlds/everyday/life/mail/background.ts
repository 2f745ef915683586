/**
 * Adds mail that belongs to no happening: letters, invoices, newsletters. The more people a part of the population has,
 * the more mail it gets.
 */
import type { Rng, Writer } from "bowline/world";
import {
  type AttachmentKind,
  issues,
  type Newsletter,
  newsletters,
  RHYTHMS,
} from "../../apps/mail/tables.ts";
import { mails, type Person, people } from "../../apps/tables.ts";
import { LETTERS } from "../../population/background-texts.ts";
import { PARTS } from "../../population/name-pools.ts";
import { dayFromStart } from "../../population/time.ts";
import type { Life } from "../life.ts";
import { type AttachedFile, drawAnswerTime, formatPrice, type MailWriter } from "./past-mails.ts";
import { ANSWERS, MATTERS, NEWSLETTERS, SERVICES, STORIES } from "./texts.ts";

const LABELS = ["later", "urgent", "school", "plans"] as const;
const RECENT = 25;

export function addBackgroundMails(db: Writer, mailWriter: MailWriter, rng: Rng, life: Life): void {
  for (const [p, part] of PARTS.entries()) {
    const people = life.everyone[part];
    const partRng = rng.child(part);
    addLetters(
      mailWriter,
      partRng.child("letters"),
      people,
      Math.round(people.length * 0.5 * life.density),
    );
    addInvoices(
      mailWriter,
      partRng.child("invoices"),
      people,
      Math.round((4 + people.length / 8) * life.density),
    );
    const names = NEWSLETTERS.filter((_, i) => i % PARTS.length === p);
    for (const [i, name] of names.entries()) {
      const subscribed = i < 2 || partRng.chance(0.4);
      addNewsletter(db, mailWriter, partRng.child(name), {
        name,
        person: partRng.pick(people).id,
        subscribed,
      });
    }
  }
}

function addLetters(
  mailWriter: MailWriter,
  rng: Rng,
  people: readonly Person[],
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const { subject, body } = rng.pick([...MATTERS, ...MATTERS, ...LETTERS]);
    const day = dayFromStart(-rng.integer(1, RECENT));
    const person = rng.pick(people);
    if (i % 6 === 5) {
      mailWriter.send(person, day, { subject, body });
      continue;
    }
    const label = rng.chance(0.3) ? rng.pick(LABELS) : null;
    const received = mailWriter.receive(
      person,
      day,
      { subject, body, label },
      { files: drawAttachments(rng) },
    );
    if (rng.chance(0.25)) {
      const answer = { subject: `Re: ${subject}`, body: rng.pick(ANSWERS), origin: received.id };
      mailWriter.send(person, day, { ...answer, at: drawAnswerTime(rng, received.at) });
    }
  }
}

const FILES: { readonly [K in AttachmentKind]: readonly string[] } = {
  pdf: ["letter.pdf", "plan.pdf", "form.pdf"],
  image: ["sketch.jpg", "front-door.jpg", "the-cat.jpg"],
  table: ["costs.csv", "names.csv", "hours.csv"],
  text: ["notes.txt", "list.txt", "poem.txt"],
};
const KINDS = Object.keys(FILES) as AttachmentKind[];

function drawAttachments(rng: Rng): AttachedFile[] {
  if (!rng.chance(0.25)) return [];
  const kind = rng.pick(KINDS);
  return [{ name: rng.pick(FILES[kind]), kind, kilobytes: rng.integer(3, 2400) }];
}

function addInvoices(
  mailWriter: MailWriter,
  rng: Rng,
  people: readonly Person[],
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const [number, service] = [rng.integer(1000, 9999), rng.pick(SERVICES)];
    const due = dayFromStart(rng.integer(2, 30));
    const body = `This is the invoice for ${service}.\nTotal: ${formatPrice(rng.integer(900, 34_000))}\nPlease pay by ${due}.`;
    const name = `invoice-${number}.pdf`;
    const files: AttachedFile[] = [{ name, kind: "pdf", kilobytes: rng.integer(30, 400) }];
    const letter = { subject: `Invoice ${number}: ${service}`, body, label: "bills" };
    mailWriter.receive(rng.pick(people), dayFromStart(-rng.integer(1, RECENT)), letter, { files });
  }
}

function addNewsletter(
  db: Writer,
  mailWriter: MailWriter,
  rng: Rng,
  about: Pick<Newsletter, "name" | "person" | "subscribed">,
): void {
  const { id, name, rhythm, subscribed } = db.insert(newsletters, {
    ...about,
    rhythm: rng.pick(RHYTHMS),
  });
  const editor = db.get(people, about.person)!;
  const [gap, first] = [rhythm === "weekly" ? 7 : 28, rng.integer(10, 80)];
  for (let i = rng.integer(2, 5); i > 0; i--) {
    const day = dayFromStart(-gap * i + (subscribed ? 5 : 0));
    const next = dayFromStart(rng.integer(3, 30));
    const body = `In this issue: ${rng.pick(STORIES)}. Our next evening is on ${next}, tickets cost ${formatPrice(rng.integer(500, 4500))}.`;
    const mail = mailWriter.receive(editor, day, {
      subject: `${name}, issue ${first + 5 - i}`,
      body,
    });
    db.insert(issues, { newsletter: id, mail: mail.id });
    if (!subscribed) db.update(mails, mail.id, { folder: "archive", unread: false });
  }
}
