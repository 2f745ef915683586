/**
 * Writes the wallet: what was paid back after happenings, ordinary payments, and open requests.
 *
 * The wallet's balance is the sum of top-ups and received payments, less sent payments and withdrawals. Top-ups are
 * transactions of the bank (`life/bank.ts`), so the bank must be written first.
 */
import type { Rng, Writer } from "bowline/world";
import { cards } from "../apps/bank/tables.ts";
import {
  comments,
  favourites,
  likes,
  limits,
  linkedCards,
  plans,
  refunds,
  topUps,
} from "../apps/pay/tables.ts";
import {
  type Payment,
  type Person,
  payments,
  type RequestStatus,
  reminders,
  requests,
  wallet,
} from "../apps/tables.ts";
import { PAY_NOTES } from "../population/background-texts.ts";
import { PARTS } from "../population/name-pools.ts";
import { dayFromStart, drawAnyone, drawPastInstant } from "../population/time.ts";
import { CARD_LABELS, WALLET_MOVES } from "./bank.ts";
import type { Life } from "./life.ts";
import { computeDebts } from "./split.ts";

/** Draws a price, which is seldom round and seldom the same twice. */
const drawPrice = (rng: Rng) => rng.integer(350, 6400);

export function addPay(db: Writer, rng: Rng, life: Life): void {
  addTopUps(db);
  const drafts = [
    ...draftRepayments(rng.child("repayments"), life),
    ...draftOrdinaryPayments(rng.child("errands"), life),
    ...draftRequests(rng.child("asked"), life),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  for (const draft of drafts) insertPayment(db, draft);
  addRefunds(db, rng.child("refunds"));
  addRemarks(db, rng.child("remarks"));
  addPlannedPayments(db, rng.child("plans"), life);
  for (const part of PARTS) {
    for (const { id } of rng.child(part).sample(life.everyone[part], 4)) {
      db.insert(favourites, { person: id });
    }
  }
  addLimits(db, rng.child("limits"), life);
  setWalletBalance(db);
}

function addTopUps(db: Writer): void {
  for (const [i, label] of CARD_LABELS.slice(0, 3).entries()) {
    const card = db.all(cards).find((row) => row.label === label)!.id;
    db.insert(linkedCards, { card, preferred: i === 0 });
  }
  const [card] = db.all(linkedCards);
  for (const { at, cents } of WALLET_MOVES) db.insert(topUps, { card: card!.card, cents, at });
}

/** A payment, a request, or a request with the payment that settled it. */
interface PaymentDraft {
  readonly person: Person;
  /** True when the owner pays the person, false when the person pays the owner. */
  readonly outgoing: boolean;
  readonly cents: number;
  readonly note: string;
  /** The status of the request, or null when nobody asked for the payment. */
  readonly status: RequestStatus | null;
  readonly at: string;
}

function insertPayment(
  db: Writer,
  { person, outgoing, cents, note, status, at }: PaymentDraft,
): void {
  const columns = { person: person.id, cents, note, at };
  const request =
    status === null ? null : db.insert(requests, { ...columns, outgoing: !outgoing, status }).id;
  if (status === null || status === "paid") db.insert(payments, { ...columns, outgoing, request });
}

/**
 * Makes the payments of debts after happenings, and requests for the newest open debts of each part of the population.
 */
function draftRepayments(rng: Rng, life: Life): PaymentDraft[] {
  const debts = computeDebts(life).map((debt) => ({
    debt,
    draft: {
      person: debt.person,
      outgoing: debt.cents < 0,
      cents: Math.abs(debt.cents),
      note: debt.happening.title,
    },
  }));
  const paid = debts.flatMap(({ debt, draft }): PaymentDraft[] =>
    debt.paidAt ? [{ ...draft, status: rng.chance(0.4) ? "paid" : null, at: debt.paidAt }] : [],
  );
  const open = debts.filter(({ debt }) => debt.paidAt === null).reverse();
  const pending = PARTS.flatMap((part) =>
    [true, false].flatMap((outgoing) => {
      const own = open.filter(
        ({ debt, draft }) => debt.happening.part === part && draft.outgoing === outgoing,
      );
      return own.slice(0, 3).map(({ debt, draft }): PaymentDraft => {
        const at = `${debt.happening.day}T21:${rng.integer(10, 59)}:00Z`;
        return { ...draft, status: "pending", at };
      });
    }),
  );
  return [...paid, ...pending];
}

const NOTES = [...PAY_NOTES, "bike repair", "plant sale", "school fair", "printing", "raffle"];

/** Makes ordinary payments that nobody asked for. */
function draftOrdinaryPayments(rng: Rng, { everyone, density }: Life): PaymentDraft[] {
  return Array.from({ length: Math.round(50 * density) }, (_, i) => ({
    person: drawAnyone(rng, everyone),
    outgoing: i % 2 === 0,
    cents: drawPrice(rng),
    note: rng.pick(NOTES),
    status: null,
    at: drawPastInstant(rng),
  }));
}

/**
 * Makes requests by the owner and by others. For each part of the population and each side, two requests with the same
 * person are pending.
 */
function draftRequests(rng: Rng, { everyone, density }: Life): PaymentDraft[] {
  const makeRequest = (person: Person, outgoing: boolean, status: RequestStatus): PaymentDraft => ({
    person,
    outgoing,
    cents: drawPrice(rng),
    note: rng.pick(NOTES),
    status,
    at: drawPastInstant(rng),
  });
  const settled = Array.from({ length: Math.round(30 * density) }, (_, i) =>
    makeRequest(
      drawAnyone(rng, everyone),
      i % 2 === 0,
      i % 3 > 0 ? "paid" : i % 2 === 0 ? "declined" : "cancelled",
    ),
  );
  const pending = PARTS.flatMap((part) =>
    [true, false].flatMap((outgoing) => {
      const person = rng.pick(everyone[part]);
      return [1, 2].map(() => makeRequest(person, outgoing, "pending"));
    }),
  );
  return [...settled, ...pending];
}

function addRefunds(db: Writer, rng: Rng): void {
  const received = db.where(payments, { outgoing: false }).filter((row) => row.cents < 4000);
  for (const { id, person, cents, note } of rng.sample(received, 3)) {
    const at = `${dayFromStart(-1)}T1${rng.integer(0, 9)}:20:00Z`;
    const refundPayment = {
      person,
      outgoing: true,
      cents,
      note: `refund: ${note}`,
      request: null,
      at,
    };
    db.insert(refunds, { payment: id, refund: db.insert(payments, refundPayment).id });
  }
}

const REMARKS = [
  "Thanks, that was fun!",
  "Got it, thank you.",
  "Let us do that again soon.",
  "Sorry for the wait.",
  "Was that the right amount?",
  "You are the best.",
] as const;

function addRemarks(db: Writer, rng: Rng): void {
  const all = db.all(payments);
  for (const { id } of rng.sample(all, 16)) db.insert(likes, { payment: id });
  for (const { id, outgoing, at } of rng.sample(all, 40)) {
    const text = rng.pick(REMARKS);
    db.insert(comments, { payment: id, outgoing: !outgoing, text, at: at.replace(/..Z$/, "59Z") });
  }
  const pendingRequests = db.where(requests, { outgoing: true, status: "pending" });
  for (const { id } of rng.sample(pendingRequests, 4)) db.insert(reminders, { request: id });
}

const PURPOSES = ["piano lessons", "dog walking", "gym fee", "shared van", "lottery", "tutoring"];

function addPlannedPayments(db: Writer, rng: Rng, { everyone }: Life): void {
  for (const part of PARTS) {
    for (const [i, person] of rng.sample(everyone[part], 4).entries()) {
      db.insert(plans, {
        person: person.id,
        cents: rng.integer(900, 9000),
        note: rng.pick(PURPOSES),
        day: dayFromStart(rng.integer(1, 30)),
        repeat: rng.pick(["once", "week", "month"]),
        status: i === 3 ? rng.pick(["paused", "stopped"]) : "active",
      });
    }
  }
  const [first] = db.all(plans);
  db.insert(plans, { ...withoutId(first!), note: "old choir dues", status: "paused" });
}

function withoutId<R extends { readonly id: number }>({ id: _, ...row }: R): Omit<R, "id"> {
  return row;
}

function addLimits(db: Writer, rng: Rng, { everyone }: Life): void {
  db.insert(limits, { person: null, cents: 120_000 });
  for (const part of PARTS) {
    const person = rng.pick(everyone[part]).id;
    db.insert(limits, { person, cents: 1000 * rng.integer(5, 25) });
  }
}

function setWalletBalance(db: Writer): void {
  const filled = db.all(topUps).reduce((sum, row) => sum + row.cents, 0);
  const signedCents = ({ outgoing, cents }: Payment) => (outgoing ? -cents : cents);
  const paid = db.all(payments).reduce((sum, row) => sum + signedCents(row), 0);
  db.insert(wallet, { cents: filled + paid });
}
