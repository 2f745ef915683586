/** What the bank brings to the goal algebra. */
import type { Parts } from "../../algebra/parts.ts";
import { walletDeeds } from "../pay/deeds.ts";
import { accountActions, accountRelations, accountsPart } from "./accounts.ts";
import { orderActions, orderRelations, ordersPart, payeesPart } from "./orders.ts";
import { budgetsPart, cardsPart, goalsPart, planActions } from "./plans.ts";
import { transactionActions, transactionRelations, transactionsPart } from "./transactions.ts";
import { bankDeeds, bankFacts, bankSources } from "./values.ts";

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
  relations: [...transactionRelations, ...accountRelations, ...orderRelations],
  actions: [...transactionActions, ...accountActions, ...orderActions, ...planActions],
  sources: bankSources,
  facts: bankFacts,
  deeds: [...bankDeeds, ...walletDeeds],
};
