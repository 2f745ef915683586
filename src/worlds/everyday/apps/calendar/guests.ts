/** Guests of own events. */
import { z } from "zod";
import { ApiError, defineApi, type Writer } from "../../../../world/index.ts";
import { handle, idOf, paged, pageOf, paging, personBy, receiver } from "../shared.ts";
import { guests, people } from "../tables.ts";
import { eventItem, eventView, openEvent, openGuests, ownEvent } from "./events.ts";
import { invited, stranger } from "./examples.ts";

const id = idOf("own event");
const person = handle("the guest");

/** Adds the guest, also one that was uninvited before; a 409 when invited already. */
export function inviteTo(db: Writer, event: number, guest: string, param: string): void {
  const person = receiver(db, guest, param);
  const [row] = db.where(guests, { event, person: person.id });
  if (!row) db.insert(guests, { event, person: person.id, uninvited: false });
  else if (row.uninvited) db.update(guests, row.id, { uninvited: false });
  else throw new ApiError(409, `${param}: "${person.handle}" is already invited`);
}

const list = defineApi({
  summary: "List the guests of an event.",
  params: z.strictObject({ id: idOf("event"), ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), handle: z.string() })),
  example: (db) => ({ id: invited(db).id }),
  handler: ({ db }, { id, ...page }) => {
    openEvent(db, id);
    return paged(openGuests(db, id), page, (guest) => {
      const row = db.get(people, guest.person);
      return { name: row?.name ?? "removed", handle: row?.handle ?? "removed" };
    });
  },
});

const invite = defineApi({
  summary: "Invite a contact to an own event.",
  params: z.strictObject({ id, person }),
  returns: eventItem,
  example: stranger,
  handler: ({ db, now }, { id, person }) => {
    const row = ownEvent(db, id, now);
    inviteTo(db, id, person, "person");
    return eventView(row);
  },
});

const uninvite = defineApi({
  summary: "Take back the invitation of a guest.",
  params: z.strictObject({ id, person }),
  returns: eventItem,
  example: invited,
  handler: ({ db, now }, args) => {
    const row = ownEvent(db, args.id, now);
    const person = personBy(db, args.person, "person");
    const guest = openGuests(db, row.id).find((guest) => guest.person === person.id);
    if (!guest) throw new ApiError(404, `person: "${person.handle}" is not invited`);
    db.update(guests, guest.id, { uninvited: true });
    return eventView(row);
  },
});

export const guestApis = { guests: list, invite, uninvite };
