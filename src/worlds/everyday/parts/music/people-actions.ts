/** What music offers to do with people: songs recommended, playlists shared, invitations to a concert. */
import { type Action, actions, using } from "../../../../goals/index.ts";
import { type Person, people } from "../../apps/tables.ts";
import { concertValue, songValue } from "./looks.ts";
import { admitting, isWelcome } from "./sharing.ts";
import { inviteTo, isInvited, recommendTo, shared } from "./writes.ts";

export const peopleActions: readonly Action[] = actions<Person>(
  { kind: "people", app: "music", table: people, difficulty: 2 },
  (kit) => ({
    "recommend-song": using(songValue, ({ value, words, code }) => {
      return kit.does((db, { id }) => recommendTo(db, value.id, id), {
        when: isWelcome,
        call: `apis.music.recommend({song:${code},to:x})`,
      })`In the music app, recommend ${words} to # | Use the music app to recommend ${words} to #
        | Through the music app, recommend ${words} to # | Let the music app recommend ${words} to #
        | With the music app, recommend ${words} to #`;
    }),
    ...admitting(kit, shared),
    "take-to-concert": using(concertValue, ({ value, words, code }) => {
      return kit.does((db, { id }) => inviteTo(db, value.id, id), {
        when: (row, db) => isWelcome(row) && !isInvited(db, value.id, row.id),
        call: `apis.music.invite({id:${code},person:x})`,
      })`In the music app, invite # to ${words} | Use the music app to invite # to ${words}
        | Through the music app, invite # to ${words} | Let the music app invite # to ${words}
        | With the music app, invite # to ${words}`;
    }),
  }),
);
