/** The seven apps of `everyday/starter`. The data model is in `tables.ts`; `README.md` lists every API in one line. */
import type { App } from "bowline/world";
import { calendar } from "./calendar/index.ts";
import { contacts } from "./contacts/index.ts";
import { mail } from "./mail/index.ts";
import { messages } from "./messages/index.ts";
import { notes } from "./notes/index.ts";
import { pay } from "./pay/index.ts";
import { todo } from "./todo/index.ts";

export const apps: readonly App[] = [contacts, messages, mail, pay, notes, todo, calendar];

export { makeHandle } from "./shared.ts";
export * from "./tables.ts";
