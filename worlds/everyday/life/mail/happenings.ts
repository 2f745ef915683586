/** Mails before and after what people did together: invitations, directions, deposits, receipts, pictures. */
import type { Rng } from "bowline/world";
import { NOW } from "../../population/time.ts";
import type { Cost, Happening } from "../life.ts";
import { answeredAt, type File, type Post, pastDay, price } from "./post.ts";
import { ACCEPTANCES, CLOSINGS, FACTS, THANKS } from "./texts.ts";

const TODAY = NOW.slice(0, 10);

export function happeningMails(post: Post, rng: Rng, happening: Happening): void {
  if (happening.host) invitation(post, rng, happening);
  if (rng.chance(0.5)) directions(post, rng, happening);
  if (happening.day > TODAY) {
    deposit(post, rng, happening);
    return;
  }
  for (const cost of happening.costs) receipt(post, rng, happening, cost);
  if (rng.chance(0.45)) pictures(post, rng, happening);
}

/** From the host to everybody; the owner has mostly answered. */
function invitation(post: Post, rng: Rng, happening: Happening): void {
  const { title, city, day, time, kind, host, people } = happening;
  const before = pastDay(rng, day, -rng.integer(9, 20));
  const subject = `Invitation: ${title}`;
  const body = `Hello Robin, will you come? ${title} in ${city}, on ${day} at ${time}. ${rng.pick(FACTS[kind])}`;
  const mail = post.receive(
    host!,
    before,
    { subject, body, label: label(rng, "plans") },
    { copies: people },
  );
  if (!rng.chance(0.6)) return;
  const again = { subject: `Re: ${subject}`, body: rng.pick(ACCEPTANCES), origin: mail.id };
  const answer = post.send(host!, before, { ...again, at: answeredAt(rng, mail.at) });
  if (!rng.chance(0.4)) return;
  const end = { subject: `Re: ${again.subject}`, body: rng.pick(CLOSINGS), origin: answer.id };
  post.receive(host!, before, { ...end, at: answeredAt(rng, answer.at) });
}

function directions(post: Post, rng: Rng, { title, day, people }: Happening): void {
  const hour = `${rng.pick(["07", "08", "09", "14", "16"])}:${rng.pick(["04", "12", "27", "38", "51"])}`;
  const body = `The train to ${title} leaves on ${day} at ${hour} from platform ${rng.integer(1, 14)}. The door code is ${rng.integer(1000, 9999)}.`;
  const files: File[] = rng.chance(0.6)
    ? [{ name: "directions.pdf", kind: "pdf", kilobytes: rng.integer(90, 900) }]
    : [];
  const letter = { subject: `Directions: ${title}`, body, label: label(rng, "travel") };
  post.receive(rng.pick(people), pastDay(rng, day, -rng.integer(2, 6)), letter, { files });
}

/** For what lies ahead: an amount, and the day by which it is due. */
function deposit(post: Post, rng: Rng, { title, day, people, host }: Happening): void {
  const cents = rng.integer(1100, 9800);
  const due = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  const body = `We need a deposit for ${title}. It is ${price(cents)} a person, due on ${due}.`;
  const letter = { subject: `Deposit: ${title}`, body, label: label(rng, "bills") };
  post.receive(host ?? rng.pick(people), pastDay(rng, day, -rng.integer(5, 15)), letter);
}

/** Whoever paid tells the others: to the owner, or from the owner. */
function receipt(post: Post, rng: Rng, happening: Happening, { what, cents, payer }: Cost): void {
  const { title, day, people } = happening;
  const subject = `Receipt: ${what}, ${title}`;
  const body = `Here is the receipt for ${what} on ${day}.\nTotal: ${price(cents)}\nPaid by ${payer?.name ?? "me"}, shared by ${people.length + 1}.`;
  const later = pastDay(rng, day, rng.integer(1, 4));
  if (!payer) {
    post.send(people[0]!, later, { subject, body }, { copies: people });
    return;
  }
  const name = `receipt-${what.replaceAll(" ", "-")}.pdf`;
  const files: File[] = [{ name, kind: "pdf", kilobytes: rng.integer(40, 700) }];
  post.receive(payer, later, { subject, body, label: "receipts" }, { files, copies: people });
}

function pictures(post: Post, rng: Rng, { title, day, people }: Happening): void {
  const files = Array.from(
    { length: rng.integer(1, 4) },
    (): File => ({
      name: `picture-${rng.integer(100, 999)}.jpg`,
      kind: "image",
      kilobytes: rng.integer(900, 6000),
    }),
  );
  const letter = { subject: `Pictures: ${title}`, body: rng.pick(THANKS) };
  post.receive(rng.pick(people), pastDay(rng, day, rng.integer(1, 9)), letter, { files });
}

/** Most people label nothing, most of the time. */
function label(rng: Rng, name: string): string | null {
  return rng.chance(0.55) ? name : null;
}
