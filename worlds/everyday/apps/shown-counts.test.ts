/** Tests the numbers that APIs show of the rows that belong to a thing: rows that ended or were taken back do not count. */
import type { Table, TableRow } from "bowline/world";
import { expect, test } from "vitest";
import { openEveryday } from "../tests/full-fixture.ts";
import * as files from "./files/tables.ts";
import * as messages from "./messages/tables.ts";
import * as music from "./music/tables.ts";
import * as photos from "./photos/tables.ts";
import * as shop from "./shop/tables.ts";
import * as split from "./split/tables.ts";
import * as todo from "./todo/tables.ts";
import * as travel from "./travel/tables.ts";

type AnyTable = Table<TableRow & { readonly [column: string]: unknown }>;
const any = (table: unknown) => table as AnyTable;

/** The API, the field with the number, and the table whose rows it counts, with what makes a row count and what not. */
const COUNTS = [
  ["shop.product", "reviews", any(shop.reviews), "product", "withdrawn", false, true],
  ["split.totals", "expenses", any(split.expenses), "group", "removed", false, true],
  ["split.expense", "comments", any(split.expenseComments), "expense", "removed", false, true],
  ["files.stat", "shares", any(files.fileShares), "file", "status", "active", "ended"],
  ["music.artist", "saved", any(music.songs), "artist", "saved", true, false],
  ["music.concert", "invited", any(music.concertInvites), "concert", "withdrawn", false, true],
  ["messages.chat", "unread", any(messages.posts), "chat", "unread", true, false],
  ["photos.show", "likes", any(photos.likes), "photo", "withdrawn", false, true],
  ["photos.show", "comments", any(photos.comments), "photo", "withdrawn", false, true],
  ["photos.show", "edits", any(photos.edits), "photo", "reverted", false, true],
  ["travel.trip", "companions", any(travel.companions), "trip", "left", false, true],
  ["travel.trip", "bookings", any(travel.bookings), "trip", "status", "booked", "cancelled"],
  ["todo.details", "openSteps", any(todo.steps), "todo", "done", false, true],
] as const;

test.each(COUNTS)("%s shows as %s only the rows that still count", (...line) => {
  const [api, field, table, reference, column, counts, not] = line;
  const { db, item } = openEveryday();
  const row = db.where(table, { [column]: counts }).find((one) => one[reference] !== null)!;
  const id = row[reference] as number;
  const keys = api === "messages.chat" ? { chat: db.get(messages.chats, id)!.name } : { id };
  const shown = () => item(api, keys)[field] as number;
  const before = shown();
  expect(before).toBeGreaterThan(0);
  db.update(table, row.id, { [column]: not });
  expect(shown()).toBe(before - 1);
  const { id: _, ...copy } = row;
  db.insert(table, copy);
  expect(shown()).toBe(before);
});
