/** The parts of goals of all apps. */
import type { Parts } from "bowline/goals";
import { bankParts } from "./bank/index.ts";
import { calendarParts } from "./calendar.ts";
import { contactsParts } from "./contacts/index.ts";
import { filesParts } from "./files.ts";
import { mailParts } from "./mail.ts";
import { messagesParts } from "./messages/index.ts";
import { musicParts } from "./music/index.ts";
import { notesParts } from "./notes.ts";
import { payParts } from "./pay/index.ts";
import { photosParts } from "./photos/index.ts";
import { shopParts } from "./shop/index.ts";
import { splitParts } from "./split/index.ts";
import { todoParts } from "./todo.ts";
import { travelParts } from "./travel/index.ts";

export const allParts: readonly Parts[] = [
  bankParts,
  calendarParts,
  contactsParts,
  filesParts,
  mailParts,
  messagesParts,
  musicParts,
  notesParts,
  payParts,
  photosParts,
  shopParts,
  splitParts,
  todoParts,
  travelParts,
];
