/** What can be done with artists and concerts, also in the calendar and the todo app. */
import { type Action, actions, withFriend } from "../../../../goals/index.ts";
import { type Artist, artists, type Concert, concerts } from "../../apps/music/tables.ts";
import { events } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { addTodo, elsewhere } from "./telling.ts";
import { inviteTo, isInvited } from "./writes.ts";

const artistActions = actions<Artist>(
  { kind: "artists", app: "music", table: artists },
  ({ sets, does, hard }) => ({
    follow: sets({ followed: true }, { when: ({ followed }) => !followed, api: "follow" })`
      Follow # | Start following # | Make me a follower of # | Begin to follow #
      | Let me follow # from now on`,
    unfollow: sets({ followed: false }, { when: ({ followed }) => followed, api: "unfollow" })`
      Unfollow # | Stop following # | Quit following # | Cease to follow # | Have me unfollow #`,
    "todo-artist": hard(
      does((db, { name }) => addTodo(db, `listen to ${name}`, null), {
        call: 'const o=apis.music.artist({id:x});apis.todo.add({title:"listen to "+o.name})',
      })`Put # on my todo list, each as "listen to" and the artist's name
        | Make todos of #, each of which says "listen to" and the artist's name
        | Add # to my todos, one todo an artist: "listen to" and the artist's name
        | Turn # into todos, each of the form "listen to" and the artist's name
        | Note # in my todo app, one todo an artist: "listen to" and the artist's name`,
    ),
  }),
);

const isAhead = ({ day }: Concert) => day >= TODAY;
const PLAN = "with the day and time of the concert and the artist's name as the title";
const TICKETS = `"tickets for" and the artist's name, due on the day of the concert`;

const ofConcerts = actions<Concert>(
  { kind: "concerts", app: "music", table: concerts },
  ({ sets, adds, does, drawn, hard }) => ({
    "mark-concert": drawn(({ rng }) =>
      rng.chance(0.7)
        ? sets({ interested: true }, { when: (row) => !row.interested, api: "markConcert" })`
          Mark # as interesting | Put a mark of interest on # | Set the interesting mark for #
          | Flag # as interesting to me | With a mark, note my interest in #`
        : sets({ interested: false }, { when: (row) => row.interested, api: "unmarkConcert" })`
          Take the mark of interest off # | Unmark #, so that the interesting mark is gone
          | Remove the interesting mark from # | Clear my mark of interest from #
          | No longer mark # as interesting`,
    ),
    "invite-to-concert": withFriend((friend) => {
      return does((db, { id }) => inviteTo(db, id, friend.value.id), {
        when: (row, db) => isAhead(row) && !isInvited(db, row.id, friend.value.id),
        api: "invite",
        args: `person:${friend.code}`,
      })`In the music app, invite ${friend.words} to #
        | Use the music app to invite ${friend.words} to #
        | Through the music app, invite ${friend.words} to #
        | Let the music app invite ${friend.words} to #
        | With the music app, invite ${friend.words} to #`;
    }),
    "plan-concert": hard(
      adds(
        events,
        ({ artist, day, time }, db) => {
          const title = db.get(artists, artist)!.name;
          return { title, day, time, host: null, response: "accepted", cancelled: false };
        },
        {
          when: isAhead,
          call: "const o=apis.music.concert({id:x});apis.calendar.add({title:o.artist,day:o.day,time:o.time})",
        },
      )`Put # into my calendar, ${PLAN} | Add # to my calendar, ${PLAN}
        | Enter # in my calendar, ${PLAN} | Make calendar events of #, ${PLAN}
        | Note # as events in my calendar, ${PLAN}`,
    ),
    "todo-tickets": hard(
      does(
        (db, { artist, day }) => addTodo(db, `tickets for ${db.get(artists, artist)!.name}`, day),
        {
          when: isAhead,
          call: 'const o=apis.music.concert({id:x});apis.todo.add({title:"tickets for "+o.artist,due:o.day})',
        },
      )`Make todos of #, each of which says ${TICKETS} | Put # on my todo list, each as ${TICKETS}
        | Add # to my todos, one todo a concert: ${TICKETS}
        | Turn # into todos, each of the form ${TICKETS}
        | Note # in my todo app, one todo a concert: ${TICKETS}`,
    ),
  }),
);

export const concertActions: readonly Action[] = elsewhere(
  { "todo-artist": "todo", "plan-concert": "calendar", "todo-tickets": "todo" },
  [...artistActions, ...ofConcerts],
);
