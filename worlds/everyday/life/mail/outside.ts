/**
 * Adds mail from companies and strangers, who are no contacts: bills and receipts for what the bank booked, notices,
 * newsletters, and mail that nobody asked for. It comes after all other traces and has a random stream of its own.
 */
import type { Rng, Writer } from "bowline/world";
import { type Transaction, transactions } from "../../apps/bank/tables.ts";
import { senders } from "../../apps/mail/tables.ts";
import { dayOf } from "../../apps/shared.ts";
import { dayFromStart } from "../../population/time.ts";
import { SHOP_NAMES } from "../bank.ts";
import type { Life } from "../life.ts";
import { BILLS, NOTICES, type OutsideText, STRANGE_MAILS } from "./outside-texts.ts";
import { type AttachedFile, formatPrice, type MailText, makeMailWriter } from "./past-mails.ts";

/** The least numbers of notices and of mails from strangers, which hold for populations of few distractors too. */
const LEAST = { notices: 6, strangers: 4 } as const;
const RECEIPTS = 8;
const RECENT_DAYS = 40;

export function addOutsideMail(db: Writer, rng: Rng, { density }: Life): void {
  const mailWriter = makeMailWriter(db, rng.child("post"));
  const receive = (name: string, day: string, letter: MailText, files: AttachedFile[] = []) => {
    const mail = mailWriter.receive(null, day, letter, { files });
    db.insert(senders, { mail: mail.id, name });
  };
  const recent = db.all(transactions).filter(({ at }) => dayOf(at) > dayFromStart(-RECENT_DAYS));
  const bills = rng.child("bills");
  for (const paid of recent.filter(({ payee }) => payee in BILLS)) {
    const { letter, files } = writeBill(bills, paid);
    receive(paid.payee, dayOf(paid.at), letter, files);
  }
  const receipts = rng.child("receipts");
  const bought = recent.filter(({ payee, card }) => card !== null && SHOP_NAMES.has(payee));
  const count = Math.round(RECEIPTS * density);
  for (const paid of receipts.sample(bought, Math.min(count, bought.length)))
    receive(paid.payee, dayOf(paid.at), writeReceipt(receipts, paid));
  const addTexts = (own: Rng, texts: readonly OutsideText[], least: number, share: number) => {
    const size = Math.min(texts.length, Math.max(least, Math.round(share * density)));
    for (const { sender, subject, body } of own.sample(texts, size)) {
      const later = dayFromStart(own.integer(2, 25));
      const letter = { subject, body: body.replace("DAY", later) };
      receive(sender, dayFromStart(-own.integer(1, 25)), letter);
    }
  };
  addTexts(rng.child("notices"), NOTICES, LEAST.notices, 10);
  addTexts(rng.child("strangers"), STRANGE_MAILS, LEAST.strangers, 6);
}

function writeBill(rng: Rng, { payee, cents, at }: Transaction) {
  const [number, what] = [rng.integer(10_000, 99_999), BILLS[payee]!];
  const body = `We have collected ${formatPrice(-cents)} for ${what} on ${dayOf(at)}. You need not do anything.`;
  const files: AttachedFile[] = [
    { name: `bill-${number}.pdf`, kind: "pdf", kilobytes: rng.integer(30, 400) },
  ];
  const label = rng.chance(0.2) ? "bills" : null;
  return { letter: { subject: `Bill ${number}: ${what}`, body, label }, files };
}

function writeReceipt(rng: Rng, { payee, cents, at }: Transaction): MailText {
  const number = rng.integer(1000, 9999);
  const body = `Thank you for your visit on ${dayOf(at)}.\nTotal: ${formatPrice(-cents)}\nPaid by card.`;
  return {
    subject: `Your receipt ${number} from ${payee}`,
    body,
    label: rng.chance(0.2) ? "receipts" : null,
  };
}
