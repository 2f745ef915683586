/** What actions of music mean, written on tables. */
import type { Reader, Writer } from "../../../../world/index.ts";
import {
  concertInvites,
  entries,
  playlistShares,
  type Role,
  recommendations,
} from "../../apps/music/tables.ts";
import { texts, todoLists, todos } from "../../apps/tables.ts";
import { NOW } from "../../population/time.ts";

/** Instants are not content; any will do. */
const AT = NOW;

export function addEntry(db: Writer, playlist: number, song: number): void {
  db.insert(entries, { playlist, song, person: null, slot: null, removed: false });
}

export function recommendTo(db: Writer, song: number, person: number): void {
  db.insert(recommendations, { song, person, outgoing: true, note: "", at: AT });
}

export function sendText(db: Writer, person: number, text: string): void {
  const flags = { outgoing: true, replyTo: null, reaction: null, starred: false, unread: false };
  db.insert(texts, { person, text, ...flags, at: AT });
}

export function addTodo(db: Writer, title: string, due: string | null): void {
  const list = db.where(todoLists, { name: "inbox" })[0]!.id;
  db.insert(todos, { title, list, due, done: false });
}

export function activeShare(db: Reader, playlist: number, person: number) {
  return db.where(playlistShares, { playlist, person, ended: false })[0];
}

export function shareWith(db: Writer, playlist: number, person: number, role: Role): void {
  db.insert(playlistShares, { playlist, person, role, ended: false });
}

export function endShare(db: Writer, playlist: number, person: number): void {
  db.update(playlistShares, activeShare(db, playlist, person)!.id, { ended: true });
}

export const isInvited = (db: Reader, concert: number, person: number) =>
  db.where(concertInvites, { concert, person, withdrawn: false }).length > 0;

export function inviteTo(db: Writer, concert: number, person: number): void {
  db.insert(concertInvites, { concert, person, withdrawn: false });
}
