/**
 * Single tasks in the pay app: splitting a bill into requests, planning a payment, setting limits, and moving money to
 * and from the bank.
 */
import {
  type DrawContext,
  deeds,
  dollarLiteral,
  drawnDeed,
  drawnDeedWithValue,
  drawSelectiveValue,
  jsLiteral,
  moneyInWords,
  type Person,
  type Value,
  wordList,
} from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import { type Card, cards, transactions } from "../../apps/bank/tables.ts";
import { splitEqually } from "../../apps/pay/equal-parts.ts";
import { limits, linkedCards, plans, topUps } from "../../apps/pay/tables.ts";
import { drawSeveralPeople } from "../contacts/deeds.ts";
import { isReachable } from "../reachable-people.ts";
import { ANY_TIME, insertRequest, setLimit } from "./insert-rows.ts";

/** Draws `count` different people who can be paid. */
export function drawReachablePeople(draw: DrawContext, count: number): Value<Person>[] | undefined {
  return drawSeveralPeople(draw, count, ({ id }) => isReachable(draw.db, id));
}

/** Joins names: `Amara Okafor, Bruno Chen and me`. */
export function joinNames(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export const payDeeds = deeds("pay", {
  "split-request": (draw) => {
    const persons = drawReachablePeople(draw, draw.rng.integer(2, 3));
    if (!persons) return undefined;
    const cents = draw.rng.integer(2000, 24_000);
    const notes = wordList("brunch | museum visit | rowing boat | cinema night | fondue");
    const note = draw.rng.pick(notes);
    const [amountWords, all] = [
      moneyInWords(cents),
      joinNames(["me", ...persons.map(({ words }) => words)]),
    ];
    const parts = splitEqually(cents, persons.length + 1).slice(1);
    const from = persons.map(({ code }) => code).join();
    return drawnDeed({
      apply: (db) => {
        for (const [i, { value }] of persons.entries())
          insertRequest(db, value.id, parts[i]!, note);
      },
      cells: [
        `apis.pay.splitRequest({from:[${from}],amount:${dollarLiteral(cents)},note:${jsLiteral(note)}})`,
      ],
      uses: persons,
    })`Split ${amountWords} equally among ${all} with Pay's split request, under the note "${note}"
      | Use Pay's split request to divide ${amountWords} equally among ${all}; the note is "${note}"
      | Make a split request in Pay, with the note "${note}", over ${amountWords} among ${all}
      | Have Pay split a request for ${amountWords} in equal parts among ${all}, noting "${note}"
      | With Pay's split request, share ${amountWords} in equal parts among ${all} and note "${note}"`;
  },
  "plan-on": drawnDeedWithValue("day", (day, draw) => {
    const [person] = drawReachablePeople(draw, 1) ?? [];
    if (!person) return undefined;
    const cents = draw.rng.integer(900, 9900);
    const row = { person: person.value.id, cents, note: "", day: day.value };
    const [amountWords, dayWords, personWords] = [moneyInWords(cents), day.words, person.words];
    return drawnDeed({
      apply: (db) => void db.insert(plans, { ...row, repeat: "once", status: "active" }),
      cells: [`apis.pay.plan({to:${person.code},amount:${dollarLiteral(cents)},day:${day.code}})`],
      uses: [person],
    })`Plan a single Pay payment of ${amountWords} to ${personWords} for ${dayWords}
      | Plan a one-time payment of ${amountWords} to ${personWords} in Pay, due on ${dayWords}
      | In Pay, plan that ${personWords} gets ${amountWords} once, on ${dayWords}
      | Have a one-time Pay payment of ${amountWords} planned to ${personWords} on ${dayWords}
      | Let Pay plan a single payment of ${amountWords} for ${personWords} on ${dayWords}`;
  }),
  "overall-limit": drawnDeedWithValue("money", ({ value, words, code }, { db }) => {
    if (db.where(limits, { person: null })[0]?.cents === value) return undefined;
    return drawnDeed({
      apply: (writer) => setLimit(writer, null, value),
      cells: [`apis.pay.setLimit({amount:${code}})`],
    })`Set my overall monthly Pay limit to ${words}
      | Change the monthly limit for all my Pay payments together to ${words}
      | Make ${words} the overall limit of a month in Pay
      | Let my overall Pay limit be ${words} a month
      | In Pay, set the monthly limit for everything together to ${words}`;
  }),
});

/** Returns the preferred card, or undefined when it cannot pay. */
function findUsablePreferredCard(db: Reader) {
  const link = db.all(linkedCards).find((row) => row.preferred);
  const card = link && db.get(cards, link.card);
  return card && !card.frozen && !card.cancelled ? card : undefined;
}

const WALLET_TRANSACTION = {
  payee: "Pay wallet",
  category: "transfers",
  note: "",
  at: ANY_TIME,
} as const;

/**
 * Inserts a top-up of the wallet, or a withdrawal when the cents are negative. The account of the card books the
 * opposite.
 */
function insertTopUp(db: Writer, { id, account }: Card, cents: number): void {
  db.insert(transactions, {
    ...WALLET_TRANSACTION,
    account,
    card: cents > 0 ? id : null,
    cents: -cents,
  });
  db.insert(topUps, { card: id, cents, at: ANY_TIME });
}

/**
 * These deeds are listed under the bank, so that no task combines them with an action that freezes the card or changes
 * which card is preferred.
 */
export const walletDeeds = deeds("bank", {
  "pay-top-up": drawnDeedWithValue("money", ({ value, words, code }, draw) => {
    const card = findUsablePreferredCard(draw.db);
    if (!card) return undefined;
    return drawnDeed({
      apply: (db) => insertTopUp(db, card, value),
      cells: [`apis.pay.topUp({amount:${code}})`],
    })`Top up my Pay wallet with ${words} from my preferred card
      | Fill my Pay wallet with ${words} from the preferred card
      | Put ${words} from my preferred card into my Pay wallet
      | Add ${words} to my Pay wallet with a top-up from the preferred card
      | Let my preferred card top up the Pay wallet by ${words}`;
  }),
  "pay-withdraw": drawnDeedWithValue("money", ({ value, words, code }, draw) => {
    const card = findUsablePreferredCard(draw.db);
    if (!card) return undefined;
    return drawnDeed({
      apply: (db) => insertTopUp(db, card, -value),
      cells: [`apis.pay.withdraw({amount:${code}})`],
    })`Withdraw ${words} from my Pay wallet to my preferred card
      | Take ${words} out of my Pay wallet, to the preferred card
      | Move ${words} from my Pay wallet back to my preferred card
      | Make a withdrawal of ${words} from my Pay wallet to the preferred card
      | Let ${words} go from the Pay wallet back to my preferred card`;
  }),
  "pay-prefer-card": ({ rng, db }) => {
    const others = db.all(linkedCards).filter((row) => !row.preferred);
    const id = drawSelectiveValue(
      rng,
      others.map((row) => row.card),
    );
    const card = id === undefined ? undefined : db.get(cards, id);
    if (!card) return undefined;
    const label = jsLiteral(card.label);
    return drawnDeed({
      apply: (writer) => {
        for (const row of writer.all(linkedCards)) {
          const preferred = row.card === card.id;
          if (row.preferred !== preferred) writer.update(linkedCards, row.id, { preferred });
        }
      },
      call: `apis.pay.preferCard({id:apis.pay.cards({size:20}).items.find(x=>x.label===${label}).id})`,
    })`Make the card ${label} my preferred card in Pay
      | Set ${label} as the preferred card of my Pay wallet
      | From now on, Pay shall prefer my card ${label} | Let ${label} be the card that Pay prefers
      | Change my preferred Pay card to ${label}`;
  },
});
