/** Accounts, and with whom the owner shares them. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  dollars,
  freeName,
  given,
  handle,
  handleOf,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  personBy,
  receiver,
} from "../shared.ts";
import { people } from "../tables.ts";
import { accountBy, available, ownAccount } from "./book.ts";
import {
  ACCOUNT_KINDS,
  type Access,
  type Account,
  accesses,
  accounts,
  cards,
  orders,
  ROLES,
} from "./tables.ts";

const accountItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  kind: z.enum(ACCOUNT_KINDS),
  balance: z.number(),
  holder: z.string(),
  role: z.enum(ROLES),
});

/** The holder is `me` or a handle. */
const view =
  (db: Reader) =>
  ({ name, id, kind, cents, holder, role }: Account) => ({
    name,
    id,
    kind,
    balance: dollars(cents),
    holder: holder === null ? "me" : handleOf(db, holder),
    role,
  });

const id = idOf("account");
const kind = z.enum(ACCOUNT_KINDS);

/** Any open account of the owner: the first, for examples. */
export function firstOwn(db: Reader): Account {
  return db.all(accounts).find((row) => row.holder === null && !row.closed)!;
}

const list = defineApi({
  summary: "List the owner's accounts and those that others share with the owner, oldest first.",
  params: z.strictObject({
    kind: kind.optional().describe("only of this kind"),
    closed: z.boolean().default(false).describe("true: the closed ones instead of the open ones"),
    ...paging,
  }),
  returns: pageOf(accountItem),
  example: () => ({ kind: "savings" as const }),
  handler: ({ db }, { kind, closed, ...page }) =>
    paged(db.where(accounts, given({ kind, closed })), page, view(db)),
});

const account = defineApi({
  summary: "Show an account, with what is available: the balance less what savings goals hold.",
  params: z.strictObject({ id }),
  returns: z.strictObject({ ...accountItem.shape, available: z.number(), closed: z.boolean() }),
  example: (db) => ({ id: firstOwn(db).id }),
  handler: ({ db }, { id }) => {
    const row = accountBy(db, id, "id");
    return { ...view(db)(row), available: dollars(available(db, row)), closed: row.closed };
  },
});

const open = defineApi({
  summary: "Open an empty account.",
  params: z.strictObject({
    name: line("name of the new account"),
    kind: kind.describe("its kind"),
  }),
  returns: accountItem,
  example: () => ({ name: "New bicycle", kind: "savings" as const }),
  handler: ({ db }, { name, kind }) => {
    freeName(db, accounts, name);
    const empty = { holder: null, role: "spend", opening: 0, cents: 0, closed: false } as const;
    return view(db)(db.insert(accounts, { name, kind, ...empty }));
  },
});

const rename = defineApi({
  summary: "Rename an account of the owner.",
  params: z.strictObject({ id, name: line("the new name") }),
  returns: accountItem,
  example: (db) => ({ id: firstOwn(db).id, name: "Main account" }),
  handler: ({ db }, { id, name }) => {
    ownAccount(db, id, "id");
    freeName(db, accounts, name, id);
    return view(db)(db.update(accounts, id, { name }));
  },
});

const close = defineApi({
  summary: "Close an account of the owner; it must be empty, without standing orders and cards.",
  params: z.strictObject({ id }),
  returns: accountItem,
  example: (db) => ({ id: emptyAccount(db).id }),
  handler: ({ db }, { id }) => {
    const row = ownAccount(db, id, "id");
    const refuse = (why: string) => {
      throw new ApiError(
        409,
        `id: expected an account that is no longer used, "${row.name}" ${why}`,
      );
    };
    if (row.cents !== 0) refuse(`has a balance of ${dollars(row.cents)}; bank.move it away first`);
    if (db.where(orders, { account: id }).some((order) => order.status !== "ended")) {
      refuse("has standing orders; bank.endOrder first");
    }
    if (db.where(cards, { account: id }).some((card) => !card.cancelled)) {
      refuse("has a card; bank.cancelCard first");
    }
    return view(db)(db.update(accounts, id, { closed: true }));
  },
});

function emptyAccount(db: Reader): Account {
  return db.all(accounts).find((row) => row.holder === null && !row.closed && row.cents === 0)!;
}

// --- access ---

const accessItem = z.strictObject({ name: z.string(), person: z.string(), role: z.enum(ROLES) });

const accessView =
  (db: Reader) =>
  ({ person, role }: Access) => {
    const known = handleOf(db, person);
    return {
      name: known === "removed" ? known : personBy(db, known, "person").name,
      person: known,
      role,
    };
  };

const current = (db: Reader, account: number) => db.where(accesses, { account, ended: false });

function accessOf(db: Reader, account: number, came: string): Access {
  const person = personBy(db, came, "person").id;
  const row = current(db, account).find((access) => access.person === person);
  if (row) return row;
  throw new ApiError(
    404,
    `person: "${came}" has no access to account ${account}; bank.share first`,
  );
}

const sharedAccount = (db: Reader) => {
  const row = db.all(accesses).find((access) => !access.ended)!;
  return { id: row.account, person: handleOf(db, row.person) };
};

const sharers = defineApi({
  summary: "List who else has access to an account of the owner, in order of being added.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(accessItem),
  example: (db) => ({ id: sharedAccount(db).id }),
  handler: ({ db }, { id, ...page }) => {
    ownAccount(db, id, "id");
    return paged(current(db, id), page, accessView(db));
  },
});

const share = defineApi({
  summary: "Give someone access to an account of the owner.",
  params: z.strictObject({
    id,
    person: handle("who gets access"),
    role: z.enum(ROLES).describe("view: see it only; spend: also move money"),
  }),
  returns: accessItem,
  example: (db) => {
    const account = firstOwn(db).id;
    const sharing = current(db, account).map((access) => access.person);
    const person = db.all(people).find((row) => !row.blocked && !sharing.includes(row.id))!;
    return { id: account, person: person.handle, role: "view" as const };
  },
  handler: ({ db }, { id, person: came, role }) => {
    ownAccount(db, id, "id");
    const person = receiver(db, came, "person").id;
    if (current(db, id).some((access) => access.person === person)) {
      throw new ApiError(409, `person: "${came}" has access already; bank.changeRole changes it`);
    }
    return accessView(db)(db.insert(accesses, { account: id, person, role, ended: false }));
  },
});

const changeRole = defineApi({
  summary: "Change what someone may do with an account of the owner.",
  params: z.strictObject({ id, person: handle("who has access"), role: z.enum(ROLES) }),
  returns: accessItem,
  example: (db) => ({ ...sharedAccount(db), role: "view" as const }),
  handler: ({ db }, { id, person, role }) => {
    ownAccount(db, id, "id");
    return accessView(db)(db.update(accesses, accessOf(db, id, person).id, { role }));
  },
});

const unshare = defineApi({
  summary: "Take someone's access to an account of the owner back.",
  params: z.strictObject({ id, person: handle("who has access") }),
  returns: accessItem,
  example: sharedAccount,
  handler: ({ db }, { id, person }) => {
    ownAccount(db, id, "id");
    return accessView(db)(db.update(accesses, accessOf(db, id, person).id, { ended: true }));
  },
});

export const accountApis = {
  accounts: list,
  account,
  openAccount: open,
  renameAccount: rename,
  closeAccount: close,
  sharers,
  share,
  changeRole,
  unshare,
};
