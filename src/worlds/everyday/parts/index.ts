/** What every app brings to the goal algebra. */
import type { Parts } from "../algebra/parts.ts";
import { bankParts } from "./bank/index.ts";
import { calendarParts } from "./calendar.ts";
import { mailParts } from "./mail.ts";
import { musicParts } from "./music/index.ts";
import { payParts } from "./pay/index.ts";
import { shopParts } from "./shop/index.ts";
import { splitParts } from "./split/index.ts";
import { travelParts } from "./travel/index.ts";

export const allParts: readonly Parts[] = [
  bankParts,
  calendarParts,
  mailParts,
  musicParts,
  payParts,
  shopParts,
  splitParts,
  travelParts,
];
