/** Music: stars, playlists with others, and a concert that goes into the calendar. */
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
import { DONE, logIn, pages, quoted } from "../cells.ts";
import { Changes, sameMembers, sameWords, silent } from "../changes.ts";
import { LAST_WEEK, ownEvent, sentText } from "../rows.ts";
import { errand, type HandmadeScenario, turn } from "../scenario.ts";
import { handleFrom } from "./plants.ts";

const rateAndLike = errand("rate-and-like", 1, (draw) => {
  const { base } = draw;
  const all = base.all(songs);
  const twins = all.filter(
    (song) =>
      !song.liked &&
      all.some(({ title, artist }) => title === song.title && artist !== song.artist),
  );
  const song = turn(draw, twins);
  const stars = draw.rng.pick([2, 3, 4, 5].filter((count) => count !== song.stars));
  const artist = base.get(artists, song.artist)!.name;
  return {
    instruction: `Give "${song.title}" by ${artist} ${stars} stars and like it.`,
    goal: (db) => void db.update(songs, song.id, { stars, liked: true }),
    *solution() {
      yield `${logIn("music")}\nconst { items } = apis.music.search({ query: ${quoted(song.title)}, size: 20 });\nprint(items);`;
      yield `const { id } = items.find(({ title, artist }) => title === ${quoted(song.title)} && artist === ${quoted(artist)});
apis.music.rate({ id, stars: ${stars} });\napis.music.like({ id });\n${DONE}`;
    },
    verdict: (end, start, finish) =>
      silent(finish) &&
      new Changes(start, end).count === 1 &&
      sameMembers([end.get(songs, song.id)], [{ ...song, stars, liked: true }]),
  };
});

const PLAYLISTS = ["On good advice", "What others play", "Worth a listen"];

const playlistFromTips = errand("playlist-from-tips", 2, (draw) => {
  const [person, other] = draw.people as [Person, Person];
  const name = turn(draw, PLAYLISTS);
  const known = draw.base.where(recommendations, { person: person.id }).map(({ song }) => song);
  const fresh = draw.base.all(songs).filter(({ id }) => !known.includes(id));
  const [one, two, three, sent, strange] = draw.rng.sample(fresh, 5).map(({ id }) => id);
  const tipsOf = (db: Reader) =>
    db.where(recommendations, { person: person.id, outgoing: false }).map(({ song }) => song);
  const role = { person: person.id, role: "listener" as const, ended: false };
  const begin = `${logIn("music")}\n${handleFrom(person)}
${pages("tips", (page) => `apis.music.recommended({ from: person, ${page} })`)}\nprint(tips);`;
  const fill = `const { id } = apis.music.createPlaylist({ name: ${quoted(name)} });
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
      for (const song of tipsOf(db))
        db.insert(entries, { playlist, song, person: null, slot: null, removed: false });
      db.insert(playlistShares, { playlist, ...role });
    },
    *solution() {
      yield begin;
      yield `${fill}\napis.music.sharePlaylist({ id, person });\n${DONE}`;
    },
    alternatives: [
      function* () {
        yield begin;
        yield `${fill}\napis.music.sharePlaylist({ id, person, role: "editor" });
apis.music.setRole({ id, person, role: "listener" });\n${DONE}`;
      },
    ],
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const [playlist, ...more] = seen.added(playlists);
      if (!silent(finish) || !playlist || more.length > 0) return false;
      const inside = end.where(entries, { playlist: playlist.id, removed: false });
      const full = sameMembers(
        inside.map(({ song }) => song),
        tipsOf(start),
      );
      const guests = end.where(playlistShares, { playlist: playlist.id }).map((row) => {
        return [row.person, row.role, row.ended];
      });
      const heard = sameMembers(guests, [[person.id, "listener", false]]);
      const right = sameWords(playlist.name, name) && playlist.description === "";
      return full && heard && right && seen.count === inside.length + 2;
    },
  };
});

const concertEvening = errand("concert-evening", 3, (draw) => {
  const [guest] = draw.people as [Person];
  const city = turn(draw, POOLS["test-normal"].cities);
  const followed = draw.base.where(artists, { followed: true });
  const [first, second, third] = draw.rng.sample(followed, 3);
  const stranger = draw.rng.pick(draw.base.where(artists, { followed: false }));
  const cents = draw.rng.integer(1110, 1340);
  const [day, time] = [`2026-04-${draw.rng.integer(10, 29)}`, `${draw.rng.integer(18, 21)}:15`];
  return {
    instruction: `I would like to hear an artist whom I follow in ${city}. Mark the cheapest such concert that is still to come, invite ${guest.name} to it, and put it into my calendar with just the artist's name as the title.`,
    setup(db) {
      const add = (artist: number, price: number, when: string) => {
        const where = { venue: "Old Gasworks", city, day: when, time, interested: false };
        db.insert(concerts, { artist, cents: price, ...where });
      };
      add(first!.id, cents - 300, "2026-03-02");
      add(stranger.id, cents - 200, day);
      add(second!.id, cents + 90, "2026-03-28");
      add(first!.id, cents, day);
      add(third!.id, cents + 45, "2026-05-02");
    },
    goal(db) {
      const [concert] = db.where(concerts, { city, cents, day });
      db.update(concerts, concert!.id, { interested: true });
      db.insert(concertInvites, { concert: concert!.id, person: guest.id, withdrawn: false });
      ownEvent(db, first!.name, day, time);
    },
    *solution() {
      yield `${logIn("music")}\n${handleFrom(guest)}
${pages("followed", (page) => `apis.music.artists({ followed: true, ${page} })`)}
${pages("coming", (page) => `apis.music.concerts({ city: "${city}", from: "2026-03-12", ${page} })`)}`;
      yield `const names = followed.map(({ name }) => name);
const [best] = coming.filter(({ artist }) => names.includes(artist)).sort((a, b) => a.price - b.price);
apis.music.markConcert({ id: best.id });
apis.music.invite({ id: best.id, person });
apis.calendar.add({ title: best.artist, day: best.day, time: best.time });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const [marked] = seen.changed(concerts).map(({ after }) => after);
      const [invite] = seen.added(concertInvites);
      const [event] = seen.added(events);
      if (!silent(finish) || seen.count !== 3 || !marked || !invite || !event) return false;
      const liked = (artist: number) => start.get(artists, artist)!.followed;
      const rivals = start
        .where(concerts, { city })
        .filter((row) => row.day > "2026-03-12" && liked(row.artist) && row.id !== marked.id);
      const cheap = rivals.every((row) => row.cents > marked.cents) && liked(marked.artist);
      const here = marked.city === city && marked.day > "2026-03-12" && marked.interested;
      const asked = invite.concert === marked.id && invite.person === guest.id && !invite.withdrawn;
      const name = end.get(artists, marked.artist)!.name;
      const noted = sameWords(event.title, name) && event.day === marked.day && !event.host;
      return cheap && here && asked && noted && event.time === marked.time && !event.cancelled;
    },
  };
});

const MIXES = ["Songs for the barn", "Evening by the stove", "Long table mix"];

const thinOutPlaylist = errand("thin-out-playlist", 3, (draw) => {
  const [a, b, c, d] = draw.people as [Person, Person, Person, Person];
  const name = turn(draw, MIXES);
  const text = `I have thinned out our playlist "${name}".`;
  const rated = (fits: (stars: number | null) => boolean, count: number) =>
    draw.rng
      .sample(
        draw.base.all(songs).filter(({ stars }) => fits(stars)),
        count,
      )
      .map(({ id }) => id);
  const low = (stars: number | null) => stars !== null && stars < 3;
  const [gone, ...weak] = rated(low, 4);
  const strong = [
    ...rated((stars) => (stars ?? 0) >= 3, 4),
    ...rated((stars) => stars === null, 2),
  ];
  const idOf = (db: Reader) => db.where(playlists, { name })[0]!.id;
  return {
    instruction: `Take every song out of my playlist "${name}" to which I gave fewer than three stars; songs without a rating stay. Then text "${text}" to all who may edit the playlist.`,
    setup(db) {
      const own = { description: "", person: null, role: "editor" } as const;
      const playlist = db.insert(playlists, { name, ...own, removed: false, left: false }).id;
      const put = (song: number, removed = false) =>
        db.insert(entries, { playlist, song, person: null, slot: null, removed });
      for (const song of draw.rng.shuffle([...weak, ...strong])) put(song);
      put(gone!, true);
      const share = (person: Person, role: "listener" | "editor", ended = false) =>
        db.insert(playlistShares, { playlist, person: person.id, role, ended });
      share(a, "editor");
      share(b, "listener");
      share(c, "editor", true);
      share(d, "editor");
    },
    goal(db) {
      for (const { id, song } of db.where(entries, { playlist: idOf(db), removed: false })) {
        if (weak.includes(song)) db.update(entries, id, { removed: true });
      }
      for (const person of [a, d]) sentText(db, person, text);
    },
    *solution() {
      yield `${logIn("music")}\nconst { id } = apis.music.findPlaylists({ query: ${quoted(name)} }).items[0];
${pages("inside", (page) => `apis.music.playlistSongs({ id, ${page} })`)}
${pages("guests", (page) => `apis.music.sharedWith({ id, ${page} })`)}`;
      yield `for (const { id: song, stars } of inside) {
  if (stars !== null && stars < 3) apis.music.removeSong({ playlist: id, song });
}
for (const { handle, role } of guests) {
  if (role === "editor") apis.messages.send({ to: handle, text: ${quoted(text)} });
}\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const left = end.where(entries, { playlist: idOf(end), removed: false });
      const kept = sameMembers(
        left.map(({ song }) => song),
        strong,
      );
      const told = seen.added(texts).filter((row) => row.outgoing && sameWords(row.text, text));
      const editors = end.where(playlistShares, { playlist: idOf(end), role: "editor" });
      const whom = editors.filter(({ ended }) => !ended).map(({ person }) => person);
      const reached = sameMembers(
        told.map(({ person, replyTo }) => (replyTo === null ? person : 0)),
        whom,
      );
      return silent(finish) && kept && reached && seen.count === weak.length + whom.length;
    },
  };
});

export const music: readonly HandmadeScenario[] = [
  rateAndLike,
  playlistFromTips,
  concertEvening,
  thinOutPlaylist,
];
