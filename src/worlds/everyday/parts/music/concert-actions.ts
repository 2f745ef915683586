/** What can be done with artists and concerts, also in the calendar and the todo app. */
import type { Action } from "../../../../goals/index.ts";
import { artists, concerts } from "../../apps/music/tables.ts";
import { events } from "../../apps/tables.ts";
import { TODAY } from "./looks.ts";
import { addTodo, inviteTo, isInvited } from "./writes.ts";

// --- artists ---

const follow: Action = {
  name: "follow",
  kind: "artists",
  app: "music",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Follow ${noun}`,
      (noun) => `Start following ${noun}`,
      (noun) => `Make me a follower of ${noun}`,
      (noun) => `Begin to follow ${noun}`,
      (noun) => `Let me follow ${noun} from now on`,
    ],
    permits: (db, id) => !db.get(artists, id)!.followed,
    apply: (db, id) => {
      db.update(artists, id, { followed: true });
    },
    call: (x) => `apis.music.follow({id:${x}})`,
  }),
};

const unfollow: Action = {
  name: "unfollow",
  kind: "artists",
  app: "music",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Unfollow ${noun}`,
      (noun) => `Stop following ${noun}`,
      (noun) => `Quit following ${noun}`,
      (noun) => `Cease to follow ${noun}`,
      (noun) => `Have me unfollow ${noun}`,
    ],
    permits: (db, id) => db.get(artists, id)!.followed,
    apply: (db, id) => {
      db.update(artists, id, { followed: false });
    },
    call: (x) => `apis.music.unfollow({id:${x}})`,
  }),
};

const todoArtist: Action = {
  kind: "artists",
  app: "todo",
  name: "todo-artist",
  difficulty: 2,
  draw: () => {
    const form = `"listen to" and the artist's name`;
    return {
      frames: [
        (noun) => `Put ${noun} on my todo list, each as ${form}`,
        (noun) => `Make todos of ${noun}, each of which says ${form}`,
        (noun) => `Add ${noun} to my todos, one todo an artist: ${form}`,
        (noun) => `Turn ${noun} into todos, each of the form ${form}`,
        (noun) => `Note ${noun} in my todo app, one todo an artist: ${form}`,
      ],
      apply: (db, id) => addTodo(db, `listen to ${db.get(artists, id)!.name}`, null),
      call: (x) =>
        `const o=apis.music.artist({id:${x}});apis.todo.add({title:"listen to "+o.name})`,
    };
  },
};

// --- concerts ---

const concert = { kind: "concerts", app: "music" } as const;

const mark: Action = {
  ...concert,
  name: "mark-concert",
  difficulty: 1,
  draw: ({ rng }) => {
    const interested = rng.chance(0.7);
    return {
      frames: interested
        ? [
            (noun) => `Mark ${noun} as interesting`,
            (noun) => `Put a mark of interest on ${noun}`,
            (noun) => `Set the interesting mark for ${noun}`,
            (noun) => `Flag ${noun} as interesting to me`,
            (noun) => `With a mark, note my interest in ${noun}`,
          ]
        : [
            (noun) => `Take the mark of interest off ${noun}`,
            (noun) => `Unmark ${noun}, so that the interesting mark is gone`,
            (noun) => `Remove the interesting mark from ${noun}`,
            (noun) => `Clear my mark of interest from ${noun}`,
            (noun) => `No longer mark ${noun} as interesting`,
          ],
      permits: (db, id) => db.get(concerts, id)!.interested !== interested,
      apply: (db, id) => {
        db.update(concerts, id, { interested });
      },
      call: interested
        ? (x) => `apis.music.markConcert({id:${x}})`
        : (x) => `apis.music.unmarkConcert({id:${x}})`,
    };
  },
};

const inviteFriend: Action = {
  ...concert,
  name: "invite-to-concert",
  difficulty: 2,
  draw: (draw) => {
    const friend = draw.person();
    if (!friend) return undefined;
    return {
      frames: [
        (noun) => `In the music app, invite ${friend.words} to ${noun}`,
        (noun) => `Use the music app to invite ${friend.words} to ${noun}`,
        (noun) => `Through the music app, invite ${friend.words} to ${noun}`,
        (noun) => `Let the music app invite ${friend.words} to ${noun}`,
        (noun) => `With the music app, invite ${friend.words} to ${noun}`,
      ],
      permits: (db, id) =>
        db.get(concerts, id)!.day >= TODAY && !isInvited(db, id, friend.value.id),
      apply: (db, id) => inviteTo(db, id, friend.value.id),
      call: (x) => `apis.music.invite({id:${x},person:${friend.code}})`,
      uses: [friend],
    };
  },
};

const plan: Action = {
  kind: "concerts",
  app: "calendar",
  name: "plan-concert",
  difficulty: 2,
  draw: () => {
    const rest = "with the day and time of the concert and the artist's name as the title";
    return {
      frames: [
        (noun) => `Put ${noun} into my calendar, ${rest}`,
        (noun) => `Add ${noun} to my calendar, ${rest}`,
        (noun) => `Enter ${noun} in my calendar, ${rest}`,
        (noun) => `Make calendar events of ${noun}, ${rest}`,
        (noun) => `Note ${noun} as events in my calendar, ${rest}`,
      ],
      permits: (db, id) => db.get(concerts, id)!.day >= TODAY,
      apply: (db, id) => {
        const { artist, day, time } = db.get(concerts, id)!;
        const title = db.get(artists, artist)!.name;
        const own = { host: null, response: "accepted", cancelled: false } as const;
        db.insert(events, { title, day, time, ...own });
      },
      call: (x) =>
        `const o=apis.music.concert({id:${x}});apis.calendar.add({title:o.artist,day:o.day,time:o.time})`,
    };
  },
};

const todoTickets: Action = {
  kind: "concerts",
  app: "todo",
  name: "todo-tickets",
  difficulty: 2,
  draw: () => {
    const form = `"tickets for" and the artist's name, due on the day of the concert`;
    return {
      frames: [
        (noun) => `Make todos of ${noun}, each of which says ${form}`,
        (noun) => `Put ${noun} on my todo list, each as ${form}`,
        (noun) => `Add ${noun} to my todos, one todo a concert: ${form}`,
        (noun) => `Turn ${noun} into todos, each of the form ${form}`,
        (noun) => `Note ${noun} in my todo app, one todo a concert: ${form}`,
      ],
      permits: (db, id) => db.get(concerts, id)!.day >= TODAY,
      apply: (db, id) => {
        const { artist, day } = db.get(concerts, id)!;
        addTodo(db, `tickets for ${db.get(artists, artist)!.name}`, day);
      },
      call: (x) =>
        `const o=apis.music.concert({id:${x}});apis.todo.add({title:"tickets for "+o.artist,due:o.day})`,
    };
  },
};

export const concertActions: readonly Action[] = [
  follow,
  unfollow,
  todoArtist,
  mark,
  inviteFriend,
  plan,
  todoTickets,
];
