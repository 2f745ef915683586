/** Adds the mails before and after a happening: invitations, directions, deposits, receipts, pictures. */
import type { Rng } from "bowline/world";
import { NOW } from "../../population/time.ts";
import type { Cost, Happening } from "../life.ts";
import {
  type AttachedFile,
  drawAnswerTime,
  drawPastDay,
  formatPrice,
  type MailWriter,
} from "./past-mails.ts";
import { ACCEPTANCES, CLOSINGS, FACTS, THANKS } from "./texts.ts";

const TODAY = NOW.slice(0, 10);

export function addHappeningMails(
  mailWriter: MailWriter,
  rng: Rng,
  happening: Happening,
  ownerName: string,
): void {
  if (happening.host) addInvitation(mailWriter, rng, happening, ownerName);
  if (rng.chance(0.5)) addDirections(mailWriter, rng, happening);
  if (happening.day > TODAY) {
    addDeposit(mailWriter, rng, happening);
    return;
  }
  for (const cost of happening.costs) addReceipt(mailWriter, rng, happening, cost);
  if (rng.chance(0.45)) addPictures(mailWriter, rng, happening);
}

/** Adds the host's invitation to everybody. The owner has answered most of them. */
function addInvitation(
  mailWriter: MailWriter,
  rng: Rng,
  happening: Happening,
  ownerName: string,
): void {
  const { title, city, day, time, kind, host, people } = happening;
  const sentDay = drawPastDay(rng, day, -rng.integer(9, 20));
  const subject = `Invitation: ${title}`;
  const body = `Hello ${ownerName}, will you come? ${title} in ${city}, on ${day} at ${time}. ${rng.pick(FACTS[kind])}`;
  const mail = mailWriter.receive(
    host!,
    sentDay,
    { subject, body, label: drawLabel(rng, "plans") },
    { copies: people },
  );
  if (!rng.chance(0.6)) return;
  const acceptance = { subject: `Re: ${subject}`, body: rng.pick(ACCEPTANCES), origin: mail.id };
  const answer = mailWriter.send(host!, sentDay, {
    ...acceptance,
    at: drawAnswerTime(rng, mail.at),
  });
  if (!rng.chance(0.4)) return;
  const closing = {
    subject: `Re: ${acceptance.subject}`,
    body: rng.pick(CLOSINGS),
    origin: answer.id,
  };
  mailWriter.receive(host!, sentDay, { ...closing, at: drawAnswerTime(rng, answer.at) });
}

function addDirections(mailWriter: MailWriter, rng: Rng, { title, day, people }: Happening): void {
  const hour = `${rng.pick(["07", "08", "09", "14", "16"])}:${rng.pick(["04", "12", "27", "38", "51"])}`;
  const body = `The train to ${title} leaves on ${day} at ${hour} from platform ${rng.integer(1, 14)}. The door code is ${rng.integer(1000, 9999)}.`;
  const files: AttachedFile[] = rng.chance(0.6)
    ? [{ name: "directions.pdf", kind: "pdf", kilobytes: rng.integer(90, 900) }]
    : [];
  const letter = { subject: `Directions: ${title}`, body, label: drawLabel(rng, "travel") };
  mailWriter.receive(rng.pick(people), drawPastDay(rng, day, -rng.integer(2, 6)), letter, {
    files,
  });
}

/** Adds the request of a deposit for a future happening: an amount, and the day on which it is due. */
function addDeposit(
  mailWriter: MailWriter,
  rng: Rng,
  { title, day, people, host }: Happening,
): void {
  const cents = rng.integer(1100, 9800);
  const due = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  const body = `We need a deposit for ${title}. It is ${formatPrice(cents)} a person, due on ${due}.`;
  const letter = { subject: `Deposit: ${title}`, body, label: drawLabel(rng, "bills") };
  mailWriter.receive(host ?? rng.pick(people), drawPastDay(rng, day, -rng.integer(5, 15)), letter);
}

/**
 * Adds the receipt of a cost, by the person who paid. Another person sends it to the owner, and the owner sends it to
 * the others.
 */
function addReceipt(
  mailWriter: MailWriter,
  rng: Rng,
  happening: Happening,
  { what, cents, payer }: Cost,
): void {
  const { title, day, people } = happening;
  const subject = `Receipt: ${what}, ${title}`;
  const body = `Here is the receipt for ${what} on ${day}.\nTotal: ${formatPrice(cents)}\nPaid by ${payer?.name ?? "me"}, shared by ${people.length + 1}.`;
  const sentDay = drawPastDay(rng, day, rng.integer(1, 4));
  if (!payer) {
    mailWriter.send(people[0]!, sentDay, { subject, body }, { copies: people });
    return;
  }
  const name = `receipt-${what.replaceAll(" ", "-")}.pdf`;
  const files: AttachedFile[] = [{ name, kind: "pdf", kilobytes: rng.integer(40, 700) }];
  mailWriter.receive(
    payer,
    sentDay,
    { subject, body, label: "receipts" },
    { files, copies: people },
  );
}

function addPictures(mailWriter: MailWriter, rng: Rng, { title, day, people }: Happening): void {
  const files = Array.from(
    { length: rng.integer(1, 4) },
    (): AttachedFile => ({
      name: `picture-${rng.integer(100, 999)}.jpg`,
      kind: "image",
      kilobytes: rng.integer(900, 6000),
    }),
  );
  const letter = { subject: `Pictures: ${title}`, body: rng.pick(THANKS) };
  mailWriter.receive(rng.pick(people), drawPastDay(rng, day, rng.integer(1, 9)), letter, { files });
}

/** Returns the label in about half of the cases, else null. */
function drawLabel(rng: Rng, name: string): string | null {
  return rng.chance(0.55) ? name : null;
}
