/** Scenarios about music: ratings, shared playlists, and a concert that is added to the calendar. */
import type { Reader } from "bowline/world";
import {
  artists,
  concertInvites,
  concerts,
  entries,
  playlistShares,
  playlists,
  recommendations,
  songs,
} from "../../apps/music/tables.ts";
import { events, type Person, texts } from "../../apps/tables.ts";
import { POOLS } from "../../population/name-pools.ts";
import { insertOwnEvent, insertSentText, LAST_WEEK } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask } from "../scenario.ts";
import { FINISH_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import { Changes, haveSameMembers, haveSameWords, isDone } from "../verdicts.ts";
import { findHandleCode } from "./insert-scenario-rows.ts";

const rateAndLike = defineScenario("rate-and-like", 1, (draw) => {
  const { base } = draw;
  const all = base.all(songs);
  const twins = all.filter(
    (song) =>
      !song.liked &&
      all.some(({ title, artist }) => title === song.title && artist !== song.artist),
  );
  const song = pickForTask(draw, twins);
  const stars = draw.rng.pick([2, 3, 4, 5].filter((count) => count !== song.stars));
  const artist = base.get(artists, song.artist)!.name;
  return {
    instruction: `Give "${song.title}" by ${artist} ${stars} stars and like it.`,
    goal: (db) => void db.update(songs, song.id, { stars, liked: true }),
    *solution() {
      yield `${logInCell("music")}\nconst { items } = apis.music.search({ query: ${quote(song.title)}, size: 20 });\nprint(items);`;
      yield `const { id } = items.find(({ title, artist }) => title === ${quote(song.title)} && artist === ${quote(artist)});
apis.music.rate({ id, stars: ${stars} });\napis.music.like({ id });\n${FINISH_CODE}`;
    },
    verdict: (end, start, finish) =>
      isDone(finish) &&
      new Changes(start, end).rowCount === 1 &&
      haveSameMembers([end.get(songs, song.id)], [{ ...song, stars, liked: true }]),
  };
});

const PLAYLISTS = ["On good advice", "What others play", "Worth a listen"];

const playlistFromTips = defineScenario("playlist-from-tips", 2, (draw) => {
  const [person, other] = draw.people as [Person, Person];
  const name = pickForTask(draw, PLAYLISTS);
  const known = draw.base.where(recommendations, { person: person.id }).map(({ song }) => song);
  const fresh = draw.base.all(songs).filter(({ id }) => !known.includes(id));
  const [one, two, three, sent, strange] = draw.rng.sample(fresh, 5).map(({ id }) => id);
  const recommendedSongs = (db: Reader) =>
    db.where(recommendations, { person: person.id, outgoing: false }).map(({ song }) => song);
  const role = { person: person.id, role: "listener" as const, ended: false };
  const begin = `${logInCell("music")}\n${findHandleCode(person)}
${readAllPagesCode("tips", (page) => `apis.music.recommended({ from: person, ${page} })`)}\nprint(tips);`;
  const fill = `const { id } = apis.music.createPlaylist({ name: ${quote(name)} });
for (const { songId } of tips) apis.music.addSong({ playlist: id, song: songId });`;
  return {
    instruction: `Make a new playlist called "${name}" of all the songs that ${person.name} has recommended to me, and let them listen to it.`,
    setup(db) {
      const tip = { outgoing: false, note: "", at: LAST_WEEK };
      for (const song of [one!, two!, three!])
        db.insert(recommendations, { ...tip, song, person: person.id });
      db.insert(recommendations, { ...tip, song: sent!, person: person.id, outgoing: true });
      db.insert(recommendations, { ...tip, song: strange!, person: other.id });
    },
    goal(db) {
      const own = { description: "", person: null, role: "editor" } as const;
      const playlist = db.insert(playlists, { name, ...own, removed: false, left: false }).id;
      for (const song of recommendedSongs(db))
        db.insert(entries, { playlist, song, person: null, slot: null, removed: false });
      db.insert(playlistShares, { playlist, ...role });
    },
    *solution() {
      yield begin;
      yield `${fill}\napis.music.sharePlaylist({ id, person });\n${FINISH_CODE}`;
    },
    alternatives: [
      function* () {
        yield begin;
        yield `${fill}\napis.music.sharePlaylist({ id, person, role: "editor" });
apis.music.setRole({ id, person, role: "listener" });\n${FINISH_CODE}`;
      },
    ],
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [playlist, ...more] = changes.addedRows(playlists);
      if (!isDone(finish) || !playlist || more.length > 0) return false;
      const inside = end.where(entries, { playlist: playlist.id, removed: false });
      const full = haveSameMembers(
        inside.map(({ song }) => song),
        recommendedSongs(start),
      );
      const guests = end.where(playlistShares, { playlist: playlist.id }).map((row) => {
        return [row.person, row.role, row.ended];
      });
      const heard = haveSameMembers(guests, [[person.id, "listener", false]]);
      const right = haveSameWords(playlist.name, name) && playlist.description === "";
      return full && heard && right && changes.rowCount === inside.length + 2;
    },
  };
});

const concertEvening = defineScenario("concert-evening", 3, (draw) => {
  const [guest] = draw.people as [Person];
  const city = pickForTask(draw, POOLS["test-normal"].cities);
  const followed = draw.base.where(artists, { followed: true });
  const [first, second, third] = draw.rng.sample(followed, 3);
  const stranger = draw.rng.pick(draw.base.where(artists, { followed: false }));
  const cents = draw.rng.integer(1110, 1340);
  const [day, time] = [`2026-04-${draw.rng.integer(10, 29)}`, `${draw.rng.integer(18, 21)}:15`];
  return {
    instruction: `I would like to hear an artist whom I follow in ${city}. Mark the cheapest such concert that is still to come, invite ${guest.name} to it, and put it into my calendar with just the artist's name as the title.`,
    setup(db) {
      const insertConcert = (artist: number, price: number, when: string) => {
        const where = { venue: "Old Gasworks", city, day: when, time, interested: false };
        db.insert(concerts, { artist, cents: price, ...where });
      };
      insertConcert(first!.id, cents - 300, "2026-03-02");
      insertConcert(stranger.id, cents - 200, day);
      insertConcert(second!.id, cents + 90, "2026-03-28");
      insertConcert(first!.id, cents, day);
      insertConcert(third!.id, cents + 45, "2026-05-02");
    },
    goal(db) {
      const [concert] = db.where(concerts, { city, cents, day });
      db.update(concerts, concert!.id, { interested: true });
      db.insert(concertInvites, { concert: concert!.id, person: guest.id, withdrawn: false });
      insertOwnEvent(db, first!.name, day, time);
    },
    *solution() {
      yield `${logInCell("music")}\n${findHandleCode(guest)}
${readAllPagesCode("followed", (page) => `apis.music.artists({ followed: true, ${page} })`)}
${readAllPagesCode("coming", (page) => `apis.music.concerts({ city: "${city}", since: "2026-03-12", ${page} })`)}`;
      yield `const names = followed.map(({ name }) => name);
const [best] = coming.filter(({ artist }) => names.includes(artist)).sort((a, b) => a.price - b.price);
apis.music.markConcert({ id: best.id });
apis.music.invite({ id: best.id, person });
apis.calendar.add({ title: best.artist, day: best.day, time: best.time });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [marked] = changes.changedRows(concerts).map(({ after }) => after);
      const [invite] = changes.addedRows(concertInvites);
      const [event] = changes.addedRows(events);
      if (!isDone(finish) || changes.rowCount !== 3 || !marked || !invite || !event) return false;
      const isFollowed = (artist: number) => start.get(artists, artist)!.followed;
      const rivals = start
        .where(concerts, { city })
        .filter((row) => row.day > "2026-03-12" && isFollowed(row.artist) && row.id !== marked.id);
      const cheap = rivals.every((row) => row.cents > marked.cents) && isFollowed(marked.artist);
      const here = marked.city === city && marked.day > "2026-03-12" && marked.interested;
      const asked = invite.concert === marked.id && invite.person === guest.id && !invite.withdrawn;
      const name = end.get(artists, marked.artist)!.name;
      const noted = haveSameWords(event.title, name) && event.day === marked.day && !event.host;
      return cheap && here && asked && noted && event.time === marked.time && !event.cancelled;
    },
  };
});

const MIXES = ["Songs for the barn", "Evening by the stove", "Long table mix"];

const thinOutPlaylist = defineScenario("thin-out-playlist", 3, (draw) => {
  const [personA, personB, personC, personD] = draw.people as [Person, Person, Person, Person];
  const name = pickForTask(draw, MIXES);
  const text = `I have thinned out our playlist "${name}".`;
  const drawSongsByStars = (starsFit: (stars: number | null) => boolean, count: number) =>
    draw.rng
      .sample(
        draw.base.all(songs).filter(({ stars }) => starsFit(stars)),
        count,
      )
      .map(({ id }) => id);
  const isLowRating = (stars: number | null) => stars !== null && stars < 3;
  const [gone, ...weak] = drawSongsByStars(isLowRating, 4);
  const strong = [
    ...drawSongsByStars((stars) => (stars ?? 0) >= 3, 4),
    ...drawSongsByStars((stars) => stars === null, 2),
  ];
  const playlistId = (db: Reader) => db.where(playlists, { name })[0]!.id;
  return {
    instruction: `Take every song out of my playlist "${name}" to which I gave fewer than three stars; songs without a rating stay. Then text "${text}" to all who may edit the playlist.`,
    setup(db) {
      const own = { description: "", person: null, role: "editor" } as const;
      const playlist = db.insert(playlists, { name, ...own, removed: false, left: false }).id;
      const insertEntry = (song: number, removed = false) =>
        db.insert(entries, { playlist, song, person: null, slot: null, removed });
      for (const song of draw.rng.shuffle([...weak, ...strong])) insertEntry(song);
      insertEntry(gone!, true);
      const insertShare = (person: Person, role: "listener" | "editor", ended = false) =>
        db.insert(playlistShares, { playlist, person: person.id, role, ended });
      insertShare(personA, "editor");
      insertShare(personB, "listener");
      insertShare(personC, "editor", true);
      insertShare(personD, "editor");
    },
    goal(db) {
      for (const { id, song } of db.where(entries, { playlist: playlistId(db), removed: false })) {
        if (weak.includes(song)) db.update(entries, id, { removed: true });
      }
      for (const person of [personA, personD]) insertSentText(db, person, text);
    },
    *solution() {
      yield `${logInCell("music")}\nconst { id } = apis.music.findPlaylists({ query: ${quote(name)} }).items[0];
${readAllPagesCode("inside", (page) => `apis.music.playlistSongs({ id, ${page} })`)}
${readAllPagesCode("guests", (page) => `apis.music.sharedWith({ id, ${page} })`)}`;
      yield `for (const { id: song, stars } of inside) {
  if (stars !== null && stars < 3) apis.music.removeSong({ playlist: id, song });
}
for (const { handle, role } of guests) {
  if (role === "editor") apis.messages.send({ to: handle, text: ${quote(text)} });
}\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const remainingEntries = end.where(entries, { playlist: playlistId(end), removed: false });
      const kept = haveSameMembers(
        remainingEntries.map(({ song }) => song),
        strong,
      );
      const sentTexts = changes
        .addedRows(texts)
        .filter((row) => row.outgoing && haveSameWords(row.text, text));
      const editors = end.where(playlistShares, { playlist: playlistId(end), role: "editor" });
      const whom = editors.filter(({ ended }) => !ended).map(({ person }) => person);
      const reached = haveSameMembers(
        sentTexts.map(({ person, replyTo }) => (replyTo === null ? person : 0)),
        whom,
      );
      return isDone(finish) && kept && reached && changes.rowCount === weak.length + whom.length;
    },
  };
});

export const musicScenarios: readonly HandmadeScenario[] = [
  rateAndLike,
  playlistFromTips,
  concertEvening,
  thinOutPlaylist,
];
