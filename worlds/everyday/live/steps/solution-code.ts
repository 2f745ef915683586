/**
 * Pieces of code that the solutions of live families share. `HELPERS_CODE` is a first cell: the functions that it
 * declares can be used in all later cells.
 */
import { logInCell } from "../../handmade/solution-code.ts";

export { FINISH_CODE, GIVE_UP_CODE, quote } from "../../handmade/solution-code.ts";

/**
 * Declares functions for solutions:
 * - `readAll(list)` reads all pages of a list, where `list` gets the number of the page and asks for 20 items;
 * - `waitFor(find)` waits until `find` returns something, and returns it. It logs in again after each wait, because a
 *   session lasts only twenty minutes;
 * - `handleOf(name)` finds a contact's handle by the full name;
 * - `textAfter(handle, id)` finds the first text message of somebody after the message with this id;
 * - `mailAfter(handle, id)` finds the first mail of somebody after the mail with this id, with its body;
 * - `findMail(words, subject)` finds the newest mail with these words and this beginning of its subject, with its body;
 * - `noteNamed(title)` finds a note with its text;
 * - `timesIn(text)` and `amountsIn(text)` list the times such as `10:30` and the dollars such as `$12.50` of a text.
 */
export const HELPERS_CODE = `function readAll(list) {
  const rows = [];
  for (let page = 1, more = true; more; page++) {
    const found = list(page);
    rows.push(...found.items);
    more = found.more;
  }
  return rows;
}
function waitFor(find) {
  for (let i = 0; i < 60; i++) {
    const found = find();
    if (found) return found;
    apis.me.wait({ minutes: 720 });
    logIn();
  }
  throw new Error("nothing came");
}
function handleOf(name) {
  return apis.contacts.find({ name }).items.find((person) => person.name === name).handle;
}
function textAfter(handle, id) {
  const { items } = apis.messages.conversation({ person: handle, size: 20 });
  return items.findLast((line) => line.by === "other" && line.id > id);
}
function mailAfter(handle, id) {
  const found = apis.mail.list({ from: handle, size: 20 }).items.findLast((mail) => mail.id > id);
  return found && apis.mail.show({ id: found.id });
}
function findMail(query, subject) {
  const found = readAll((page) => apis.mail.search({ query, page, size: 20 }));
  return apis.mail.show({ id: found.find((mail) => mail.subject.startsWith(subject)).id });
}
function noteNamed(title) {
  const found = readAll((page) => apis.notes.search({ query: title, page, size: 20 }));
  return apis.notes.show({ id: found.find((note) => note.title === title).id });
}
function timesIn(text) {
  return text.match(/\\b\\d\\d:\\d\\d\\b/g) ?? [];
}
function amountsIn(text) {
  return (text.match(/\\$\\d+(\\.\\d\\d)?/g) ?? []).map((amount) => Number(amount.slice(1)));
}`;

/**
 * Writes the first cell of a solution: it logs in to these apps and declares the functions of `HELPERS_CODE`. Solutions
 * write the arguments of APIs out as `{ name: value }`, without spreads, so that the dials can rename them.
 */
export function startCode(...apps: readonly string[]): string {
  const [accounts, passwordOf, ...logins] = logInCell(...apps).split("\n");
  const logIn = ["function logIn() {", ...logins.map((line) => `  ${line}`), "}", "logIn();"];
  const first = apps.length > 0 ? [accounts, passwordOf] : [];
  return [...first, ...logIn, HELPERS_CODE].join("\n");
}
