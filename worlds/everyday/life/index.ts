/** The owner's life and its traces in all apps. */
import type { Rng, Writer } from "bowline/world";
import { addBank } from "./bank.ts";
import { addCalendar } from "./calendar.ts";
import { addContacts } from "./contacts.ts";
import { addFiles } from "./files.ts";
import type { Life } from "./life.ts";
import { addOutsideMail } from "./mail/outside.ts";
import { addMail } from "./mail.ts";
import { addMessages } from "./messages.ts";
import { addMusic } from "./music.ts";
import { addNotes } from "./notes.ts";
import { addPay } from "./pay.ts";
import { addPhotos } from "./photos.ts";
import { addShop } from "./shop.ts";
import { addSplit } from "./split.ts";
import { addTodos } from "./todo.ts";
import { addTravel } from "./travel.ts";

export * from "./life.ts";

/**
 * The functions that write the traces of each app. The bank comes before pay, because top-ups of the wallet come from
 * the bank's cards. Mail from companies comes last, because it is about what the bank booked.
 */
const WRITERS: { readonly [app: string]: (db: Writer, rng: Rng, life: Life) => void } = {
  contacts: addContacts,
  messages: addMessages,
  mail: addMail,
  calendar: addCalendar,
  bank: addBank,
  pay: addPay,
  split: addSplit,
  shop: addShop,
  travel: addTravel,
  music: addMusic,
  photos: addPhotos,
  files: addFiles,
  notes: addNotes,
  todo: addTodos,
  "outside mail": addOutsideMail,
};

/**
 * Writes the traces of the owner's life in all apps, in order. Each app has its own random stream, so that a change in
 * one app does not change the random rows of another app.
 */
export function addTraces(db: Writer, rng: Rng, life: Life): void {
  for (const [app, write] of Object.entries(WRITERS)) write(db, rng.child(app), life);
}
