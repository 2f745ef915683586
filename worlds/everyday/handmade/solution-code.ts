/** Pieces of code that many hand-written solutions use. */

/** Writes a cell that logs in to these apps. */
export function logInCell(...apps: readonly string[]): string {
  return [
    "const accounts = apis.me.listAccounts().items;",
    "const passwordOf = (app) => accounts.find((account) => account.app === app).password;",
    ...apps.map((app) => `apis.${app}.login({ password: passwordOf("${app}") });`),
  ].join("\n");
}

/**
 * Writes statements that read all pages of a list into the variable `name`:
 * `readAllPagesCode("mails", (page) => `apis.mail.list({ unread: true, ${page} })`)`.
 */
export function readAllPagesCode(name: string, call: (page: string) => string): string {
  return [
    `const ${name} = [];`,
    `for (let page = 1, more = true; more; page++) {`,
    `  const found = ${call("page, size: 20")};`,
    `  ${name}.push(...found.items);`,
    "  more = found.more;",
    "}",
  ].join("\n");
}

/** Writes a text as a string literal of code. */
export const quote = (text: string): string => JSON.stringify(text);

/** This code finishes the task as done. */
export const FINISH_CODE = "apis.me.finishTask({});";
export const GIVE_UP_CODE = 'apis.me.finishTask({ status: "impossible" });';
