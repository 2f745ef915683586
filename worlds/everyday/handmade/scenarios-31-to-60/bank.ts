/** Scenarios about the bank: standing orders, savings goals, card payments, a double charge and a lost card. */
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
import { insertReceivedText, insertSentText, LAST_WEEK } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask, type TaskDraw } from "../scenario.ts";
import { FINISH_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import {
  answerEqualsNumber,
  Changes,
  haveSameMembers,
  haveSameWords,
  isDone,
} from "../verdicts.ts";
import { findHandleCode, formatDollars } from "./insert-scenario-rows.ts";

/** Picks a usable card that pays from one of the owner's accounts. */
const pickOwnCard = (draw: TaskDraw) =>
  pickForTask(
    draw,
    draw.base
      .where(cards, { cancelled: false, frozen: false })
      .filter(({ account }) => draw.base.get(accounts, account)?.holder === null),
  );

const changeStandingOrder = defineScenario("change-standing-order", 1, (draw) => {
  const { base } = draw;
  const companies = base.where(payees, { person: null }).map(({ id }) => id);
  const active = base.where(orders, { status: "active" });
  const order = pickForTask(
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
    instruction: `${payee} is getting dearer: my standing order to them has to be $${formatDollars(cents)} from now on. Please change that.`,
    goal: (db) => void db.update(orders, order.id, { cents }),
    *solution() {
      yield `${logInCell("bank")}\n${readAllPagesCode("running", (page) => `apis.bank.orders({ status: "active", ${page} })`)}`;
      yield `const order = running.find(({ payee }) => payee === ${quote(payee)});
apis.bank.changeOrder({ id: order.id, amount: ${cents / 100} });\n${FINISH_CODE}`;
    },
    verdict: (end, start, finish) =>
      isDone(finish) &&
      new Changes(start, end).rowCount === 1 &&
      haveSameMembers([end.get(orders, order.id)], [{ ...order, cents }]),
  };
});

const setMoneyAside = defineScenario("set-aside", 1, (draw) => {
  const cents = draw.rng.integer(21, 58) * 100;
  const open = draw.base.where(goals, { closed: false });
  const goal = pickForTask(
    draw,
    open.filter(({ saved, target }) => target - saved > cents),
  );
  return {
    instruction: `Put another $${cents / 100} of my savings aside for the savings goal "${goal.name}".`,
    goal: (db) => void db.update(goals, goal.id, { saved: goal.saved + cents }),
    *solution() {
      yield `${logInCell("bank")}\n${readAllPagesCode("goals", (page) => `apis.bank.goals({ ${page} })`)}`;
      yield `const { id } = goals.find(({ name }) => name === ${quote(goal.name)});
apis.bank.fillGoal({ id, amount: ${cents / 100} });\n${FINISH_CODE}`;
    },
    alternatives: [
      function* () {
        yield `${logInCell("bank")}\n${readAllPagesCode("goals", (page) => `apis.bank.goals({ ${page} })`)}`;
        yield `const { id } = goals.find(({ name }) => name === ${quote(goal.name)});
apis.bank.fillGoal({ id, amount: ${cents / 100 - 5} });\napis.bank.fillGoal({ id, amount: 5 });\n${FINISH_CODE}`;
      },
    ],
    verdict(end, start, finish) {
      const [change, ...more] = new Changes(start, end).changedRows(goals);
      if (!isDone(finish) || more.length > 0 || !new Changes(start, end).areOnlyIn(goals))
        return false;
      const grown = change === undefined ? 0 : change.after.saved - change.before.saved;
      return change?.after.name === goal.name && change.columns.length === 1 && grown === cents;
    },
  };
});

const MONTHS = [["2026-01", "January"] as const, ["2026-02", "February"] as const];

/** Finds sums that a card paid for a category in a month. The sum over all cards is a different number. */
function findCardSpendings({ base }: TaskDraw) {
  const payments = base.all(transactions).filter(({ card, cents }) => card !== null && cents < 0);
  const sumSpent = (rows: typeof payments) => rows.reduce((all, { cents }) => all - cents, 0);
  const categories = [...new Set(payments.map(({ category }) => category))];
  return base.where(cards, { cancelled: false }).flatMap(({ id, label }) =>
    categories.flatMap((category) =>
      MONTHS.flatMap(([month, word]) => {
        const allCards = payments.filter(
          (row) => row.category === category && row.at.startsWith(month),
        );
        const rows = allCards.filter(({ card }) => card === id);
        const refunds = base.where(transactions, { card: id, category }).filter((r) => r.cents > 0);
        const fits = rows.length > 2 && rows.length < allCards.length && refunds.length === 0;
        const found = {
          id,
          label,
          category,
          month,
          word,
          total: sumSpent(rows),
          wide: sumSpent(allCards),
        };
        return fits ? [found] : [];
      }),
    ),
  );
}

const cardSpending = defineScenario("card-spending", 2, (draw) => {
  const { id, label, category, month, word, total, wide } = pickForTask(
    draw,
    findCardSpendings(draw),
  );
  return {
    instruction: `How many dollars did I spend on ${category} with my ${label} in ${word} this year?`,
    goal: () => ({ answer: total / 100, guesses: [wide / 100] }),
    *solution() {
      yield `${logInCell("bank")}\nconst card = apis.bank.cards({ size: 20 }).items.find(({ label }) => label === ${quote(label)});
${readAllPagesCode("paid", (page) => `apis.bank.transactions({ card: card.id, category: "${category}", way: "out", since: "${month}-01", until: "${month}-${month === "2026-01" ? 31 : 28}", ${page} })`)}`;
      yield `const cents = paid.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
apis.me.finishTask({ answer: cents / 100 });`;
    },
    verdict(end, start, finish) {
      let cents = 0;
      for (const row of end.where(transactions, { card: id, category })) {
        if (row.at.slice(0, 7) === month) cents += Math.max(0, -row.cents);
      }
      return new Changes(start, end).rowCount === 0 && answerEqualsNumber(finish, cents / 100);
    },
  };
});

const disputeDoubleCharge = defineScenario("dispute-double-charge", 2, (draw) => {
  const shop = pickForTask(draw, ["Quill and Paper", "Ferry Kiosk", "Tin Roof Tools"]);
  const card = pickOwnCard(draw);
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
      yield `${logInCell("bank")}\nconst { items } = apis.bank.transactions({ payee: ${quote(shop)}, since: "2026-03-09", until: "2026-03-09" });\nprint(items);`;
      yield `apis.bank.dispute({ id: items[0].id, reason: ${quote(reason)} });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const [dispute, ...more] = new Changes(start, end).addedRows(disputes);
      const charge = dispute && end.get(transactions, dispute.transaction);
      if (!isDone(finish) || !charge || more.length > 0) return false;
      const day = end.where(transactions, { payee: shop }).filter((t) => t.at.includes("03-09"));
      const later = day.every(({ at }) => at <= charge.at) && day.includes(charge);
      const open = dispute.status === "open" && haveSameWords(dispute.reason, reason);
      return later && open && new Changes(start, end).areOnlyIn(disputes);
    },
  };
});

const freezeFoundCard = defineScenario("freeze-found-card", 3, (draw) => {
  const card = pickOwnCard(draw);
  const finder = draw.rng.pick(draw.people);
  const label = `Second ${card.label.toLowerCase()}`;
  const thanks = "You are my hero, thank you!";
  const found = `I found a bank card in the tram and your name is on it! The number ends in ${card.digits}.`;
  return {
    instruction: `${finder.name} has written to me about a card of mine. Freeze that card, order another one for the same account called "${label}", with the same monthly limit as the old one, and reply "${thanks}"`,
    setup(db) {
      insertReceivedText(db, finder, "Were you at the market on Saturday?", { at: LAST_WEEK });
      insertReceivedText(db, finder, found);
    },
    goal(db) {
      db.update(cards, card.id, { frozen: true });
      const { account, limit } = card;
      db.insert(cards, { label, account, limit, digits: "0000", frozen: false, cancelled: false });
      const [message] = db.where(texts, { person: finder.id, text: found });
      insertSentText(db, finder, thanks, { replyTo: message!.id });
    },
    *solution() {
      yield `${logInCell("bank")}\n${findHandleCode(finder)}
const message = apis.messages.list({ from: person, size: 20 }).items.find(({ text }) => text.includes("card"));\nprint(message.text);`;
      yield `const digits = /ends in (\\d{4})/.exec(message.text)[1];
const card = apis.bank.cards({ size: 20 }).items.find((one) => one.digits === digits);
apis.bank.freeze({ id: card.id });
const fresh = apis.bank.orderCard({ account: card.account, label: ${quote(label)} });
apis.bank.setCardLimit({ id: fresh.id, amount: card.limit });
apis.messages.reply({ id: message.id, text: ${quote(thanks)} });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [fresh] = changes.addedRows(cards);
      const [answer] = changes.addedRows(texts);
      if (!isDone(finish) || changes.rowCount !== 3 || !fresh || !answer?.replyTo) return false;
      const safe = end.get(cards, card.id)?.frozen && !end.get(cards, card.id)?.cancelled;
      const alike = fresh.account === card.account && fresh.limit === card.limit && !fresh.frozen;
      const heard = start.get(texts, answer.replyTo)?.text.includes(card.digits);
      const named = fresh.label === label && !fresh.cancelled && haveSameWords(answer.text, thanks);
      return Boolean(safe && alike && heard && named && answer.person === finder.id);
    },
  };
});

export const bankScenarios: readonly HandmadeScenario[] = [
  changeStandingOrder,
  setMoneyAside,
  cardSpending,
  disputeDoubleCharge,
  freezeFoundCard,
];
