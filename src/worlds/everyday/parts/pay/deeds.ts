/** Single things done with the wallet: a bill split into requests, money to and from the bank, a plan, a card. */

import {
  type Deed,
  type Draw,
  moneyWords,
  type Person,
  type Value,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { cards, transactions } from "../../apps/bank/tables.ts";
import { equalParts } from "../../apps/pay/remainder.ts";
import { limits, linkedCards, plans, topUps } from "../../apps/pay/tables.ts";
import { oneOfSome } from "../bounds.ts";
import { severalPeople } from "../contacts/deeds.ts";
import { AT, js } from "./phrases.ts";
import { reachable, writeRequest } from "./writes.ts";

/** So many different people who can be paid. */
export function payable(draw: Draw, size: number): Value<Person>[] | undefined {
  return severalPeople(draw, size, ({ id }) => reachable(draw.db, id));
}

/** `Amara Okafor, Bruno Chen and me` */
function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const splitRequest: Deed = {
  name: "split-request",
  app: "pay",
  draw: (draw) => {
    const persons = payable(draw, draw.rng.integer(2, 3));
    if (!persons) return undefined;
    const cents = draw.rng.integer(2000, 24_000);
    const note = draw.rng.pick(["brunch", "museum visit", "rowing boat", "cinema night", "fondue"]);
    const [m, all] = [moneyWords(cents), listed(["me", ...persons.map(({ words }) => words)])];
    const parts = equalParts(cents, persons.length + 1).slice(1);
    const from = persons.map(({ code }) => code).join();
    return {
      sentences: [
        `Split ${m} equally among ${all} with Pay's split request, under the note "${note}"`,
        `Use Pay's split request to divide ${m} equally among ${all}; the note is "${note}"`,
        `Make a split request in Pay, with the note "${note}", over ${m} among ${all}`,
        `Have Pay split a request for ${m} in equal parts among ${all}, noting "${note}"`,
        `With Pay's split request, share ${m} in equal parts among ${all} and note "${note}"`,
      ],
      apply: (db) => {
        for (const [i, { value }] of persons.entries()) writeRequest(db, value.id, parts[i]!, note);
      },
      cells: [`apis.pay.splitRequest({from:[${from}],amount:${cents / 100},note:${js(note)}})`],
      uses: persons,
    };
  },
};

/** The preferred card, and the account that it pays from. */
function preferred(db: Reader) {
  const link = db.all(linkedCards).find((row) => row.preferred);
  return link && db.get(cards, link.card);
}

const LINE = { payee: "Pay wallet", category: "transfers", note: "", at: AT } as const;

const topUp: Deed = {
  name: "pay-top-up",
  app: "bank",
  takes: "money",
  draw: (draw) => {
    const money = draw.value("money");
    const card = preferred(draw.db);
    if (!card || card.frozen || card.cancelled) return undefined;
    const m = money.words;
    return {
      sentences: [
        `Top up my Pay wallet with ${m} from my preferred card`,
        `Fill my Pay wallet with ${m} from the preferred card`,
        `Put ${m} from my preferred card into my Pay wallet`,
        `Add ${m} to my Pay wallet with a top-up from the preferred card`,
        `Let my preferred card top up the Pay wallet by ${m}`,
      ],
      apply: (db) => {
        const from = { account: card.account, card: card.id };
        db.insert(transactions, { ...LINE, ...from, cents: -money.value });
        db.insert(topUps, { card: card.id, cents: money.value, at: AT });
      },
      cells: [`apis.pay.topUp({amount:${money.code}})`],
      uses: [money],
    };
  },
};

const withdraw: Deed = {
  name: "pay-withdraw",
  app: "bank",
  takes: "money",
  draw: (draw) => {
    const money = draw.value("money");
    const card = preferred(draw.db);
    if (!card || card.frozen || card.cancelled) return undefined;
    const m = money.words;
    return {
      sentences: [
        `Withdraw ${m} from my Pay wallet to my preferred card`,
        `Take ${m} out of my Pay wallet, to the preferred card`,
        `Move ${m} from my Pay wallet back to my preferred card`,
        `Make a withdrawal of ${m} from my Pay wallet to the preferred card`,
        `Let ${m} go from the Pay wallet back to my preferred card`,
      ],
      apply: (db) => {
        const to = { account: card.account, card: null };
        db.insert(transactions, { ...LINE, ...to, cents: money.value });
        db.insert(topUps, { card: card.id, cents: -money.value, at: AT });
      },
      cells: [`apis.pay.withdraw({amount:${money.code}})`],
      uses: [money],
    };
  },
};

const planOn: Deed = {
  name: "plan-on",
  app: "pay",
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    const [person] = payable(draw, 1) ?? [];
    if (!person) return undefined;
    const cents = draw.rng.integer(900, 9900);
    const [m, d, p] = [moneyWords(cents), day.words, person.words];
    return {
      sentences: [
        `Plan a single Pay payment of ${m} to ${p} for ${d}`,
        `Plan a one-time payment of ${m} to ${p} in Pay, due on ${d}`,
        `In Pay, plan that ${p} gets ${m} once, on ${d}`,
        `Have a one-time Pay payment of ${m} planned to ${p} on ${d}`,
        `Let Pay plan a single payment of ${m} for ${p} on ${d}`,
      ],
      apply: (db) => {
        const row = { person: person.value.id, cents, note: "", day: day.value };
        db.insert(plans, { ...row, repeat: "once", status: "active" });
      },
      cells: [`apis.pay.plan({to:${person.code},amount:${cents / 100},day:${day.code}})`],
      uses: [day, person],
    };
  },
};

const overallLimit: Deed = {
  name: "overall-limit",
  app: "pay",
  takes: "money",
  draw: (draw) => {
    const money = draw.value("money");
    const m = money.words;
    const [old] = draw.db.where(limits, { person: null });
    if (old?.cents === money.value) return undefined;
    return {
      sentences: [
        `Set my overall monthly Pay limit to ${m}`,
        `Change the monthly limit for all my Pay payments together to ${m}`,
        `Make ${m} the overall limit of a month in Pay`,
        `Let my overall Pay limit be ${m} a month`,
        `In Pay, set the monthly limit for everything together to ${m}`,
      ],
      apply: (db) => {
        if (old) db.update(limits, old.id, { cents: money.value });
        else db.insert(limits, { person: null, cents: money.value });
      },
      cells: [`apis.pay.setLimit({amount:${money.code}})`],
      uses: [money],
    };
  },
};

const preferCard: Deed = {
  name: "pay-prefer-card",
  app: "bank",
  draw: (draw) => {
    const others = draw.db.all(linkedCards).filter((row) => !row.preferred);
    const id = oneOfSome(
      draw.rng,
      others.map((row) => row.card),
    );
    const card = id === undefined ? undefined : draw.db.get(cards, id);
    if (!card) return undefined;
    const label = js(card.label);
    return {
      sentences: [
        `Make the card ${label} my preferred card in Pay`,
        `Set ${label} as the preferred card of my Pay wallet`,
        `From now on, Pay shall prefer my card ${label}`,
        `Let ${label} be the card that Pay prefers`,
        `Change my preferred Pay card to ${label}`,
      ],
      apply: (db) => {
        for (const row of db.all(linkedCards)) {
          const preferred = row.card === card.id;
          if (row.preferred !== preferred) db.update(linkedCards, row.id, { preferred });
        }
      },
      cells: [
        `apis.pay.preferCard({id:apis.pay.cards({size:20}).items.find(x=>x.label===${label}).id})`,
      ],
    };
  },
};

export const payDeeds: readonly Deed[] = [splitRequest, planOn, overallLimit];

/** Counted among the bank's, so that no task also freezes the card or changes what is preferred. */
export const walletDeeds: readonly Deed[] = [topUp, withdraw, preferCard];
