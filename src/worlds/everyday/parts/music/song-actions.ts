/** What can be done with songs. */
import { type Action, actions, using, withFriend } from "../../../../goals/index.ts";
import { entries, queue, type Song, songs } from "../../apps/music/tables.ts";
import { artistOf, holdsSong, playlistValue } from "./looks.ts";
import { addTodo, elsewhere, telling } from "./telling.ts";
import { addEntry, recommendTo } from "./writes.ts";

const ANY = "like rate add-to-playlist recommend text-song-title";

/** What the library holds, what it does not hold yet, and what waits in the queue: kinds of their own. */
const OF_KIND: { readonly [kind: string]: string } = {
  songs: `${ANY} unlike unsave remove-from-playlist enqueue todo-song`,
  "new-songs": `${ANY} save enqueue todo-song`,
  "queued-songs": `${ANY} unqueue`,
};

const anySong = (kind: string) =>
  actions<Song>({ kind, app: "music", table: songs }, (kit) => {
    const { sets, adds, does, drawn, hard } = kit;
    return {
      like: sets({ liked: true }, { when: ({ liked }) => !liked, api: "like" })`
        Like # | Give a like to # | Put a like on # | Mark # as liked | Set a like for #`,
      rate: drawn(({ rng }) => {
        const stars = rng.integer(1, 5);
        const many = stars === 1 ? "1 star" : `${stars} stars`;
        const when = (row: Song) => row.stars !== stars;
        return sets({ stars }, { when, api: "rate", args: `stars:${stars}` })`
          Rate # with ${many} | Give ${many} to # | Set my rating of # to ${many}
          | Award ${many} to # | Put down a rating of ${many} for #`;
      }),
      "add-to-playlist": using(playlistValue, ({ value, words, code }) => {
        return does((db, { id }) => addEntry(db, value.id, id), {
          when: ({ id }, db) => !holdsSong(db, value.id, id),
          call: `apis.music.addSong({playlist:${code},song:x})`,
        })`Add # to ${words} | Put # into ${words} | Place # at the end of ${words}
          | Append # to ${words} | Include # in ${words}`;
      }),
      recommend: withFriend((friend) => {
        return does((db, { id }) => recommendTo(db, id, friend.value.id), {
          call: `apis.music.recommend({song:x,to:${friend.code}})`,
        })`In the music app, recommend # to ${friend.words}
          | Use the music app to recommend # to ${friend.words}
          | Through the music app, recommend # to ${friend.words}
          | Let the music app recommend # to ${friend.words}
          | With the music app, recommend # to ${friend.words}`;
      }),
      "text-song-title": telling(kit, { thing: "song", property: "title", api: "music.song" }),
      unlike: sets({ liked: false }, { when: ({ liked }) => liked, api: "unlike" })`
        Take back my like from # | Remove my like from # | Withdraw my like from # | Unlike #
        | Undo my like of #`,
      unsave: sets({ saved: false }, { when: ({ saved }) => saved, api: "unsave" })`
        Take # out of my music library | Remove # from my music library
        | Drop # from my music library | Delete # from my music library
        | Clear # out of my music library`,
      "remove-from-playlist": using(playlistValue, ({ value: { id: playlist }, words, code }) => {
        return does(
          (db, { id: song }) => {
            const [entry] = db.where(entries, { playlist, song, removed: false });
            db.update(entries, entry!.id, { removed: true });
          },
          {
            when: ({ id }, db) => holdsSong(db, playlist, id),
            call: `apis.music.removeSong({playlist:${code},song:x})`,
          },
        )`Take # out of ${words} | Remove # from ${words} | Drop # from ${words}
          | Delete # from ${words} | Throw # out of ${words}`;
      }),
      save: sets({ saved: true }, { when: ({ saved }) => !saved, api: "save" })`
        Save # to my music library | Put # into my music library | Add # to my music library
        | Take # into my music library | Store # in my music library`,
      enqueue: adds(queue, ({ id: song }) => ({ song, slot: null }), {
        when: ({ id: song }, db) => db.where(queue, { song }).length === 0,
        call: "apis.music.enqueue({song:x})",
      })`Put # into my music queue | Add # to my music queue | Queue # in my music player
        | Enqueue # in my music player | Append # to my music queue`,
      unqueue: does((db, { id: song }) => db.remove(queue, db.where(queue, { song })[0]!.id), {
        when: ({ id: song }, db) => db.where(queue, { song }).length > 0,
        call: "apis.music.unqueue({song:x})",
      })`Take # out of the queue | Remove # from the queue | Drop # from the queue
        | Delete # from the queue | Clear # out of the queue`,
      "todo-song": hard(
        does((db, { id, title }) => addTodo(db, `${title} by ${artistOf(db, id).name}`, null), {
          call: 'const o=apis.music.song({id:x});apis.todo.add({title:o.title+" by "+o.artist})',
        })`Make todos of #, each written as "Title by Artist"
          | Put # on my todo list, each written as "Title by Artist"
          | Add # to my todos, one todo a song, written as "Title by Artist"
          | Turn # into todos, each of the form "Title by Artist"
          | Note down # as todos, each in the form "Title by Artist"`,
      ),
    };
  });

export const songActions: readonly Action[] = Object.entries(OF_KIND).flatMap(([kind, names]) =>
  elsewhere(
    { "text-song-title": "messages", "todo-song": "todo" },
    anySong(kind).filter(({ name }) => names.split(" ").includes(name)),
  ),
);
