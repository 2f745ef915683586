/** Pieces of code that many hand-written solutions begin with. */

/** A cell that opens sessions of these apps. */
export function logIn(...apps: readonly string[]): string {
  return [
    "const accounts = apis.me.listAccounts().items;",
    "const passwordOf = (app) => accounts.find((account) => account.app === app).password;",
    ...apps.map((app) => `apis.${app}.login({ password: passwordOf("${app}") });`),
  ].join("\n");
}

/**
 * Statements that read all pages of a list into `name`:
 * `pages("mails", (page) => `apis.mail.list({ unread: true, ${page} })`)`.
 */
export function pages(name: string, call: (page: string) => string): string {
  return [
    `const ${name} = [];`,
    `for (let page = 1, more = true; more; page++) {`,
    `  const found = ${call("page, size: 20")};`,
    `  ${name}.push(...found.items);`,
    "  more = found.more;",
    "}",
  ].join("\n");
}

/** A text as code. */
export const quoted = (text: string): string => JSON.stringify(text);

/** Ends the task. */
export const DONE = "apis.me.finishTask({});";
export const IMPOSSIBLE = 'apis.me.finishTask({ status: "impossible" });';
