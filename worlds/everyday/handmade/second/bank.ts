/** The bank: standing orders, savings goals, what a card paid, a charge too many and a lost card. */
import {
  accounts,
  cards,
  disputes,
  goals,
  orders,
  payees,
  transactions,
} from "../../apps/bank/tables.ts";
import { texts } from "../../apps/tables.ts";
import { DONE, logIn, pages, quoted } from "../cells.ts";
import { Changes, saidNumber, sameMembers, sameWords, silent } from "../changes.ts";
import { LAST_WEEK, receivedText, sentText } from "../rows.ts";
import { type Draw, errand, type HandmadeScenario, turn } from "../scenario.ts";
import { handleFrom, inDollars } from "./plants.ts";

/** A card that works and pays from an own account. */
const ownCard = (draw: Draw) =>
  turn(
    draw,
    draw.base
      .where(cards, { cancelled: false, frozen: false })
      .filter(({ account }) => draw.base.get(accounts, account)?.holder === null),
  );

const changeStandingOrder = errand("change-standing-order", 1, (draw) => {
  const { base } = draw;
  const companies = base.where(payees, { person: null }).map(({ id }) => id);
  const active = base.where(orders, { status: "active" });
  const order = turn(
    draw,
    active.filter((row) => {
      const rivals = base.where(orders, { payee: row.payee });
      const own = base.get(accounts, row.account)?.holder === null;
      return own && companies.includes(row.payee) && rivals.length === 1;
    }),
  );
  const cents = order.cents + draw.rng.integer(2, 9) * 100;
  const payee = base.get(payees, order.payee)!.name;
  return {
    instruction: `${payee} is getting dearer: my standing order to them has to be $${inDollars(cents)} from now on. Please change that.`,
    goal: (db) => void db.update(orders, order.id, { cents }),
    *solution() {
      yield `${logIn("bank")}\n${pages("running", (page) => `apis.bank.orders({ status: "active", ${page} })`)}`;
      yield `const order = running.find(({ payee }) => payee === ${quoted(payee)});
apis.bank.changeOrder({ id: order.id, amount: ${cents / 100} });\n${DONE}`;
    },
    verdict: (end, start, finish) =>
      silent(finish) &&
      new Changes(start, end).count === 1 &&
      sameMembers([end.get(orders, order.id)], [{ ...order, cents }]),
  };
});

const setAside = errand("set-aside", 1, (draw) => {
  const cents = draw.rng.integer(21, 58) * 100;
  const open = draw.base.where(goals, { closed: false });
  const goal = turn(
    draw,
    open.filter(({ saved, target }) => target - saved > cents),
  );
  return {
    instruction: `Put another $${cents / 100} of my savings aside for the savings goal "${goal.name}".`,
    goal: (db) => void db.update(goals, goal.id, { saved: goal.saved + cents }),
    *solution() {
      yield `${logIn("bank")}\n${pages("goals", (page) => `apis.bank.goals({ ${page} })`)}`;
      yield `const { id } = goals.find(({ name }) => name === ${quoted(goal.name)});
apis.bank.fillGoal({ id, amount: ${cents / 100} });\n${DONE}`;
    },
    alternatives: [
      function* () {
        yield `${logIn("bank")}\n${pages("goals", (page) => `apis.bank.goals({ ${page} })`)}`;
        yield `const { id } = goals.find(({ name }) => name === ${quoted(goal.name)});
apis.bank.fillGoal({ id, amount: ${cents / 100 - 5} });\napis.bank.fillGoal({ id, amount: 5 });\n${DONE}`;
      },
    ],
    verdict(end, start, finish) {
      const [change, ...more] = new Changes(start, end).changed(goals);
      if (!silent(finish) || more.length > 0 || !new Changes(start, end).onlyIn(goals))
        return false;
      const grown = change === undefined ? 0 : change.after.saved - change.before.saved;
      return change?.after.name === goal.name && change.columns.length === 1 && grown === cents;
    },
  };
});

const MONTHS = [["2026-01", "January"] as const, ["2026-02", "February"] as const];

/** What a card paid for a category in a month, where both the card and the category matter. */
function spendings({ base }: Draw) {
  const out = base.all(transactions).filter(({ card, cents }) => card !== null && cents < 0);
  const sum = (rows: typeof out) => rows.reduce((all, { cents }) => all - cents, 0);
  const kinds = [...new Set(out.map(({ category }) => category))];
  return base.where(cards, { cancelled: false }).flatMap(({ id, label }) =>
    kinds.flatMap((category) =>
      MONTHS.flatMap(([month, word]) => {
        const wide = out.filter((row) => row.category === category && row.at.startsWith(month));
        const rows = wide.filter(({ card }) => card === id);
        const refunds = base.where(transactions, { card: id, category }).filter((r) => r.cents > 0);
        const fits = rows.length > 2 && rows.length < wide.length && refunds.length === 0;
        const found = { id, label, category, month, word, total: sum(rows), wide: sum(wide) };
        return fits ? [found] : [];
      }),
    ),
  );
}

const cardSpending = errand("card-spending", 2, (draw) => {
  const { id, label, category, month, word, total, wide } = turn(draw, spendings(draw));
  return {
    instruction: `How many dollars did I spend on ${category} with my ${label} in ${word} this year?`,
    goal: () => ({ answer: total / 100, guesses: [wide / 100] }),
    *solution() {
      yield `${logIn("bank")}\nconst card = apis.bank.cards({ size: 20 }).items.find(({ label }) => label === ${quoted(label)});
${pages("paid", (page) => `apis.bank.transactions({ card: card.id, category: "${category}", way: "out", since: "${month}-01", until: "${month}-${month === "2026-01" ? 31 : 28}", ${page} })`)}`;
      yield `const cents = paid.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
apis.me.finishTask({ answer: cents / 100 });`;
    },
    verdict(end, start, finish) {
      let cents = 0;
      for (const row of end.where(transactions, { card: id, category })) {
        if (row.at.slice(0, 7) === month) cents += Math.max(0, -row.cents);
      }
      return new Changes(start, end).count === 0 && saidNumber(finish, cents / 100);
    },
  };
});

const disputeDoubleCharge = errand("dispute-double-charge", 2, (draw) => {
  const shop = turn(draw, ["Quill and Paper", "Ferry Kiosk", "Tin Roof Tools"]);
  const card = ownCard(draw);
  const cents = draw.rng.integer(1810, 7990);
  const reason = "Charged twice";
  return {
    instruction: `${shop} charged my ${card.label} twice on 9 March, the same amount within minutes. Dispute the later one of the two with the reason "${reason}".`,
    setup(db) {
      const common = { account: card.account, card: card.id, payee: shop, note: "" } as const;
      for (const [price, at] of [
        [cents + 340, "2026-03-05T12:20:00Z"],
        [cents, "2026-03-09T10:15:00Z"],
        [cents, "2026-03-09T10:18:00Z"],
        [cents - 410, "2026-03-10T15:02:00Z"],
      ] as const) {
        db.insert(transactions, { ...common, cents: -price, category: "leisure", at });
        const { cents: balance } = db.get(accounts, card.account)!;
        db.update(accounts, card.account, { cents: balance - price });
      }
    },
    goal(db) {
      const twice = db.where(transactions, { payee: shop, cents: -cents });
      db.insert(disputes, { transaction: twice.at(-1)!.id, reason, status: "open" });
    },
    *solution() {
      yield `${logIn("bank")}\nconst { items } = apis.bank.transactions({ payee: ${quoted(shop)}, since: "2026-03-09", until: "2026-03-09" });\nprint(items);`;
      yield `apis.bank.dispute({ id: items[0].id, reason: ${quoted(reason)} });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const [dispute, ...more] = new Changes(start, end).added(disputes);
      const charge = dispute && end.get(transactions, dispute.transaction);
      if (!silent(finish) || !charge || more.length > 0) return false;
      const day = end.where(transactions, { payee: shop }).filter((t) => t.at.includes("03-09"));
      const later = day.every(({ at }) => at <= charge.at) && day.includes(charge);
      const open = dispute.status === "open" && sameWords(dispute.reason, reason);
      return later && open && new Changes(start, end).onlyIn(disputes);
    },
  };
});

const freezeFoundCard = errand("freeze-found-card", 3, (draw) => {
  const card = ownCard(draw);
  const finder = draw.rng.pick(draw.people);
  const label = `Second ${card.label.toLowerCase()}`;
  const thanks = "You are my hero, thank you!";
  const found = `I found a bank card in the tram and your name is on it! The number ends in ${card.digits}.`;
  return {
    instruction: `${finder.name} has written to me about a card of mine. Freeze that card, order another one for the same account called "${label}", with the same monthly limit as the old one, and reply "${thanks}"`,
    setup(db) {
      receivedText(db, finder, "Were you at the market on Saturday?", { at: LAST_WEEK });
      receivedText(db, finder, found);
    },
    goal(db) {
      db.update(cards, card.id, { frozen: true });
      const { account, limit } = card;
      db.insert(cards, { label, account, limit, digits: "0000", frozen: false, cancelled: false });
      const [message] = db.where(texts, { person: finder.id, text: found });
      sentText(db, finder, thanks, { replyTo: message!.id });
    },
    *solution() {
      yield `${logIn("bank")}\n${handleFrom(finder)}
const message = apis.messages.list({ from: person, size: 20 }).items.find(({ text }) => text.includes("card"));\nprint(message.text);`;
      yield `const digits = /ends in (\\d{4})/.exec(message.text)[1];
const card = apis.bank.cards({ size: 20 }).items.find((one) => one.digits === digits);
apis.bank.freeze({ id: card.id });
const fresh = apis.bank.orderCard({ account: card.account, label: ${quoted(label)} });
apis.bank.setCardLimit({ id: fresh.id, amount: card.limit });
apis.messages.reply({ id: message.id, text: ${quoted(thanks)} });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const [fresh] = seen.added(cards);
      const [answer] = seen.added(texts);
      if (!silent(finish) || seen.count !== 3 || !fresh || !answer?.replyTo) return false;
      const safe = end.get(cards, card.id)?.frozen && !end.get(cards, card.id)?.cancelled;
      const alike = fresh.account === card.account && fresh.limit === card.limit && !fresh.frozen;
      const heard = start.get(texts, answer.replyTo)?.text.includes(card.digits);
      const named = fresh.label === label && !fresh.cancelled && sameWords(answer.text, thanks);
      return Boolean(safe && alike && heard && named && answer.person === finder.id);
    },
  };
});

export const bank: readonly HandmadeScenario[] = [
  changeStandingOrder,
  setAside,
  cardSpending,
  disputeDoubleCharge,
  freezeFoundCard,
];
