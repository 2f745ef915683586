/** What can be done with songs. */
import type { Action } from "../../../../goals/index.ts";
import { entries, queue, songs } from "../../apps/music/tables.ts";
import { artistOf, holdsSong, playlistValue } from "./looks.ts";
import { addEntry, addTodo, recommendTo, sendText } from "./writes.ts";

/** What the library holds, what it does not hold yet, and what waits in the queue: kinds of their own. */
const SONG_KINDS = ["songs", "new-songs", "queued-songs"] as const;
type SongKind = (typeof SONG_KINDS)[number];

const like = (kind: SongKind): Action => ({
  kind,
  app: "music",
  name: "like",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Like ${noun}`,
      (noun) => `Give a like to ${noun}`,
      (noun) => `Put a like on ${noun}`,
      (noun) => `Mark ${noun} as liked`,
      (noun) => `Set a like for ${noun}`,
    ],
    permits: (db, id) => !db.get(songs, id)!.liked,
    apply: (db, id) => {
      db.update(songs, id, { liked: true });
    },
    call: (x) => `apis.music.like({id:${x}})`,
  }),
});

const unlike = (kind: SongKind): Action => ({
  kind,
  app: "music",
  name: "unlike",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Take back my like from ${noun}`,
      (noun) => `Remove my like from ${noun}`,
      (noun) => `Withdraw my like from ${noun}`,
      (noun) => `Unlike ${noun}`,
      (noun) => `Undo my like of ${noun}`,
    ],
    permits: (db, id) => db.get(songs, id)!.liked,
    apply: (db, id) => {
      db.update(songs, id, { liked: false });
    },
    call: (x) => `apis.music.unlike({id:${x}})`,
  }),
});

const rate = (kind: SongKind): Action => ({
  kind,
  app: "music",
  name: "rate",
  difficulty: 1,
  draw: ({ rng }) => {
    const stars = rng.integer(1, 5);
    const many = stars === 1 ? "1 star" : `${stars} stars`;
    return {
      frames: [
        (noun) => `Rate ${noun} with ${many}`,
        (noun) => `Give ${many} to ${noun}`,
        (noun) => `Set my rating of ${noun} to ${many}`,
        (noun) => `Award ${many} to ${noun}`,
        (noun) => `Put down a rating of ${many} for ${noun}`,
      ],
      permits: (db, id) => db.get(songs, id)!.stars !== stars,
      apply: (db, id) => {
        db.update(songs, id, { stars });
      },
      call: (x) => `apis.music.rate({id:${x},stars:${stars}})`,
    };
  },
});

const save = (kind: SongKind): Action => ({
  kind,
  app: "music",
  name: "save",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Save ${noun} to my music library`,
      (noun) => `Put ${noun} into my music library`,
      (noun) => `Add ${noun} to my music library`,
      (noun) => `Take ${noun} into my music library`,
      (noun) => `Store ${noun} in my music library`,
    ],
    permits: (db, id) => !db.get(songs, id)!.saved,
    apply: (db, id) => {
      db.update(songs, id, { saved: true });
    },
    call: (x) => `apis.music.save({id:${x}})`,
  }),
});

const unsave = (kind: SongKind): Action => ({
  kind,
  app: "music",
  name: "unsave",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Take ${noun} out of my music library`,
      (noun) => `Remove ${noun} from my music library`,
      (noun) => `Drop ${noun} from my music library`,
      (noun) => `Delete ${noun} from my music library`,
      (noun) => `Clear ${noun} out of my music library`,
    ],
    permits: (db, id) => db.get(songs, id)!.saved,
    apply: (db, id) => {
      db.update(songs, id, { saved: false });
    },
    call: (x) => `apis.music.unsave({id:${x}})`,
  }),
});

const addToPlaylist = (kind: SongKind): Action => ({
  kind,
  app: "music",
  name: "add-to-playlist",
  difficulty: 2,
  draw: (draw) => {
    const list = playlistValue(draw);
    if (!list) return undefined;
    return {
      frames: [
        (noun) => `Add ${noun} to ${list.words}`,
        (noun) => `Put ${noun} into ${list.words}`,
        (noun) => `Place ${noun} at the end of ${list.words}`,
        (noun) => `Append ${noun} to ${list.words}`,
        (noun) => `Include ${noun} in ${list.words}`,
      ],
      permits: (db, id) => !holdsSong(db, list.value.id, id),
      apply: (db, id) => addEntry(db, list.value.id, id),
      call: (x) => `apis.music.addSong({playlist:${list.code},song:${x}})`,
      uses: [list],
    };
  },
});

const removeFromPlaylist = (kind: SongKind): Action => ({
  kind,
  app: "music",
  name: "remove-from-playlist",
  difficulty: 2,
  draw: (draw) => {
    const list = playlistValue(draw);
    if (!list) return undefined;
    return {
      frames: [
        (noun) => `Take ${noun} out of ${list.words}`,
        (noun) => `Remove ${noun} from ${list.words}`,
        (noun) => `Drop ${noun} from ${list.words}`,
        (noun) => `Delete ${noun} from ${list.words}`,
        (noun) => `Throw ${noun} out of ${list.words}`,
      ],
      permits: (db, id) => holdsSong(db, list.value.id, id),
      apply: (db, id) => {
        const [entry] = db.where(entries, { playlist: list.value.id, song: id, removed: false });
        db.update(entries, entry!.id, { removed: true });
      },
      call: (x) => `apis.music.removeSong({playlist:${list.code},song:${x}})`,
      uses: [list],
    };
  },
});

const enqueue = (kind: SongKind): Action => ({
  kind,
  app: "music",
  name: "enqueue",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Put ${noun} into my music queue`,
      (noun) => `Add ${noun} to my music queue`,
      (noun) => `Queue ${noun} in my music player`,
      (noun) => `Enqueue ${noun} in my music player`,
      (noun) => `Append ${noun} to my music queue`,
    ],
    permits: (db, id) => db.where(queue, { song: id }).length === 0,
    apply: (db, id) => {
      db.insert(queue, { song: id, slot: null });
    },
    call: (x) => `apis.music.enqueue({song:${x}})`,
  }),
});

const unqueue = (kind: SongKind): Action => ({
  kind,
  app: "music",
  name: "unqueue",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Take ${noun} out of the queue`,
      (noun) => `Remove ${noun} from the queue`,
      (noun) => `Drop ${noun} from the queue`,
      (noun) => `Delete ${noun} from the queue`,
      (noun) => `Clear ${noun} out of the queue`,
    ],
    permits: (db, id) => db.where(queue, { song: id }).length > 0,
    apply: (db, id) => {
      db.remove(queue, db.where(queue, { song: id })[0]!.id);
    },
    call: (x) => `apis.music.unqueue({song:${x}})`,
  }),
});

const recommend = (kind: SongKind): Action => ({
  kind,
  app: "music",
  name: "recommend",
  difficulty: 2,
  draw: (draw) => {
    const friend = draw.person();
    if (!friend) return undefined;
    return {
      frames: [
        (noun) => `In the music app, recommend ${noun} to ${friend.words}`,
        (noun) => `Use the music app to recommend ${noun} to ${friend.words}`,
        (noun) => `Through the music app, recommend ${noun} to ${friend.words}`,
        (noun) => `Let the music app recommend ${noun} to ${friend.words}`,
        (noun) => `With the music app, recommend ${noun} to ${friend.words}`,
      ],
      apply: (db, id) => recommendTo(db, id, friend.value.id),
      call: (x) => `apis.music.recommend({song:${x},to:${friend.code}})`,
      uses: [friend],
    };
  },
});

const textTitle = (kind: SongKind): Action => ({
  kind,
  app: "messages",
  name: "text-song-title",
  difficulty: 2,
  draw: (draw) => {
    const friend = draw.person();
    if (!friend) return undefined;
    const rest = "a message for each song that says its title and nothing else";
    return {
      frames: [
        (noun) => `Tell ${friend.words} about ${noun}: ${rest}`,
        (noun) => `Let ${friend.words} know of ${noun} by ${rest}`,
        (noun) => `Text ${friend.words} about ${noun}, ${rest}`,
        (noun) => `Message ${friend.words} about ${noun}, with ${rest}`,
        (noun) => `Inform ${friend.words} of ${noun}, by ${rest}`,
      ],
      apply: (db, id) => sendText(db, friend.value.id, db.get(songs, id)!.title),
      call: (x) =>
        `const o=apis.music.song({id:${x}});apis.messages.send({to:${friend.code},text:o.title})`,
      uses: [friend],
    };
  },
});

const todoListen = (kind: SongKind): Action => ({
  kind,
  app: "todo",
  name: "todo-song",
  difficulty: 2,
  draw: () => {
    const form = `"Title by Artist"`;
    return {
      frames: [
        (noun) => `Make todos of ${noun}, each written as ${form}`,
        (noun) => `Put ${noun} on my todo list, each written as ${form}`,
        (noun) => `Add ${noun} to my todos, one todo a song, written as ${form}`,
        (noun) => `Turn ${noun} into todos, each of the form ${form}`,
        (noun) => `Note down ${noun} as todos, each in the form ${form}`,
      ],
      apply: (db, id) => {
        addTodo(db, `${db.get(songs, id)!.title} by ${artistOf(db, id).name}`, null);
      },
      call: (x) =>
        `const o=apis.music.song({id:${x}});apis.todo.add({title:o.title+" by "+o.artist})`,
    };
  },
});

const ANY = [like, rate, addToPlaylist, recommend, textTitle];

const OF_KIND: { readonly [K in SongKind]: readonly ((kind: SongKind) => Action)[] } = {
  songs: [...ANY, unlike, unsave, removeFromPlaylist, enqueue, todoListen],
  "new-songs": [...ANY, save, enqueue, todoListen],
  "queued-songs": [...ANY, unqueue],
};

export const songActions: readonly Action[] = SONG_KINDS.flatMap((kind) =>
  OF_KIND[kind].map((action) => action(kind)),
);
