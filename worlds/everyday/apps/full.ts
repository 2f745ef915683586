/** The fourteen apps of the Everyday world. Seven of them are the starter's apps with more tables and APIs. */
import type { App } from "bowline/world";
import { bank } from "./bank/index.ts";
import { fullCalendar } from "./calendar/full.ts";
import { fullContacts } from "./contacts/full.ts";
import { files } from "./files/index.ts";
import { fullMail } from "./mail/full.ts";
import { fullMessages } from "./messages/full.ts";
import { music } from "./music/index.ts";
import { fullNotes } from "./notes/full.ts";
import { fullPay } from "./pay/full.ts";
import { photos } from "./photos/index.ts";
import { shop } from "./shop/index.ts";
import { split } from "./split/index.ts";
import { fullTodo } from "./todo/full.ts";
import { travel } from "./travel/index.ts";

export const fullApps: readonly App[] = [
  fullContacts,
  fullMessages,
  fullMail,
  fullCalendar,
  fullPay,
  bank,
  split,
  shop,
  travel,
  music,
  photos,
  files,
  fullNotes,
  fullTodo,
];
