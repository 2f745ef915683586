/** The parts of goals that the bank app contributes. */
import type { Parts } from "bowline/goals";
import { walletDeeds } from "../pay/deeds.ts";
import { accountActions, accountRelations, accountsPart } from "./accounts.ts";
import { budgetActions, budgetsPart } from "./budgets.ts";
import { cardActions, cardsPart } from "./cards.ts";
import { bankDeeds } from "./deeds.ts";
import { goalActions, goalsPart } from "./goals.ts";
import { orderActions, orderRelations, ordersPart } from "./orders.ts";
import { payeeActions, payeeRelations, payeesPart } from "./payees.ts";
import { bankFacts, bankSources } from "./sources-and-facts.ts";
import { transactionActions, transactionRelations, transactionsPart } from "./transactions.ts";

export const bankParts: Parts = {
  collections: [
    transactionsPart,
    accountsPart,
    ordersPart,
    payeesPart,
    cardsPart,
    goalsPart,
    budgetsPart,
  ],
  relations: [...transactionRelations, ...accountRelations, ...orderRelations, ...payeeRelations],
  actions: [
    ...transactionActions,
    ...accountActions,
    ...orderActions,
    ...payeeActions,
    ...cardActions,
    ...goalActions,
    ...budgetActions,
  ],
  sources: bankSources,
  facts: bankFacts,
  deeds: [...bankDeeds, ...walletDeeds],
};
