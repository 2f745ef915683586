/** The rules about what must not be the same everywhere, because an agent could memorise it. */
import { accounts, type LifeRule } from "bowline/world";
import { accounts as bankAccounts } from "../../apps/bank/tables.ts";
import { wallet } from "../../apps/tables.ts";

export const varietyRules: readonly LifeRule[] = [
  { name: "owners have different names", readVaried: ({ owner }) => owner.name },
  {
    name: "owners have different addresses",
    readVaried: ({ owner: { email, phone } }) => `${email} ${phone}`,
  },
  {
    name: "the wallet holds different amounts",
    readVaried: ({ db }) =>
      db
        .all(wallet)
        .map(({ cents }) => cents)
        .join(" "),
    variesByScenario: true,
  },
  {
    name: "the bank holds different amounts",
    readVaried: ({ db }) => db.where(bankAccounts, { name: "Everyday" })[0]!.cents.toString(),
    variesByScenario: true,
  },
  {
    name: "passwords are different",
    readVaried: ({ db }) =>
      db
        .all(accounts)
        .map(({ password }) => password)
        .join(" "),
    variesByScenario: true,
  },
];
