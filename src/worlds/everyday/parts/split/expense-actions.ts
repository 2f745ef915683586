/** What is done with shared expenses: paid back, asked for, discussed, removed. */

import type { Action, Effect } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  EXPENSE_CATEGORIES,
  expenseComments,
  expenseShares,
  expenses,
} from "../../apps/split/tables.ts";
import { AT, js } from "../pay/phrases.ts";
import { reachable, writeRequest } from "../pay/writes.ts";
import { isActive, payBack, shareOf } from "./debts.ts";

function action(
  name: string,
  difficulty: 1 | 2,
  draw: Action["draw"],
  takes?: Action["takes"],
): Action {
  const part = { name, kind: "expenses", app: "split", difficulty, draw } as const;
  return takes ? { ...part, takes } : part;
}

const comment = action(
  "comment",
  1,
  (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Write the comment ${text.words} under ${noun}`,
        (noun) => `Comment ${text.words} on ${noun}`,
        (noun) => `Leave a comment that says ${text.words} under ${noun}`,
        (noun) => `Add the comment ${text.words} to ${noun}`,
        (noun) => `Put ${text.words} as a comment under ${noun}`,
      ],
      apply: (db, expense) => {
        const row = { expense, person: null, text: text.value, removed: false, at: AT };
        db.insert(expenseComments, row);
      },
      call: (x) => `apis.split.comment({id:${x},text:${text.code}})`,
      uses: [text],
    };
  },
  "text",
);

/** One payment for each expense, of its own amount to its own payer. */
const payShare = action("pay-my-share", 2, () => ({
  frames: [
    (noun) =>
      `Pay my share back to the payer with Pay, noting the expense's description, for ${noun}`,
    (noun) =>
      `Use Pay to give the payer my share, one payment an expense with its description as the note, for ${noun}`,
    (noun) =>
      `With Pay, send each payer my share of ${noun}, with the description as the note of each payment`,
    (noun) =>
      `For ${noun}, pay my share to whoever paid, by one Pay payment each that has the description as its note`,
    (noun) =>
      `Send my share to the payer by Pay, a payment for each expense with its description as note, for ${noun}`,
  ],
  permits: (db, id) => reachable(db, db.get(expenses, id)!.payer) && shareOf(db, id, null) > 0,
  apply: (db, id) => {
    const { payer, what } = db.get(expenses, id)!;
    payBack(db, payer!, shareOf(db, id, null), what);
  },
  call: (x) =>
    `const o=apis.split.expense({id:${x}});apis.pay.send({to:o.payer,amount:o.myShare,note:o.what})`,
}));

const others = (db: Reader, expense: number) =>
  db.where(expenseShares, { expense }).filter((share) => share.person !== null);

/** One request for each other participant, of their own share. */
const askShares = action("request-shares", 2, () => ({
  frames: [
    (noun) =>
      `Request from every other participant their share with Pay, noting the expense's description, for ${noun}`,
    (noun) =>
      `Use Pay to ask every other participant for their own share, with the expense's description as the note, of ${noun}`,
    (noun) =>
      `With Pay, request the shares of all other participants of ${noun}, each with the description as its note`,
    (noun) =>
      `For ${noun}, send everyone else with a share a Pay request for it that has the description as its note`,
    (noun) =>
      `Send Pay requests for their shares to all others who take part, with the description as the note, for ${noun}`,
  ],
  permits: (db, id) => {
    const shares = others(db, id);
    const fine = shares.every(({ person, cents }) => reachable(db, person) && cents > 0);
    return db.get(expenses, id)!.payer === null && shares.length > 0 && fine;
  },
  apply: (db, id) => {
    for (const { person, cents } of others(db, id)) {
      writeRequest(db, person!, cents, db.get(expenses, id)!.what);
    }
  },
  call: (x) =>
    `const o=apis.split.expense({id:${x}});for(const s of o.shares)if(s.person!=="me")apis.pay.request({from:s.person,amount:s.amount,note:o.what})`,
}));

const isMine: Effect["permits"] = (db, id) => {
  const { addedBy, group, removed } = db.get(expenses, id)!;
  return addedBy === null && !removed && isActive(db, group);
};

const remove = action("remove", 1, () => ({
  frames: [
    (noun) => `Remove ${noun} from Split`,
    (noun) => `Delete ${noun} in Split`,
    (noun) => `Take ${noun} out of Split`,
    (noun) => `Let Split remove ${noun}`,
    (noun) => `Strike ${noun} in the Split app`,
  ],
  permits: isMine,
  apply: (db, id) => void db.update(expenses, id, { removed: true }),
  call: (x) => `apis.split.remove({id:${x}})`,
}));

const recategorise = action("set-category", 1, ({ rng }) => {
  const category = rng.pick(EXPENSE_CATEGORIES);
  const c = js(category);
  return {
    frames: [
      (noun) => `Change the category to ${c} for ${noun}`,
      (noun) => `Set the category of ${noun} to ${c}`,
      (noun) => `Move ${noun} to the category ${c}`,
      (noun) => `Make ${c} the category of ${noun}`,
      (noun) => `Sort ${noun} into the category ${c}`,
    ],
    permits: (db, id) => isMine(db, id) && db.get(expenses, id)!.category !== category,
    apply: (db, id) => void db.update(expenses, id, { category }),
    call: (x) => `apis.split.change({id:${x},category:${c}})`,
  };
});

export const expenseActions: readonly Action[] = [
  comment,
  payShare,
  askShares,
  remove,
  recategorise,
];
