/** The families of `everyday/live`, in the order in which they take turns. */
import type { Family } from "../family.ts";
import { approvedPurchase } from "./approved-purchase.ts";
import { borrowAThing } from "./borrow-a-thing.ts";
import { dinnerForSeveral } from "./dinner-for-several.ts";
import { fetchedByAFriend } from "./fetched-by-a-friend.ts";
import { helpersWithCosts } from "./helpers-with-costs.ts";
import { invoicesOfTheMonth } from "./invoices-of-the-month.ts";
import { lateTrain } from "./late-train.ts";
import { moneyForSome } from "./money-for-some.ts";
import { outingInThreeDays } from "./outing-in-three-days.ts";
import { presentWithLeave } from "./present-with-leave.ts";
import { repairVisit } from "./repair-visit.ts";
import { sharedTripCosts } from "./shared-trip-costs.ts";
import { tripWithLeave } from "./trip-with-leave.ts";
import { whoMayKnow } from "./who-may-know.ts";

export const liveFamilies: readonly Family[] = [
  borrowAThing,
  repairVisit,
  dinnerForSeveral,
  approvedPurchase,
  sharedTripCosts,
  lateTrain,
  moneyForSome,
  invoicesOfTheMonth,
  whoMayKnow,
  fetchedByAFriend,
  presentWithLeave,
  outingInThreeDays,
  tripWithLeave,
  helpersWithCosts,
];
