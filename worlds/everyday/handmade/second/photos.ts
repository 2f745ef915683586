/** Photos: what is noted on one, what takes space, an album for two, and pictures that somebody asked for. */
import type { Writer } from "bowline/world";
import {
  albumPhotos,
  albumShares,
  albums,
  faces,
  type Photo,
  photoRows,
  sentPhotos,
} from "../../apps/photos/tables.ts";
import { type Person, texts } from "../../apps/tables.ts";
import { POOLS } from "../../population/name-pools.ts";
import { DONE, logIn, pages, quoted } from "../cells.ts";
import { Changes, sameMembers, sameWords, silent } from "../changes.ts";
import { LAST_WEEK, receivedText, sentText, YESTERDAY } from "../rows.ts";
import { errand, type HandmadeScenario, turn } from "../scenario.ts";
import { handleFrom } from "./plants.ts";

/** A photo of the owner that shows these people, unless told otherwise. */
function shot(
  db: Writer,
  number: number,
  people: readonly Person[],
  more: Partial<Omit<Photo, "id">> = {},
): Photo {
  const flags = { favourite: false, hidden: false, trashed: false };
  const what = { place: null, city: null, caption: "", person: null, digest: `own${number}` };
  const when = { day: "2026-02-21", time: `14:${10 + (number % 40)}` };
  const file = { name: `IMG_${number}.jpg`, kind: "photo", kilobytes: 2000 + number } as const;
  const row = db.insert(photoRows, { ...file, ...when, ...what, ...flags, ...more });
  for (const { id } of people) {
    const face = { photo: row.id, person: id, side: null, guess: null, ignored: false };
    db.insert(faces, face);
  }
  return row;
}

const captionFavourite = errand("caption-favourite", 1, (draw) => {
  const plain = draw.base
    .where(photoRows, { person: null, trashed: false, hidden: false, favourite: false })
    .filter(({ kind }) => kind === "photo");
  const photo = turn(draw, plain);
  const caption = turn(draw, ["Where it all began", "Almost too late", "Nobody believed us"]);
  return {
    instruction: `Make my photo ${photo.name} a favourite and give it the caption "${caption}".`,
    goal: (db) => void db.update(photoRows, photo.id, { favourite: true, caption }),
    *solution() {
      yield `${logIn("photos")}\nconst [{ id }] = apis.photos.search({ query: "${photo.name}" }).items;`;
      yield `apis.photos.favourite({ id });\napis.photos.caption({ id, caption: ${quoted(caption)} });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const row = end.where(photoRows, { name: photo.name })[0]!;
      const marked = row.favourite && sameWords(row.caption, caption);
      const [change] = new Changes(start, end).changed(photoRows);
      const two = change?.columns.join() === "caption,favourite";
      return silent(finish) && marked && two && new Changes(start, end).count === 1;
    },
  };
});

const biggestVideo = errand("biggest-video", 1, (draw) => {
  const city = turn(draw, POOLS["test-normal"].cities);
  const size = draw.rng.integer(110_000, 140_000);
  const video = (number: number, more: Partial<Photo>) =>
    ({ kind: "video", name: `VID_${number}.mp4`, city, place: "Town bridge", ...more }) as const;
  return {
    instruction: `I need space. Move the biggest of my videos from ${city} to the trash.`,
    setup(db) {
      shot(db, 9101, [], video(9101, { kilobytes: size - 700 }));
      shot(db, 9102, [], video(9102, { kilobytes: size }));
      shot(db, 9103, [], video(9103, { kilobytes: size + 900, trashed: true }));
      shot(db, 9104, [], video(9104, { kilobytes: size + 1500, person: draw.people[0]!.id }));
      const elsewhere = POOLS["test-normal"].cities.find((other) => other !== city)!;
      shot(db, 9105, [], video(9105, { kilobytes: size + 2100, city: elsewhere }));
      shot(db, 9106, [], { city, kilobytes: size + 40 });
    },
    goal(db) {
      const [biggest] = db.where(photoRows, { name: "VID_9102.mp4" });
      db.update(photoRows, biggest!.id, { trashed: true });
    },
    *solution() {
      yield `${logIn("photos")}\n${pages("videos", (page) => `apis.photos.list({ kind: "video", city: "${city}", ${page} })`)}`;
      yield `const [biggest] = videos.sort((a, b) => b.kilobytes - a.kilobytes);
apis.photos.remove({ id: biggest.id });\n${DONE}`;
    },
    alternatives: [
      function* () {
        yield `${logIn("photos")}\n${pages("hits", (page) => `apis.photos.search({ query: "${city}", ${page} })`)}`;
        yield `const here = hits.filter((hit) => hit.kind === "video" && hit.city === "${city}");
const biggest = here.reduce((a, b) => (b.kilobytes > a.kilobytes ? b : a));
apis.photos.remove({ id: biggest.id });\n${DONE}`;
      },
    ],
    verdict(end, start, finish) {
      const own = { kind: "video", city, person: null } as const;
      const before = start.where(photoRows, own).filter(({ trashed }) => !trashed);
      const left = end.where(photoRows, own).filter(({ trashed }) => !trashed);
      const gone = before.filter(({ id }) => left.every((row) => row.id !== id));
      const most = Math.max(...before.map(({ kilobytes }) => kilobytes));
      const right = sameMembers(
        gone.map(({ kilobytes }) => kilobytes),
        [most],
      );
      return silent(finish) && right && new Changes(start, end).count === 1;
    },
  };
});

const TITLES = ["The two of you", "Always together", "Partners in crime"];

const albumForTwo = errand("album-for-two", 2, (draw) => {
  const shown = (person: Person) =>
    draw.base.where(faces, { person: person.id }).map(({ photo }) => photo);
  const strangers = draw.people.flatMap((one) =>
    draw.people
      .filter((other) => other !== one && !shown(other).some((photo) => shown(one).includes(photo)))
      .map((other) => [one, other] as const),
  );
  const [a, b] = strangers[0]!;
  const c = draw.people.find((one) => one !== a && one !== b);
  const title = turn(draw, TITLES);
  const number = 7000 + draw.rng.integer(1, 900);
  const names = [1, 3, 6].map((i) => `IMG_${number + i}.jpg`);
  const whom = [a.id, b.id];
  const find = `${logIn("photos")}\n${handleFrom(a, "first")}\n${handleFrom(b, "second")}`;
  const make = `const { id } = apis.photos.createAlbum({ title: ${quoted(title)} });
for (const photo of both) apis.photos.addToAlbum({ album: id, photo: photo.id });`;
  return {
    instruction: `Make a new album called "${title}" of all my pictures that show both ${a.name} and ${b.name}, and let the two of them look at it.`,
    setup(db) {
      shot(db, number, [a]);
      shot(db, number + 1, [a, b]);
      shot(db, number + 2, [b, c!]);
      shot(db, number + 3, [c!, b, a]);
      shot(db, number + 4, [a, b], { trashed: true });
      shot(db, number + 6, [b, a]);
    },
    goal(db) {
      const own = { person: null, role: "editor", cover: null } as const;
      const album = db.insert(albums, { title, ...own, removed: false, left: false }).id;
      for (const name of names) {
        const [photo] = db.where(photoRows, { name });
        db.insert(albumPhotos, { album, photo: photo!.id, removed: false });
      }
      for (const person of whom)
        db.insert(albumShares, { album, person, role: "viewer", ended: false });
    },
    *solution() {
      yield find;
      yield `${pages("both", (page) => `apis.photos.together({ people: [first, second], ${page} })`)}
${make}
for (const person of [first, second]) apis.photos.shareAlbum({ id, person });\n${DONE}`;
    },
    alternatives: [
      function* () {
        yield find;
        yield `${pages("one", (page) => `apis.photos.list({ person: first, ${page} })`)}
${pages("other", (page) => `apis.photos.list({ person: second, ${page} })`)}
const both = one.filter((photo) => other.some((copy) => copy.id === photo.id));
${make}
for (const person of [first, second]) {
  apis.photos.shareAlbum({ id, person, role: "editor" });
  apis.photos.setRole({ id, person, role: "viewer" });
}\n${DONE}`;
      },
    ],
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const [album, ...more] = seen.added(albums);
      if (!silent(finish) || !album || more.length > 0 || seen.count !== 6) return false;
      const inside = end
        .where(albumPhotos, { album: album.id, removed: false })
        .map(({ photo }) => {
          return end.get(photoRows, photo)!.name;
        });
      const guests = end.where(albumShares, { album: album.id, ended: false });
      const looking = sameMembers(
        guests.filter(({ role }) => role === "viewer").map(({ person }) => person),
        whom,
      );
      const own = sameWords(album.title, title) && album.person === null && album.cover === null;
      return own && looking && sameMembers(inside, names);
    },
  };
});

const PLACES = ["Willow ferry", "Glass pavilion", "Old sluice"];

const sendWanted = errand("send-wanted-photos", 3, (draw) => {
  const [a, b] = draw.people as [Person, Person];
  const place = turn(draw, PLACES);
  const city = draw.rng.pick(POOLS["test-normal"].cities);
  const number = 8000 + draw.rng.integer(1, 900);
  const note = turn(draw, ["here you are", "as you wished", "only the good ones"]);
  const reply = turn(draw, ["All sent!", "They are on their way.", "Done, look at them."]);
  const wish = `Could you send me your pictures from the ${place}? Only those on which I am, please.`;
  const names = [number + 1, number + 4].map((i) => `IMG_${i}.jpg`);
  return {
    instruction: `${a.name} has texted me which of my photos they would like to have. Send them exactly those, each with the note "${note}", and reply "${reply}" to the message.`,
    setup(db) {
      const here = { place, city };
      shot(db, number, [b], here);
      shot(db, number + 1, [a], here);
      shot(db, number + 2, [a, b], { place: `${place} meadow`, city });
      shot(db, number + 3, [], here);
      shot(db, number + 4, [b, a], { ...here, day: "2026-02-28" });
      shot(db, number + 5, [a], { ...here, person: b.id });
      receivedText(db, a, "Did you find your gloves?", { at: LAST_WEEK });
      receivedText(db, a, wish);
    },
    goal(db) {
      for (const name of names) {
        const [photo] = db.where(photoRows, { name });
        db.insert(sentPhotos, { photo: photo!.id, person: a.id, note, at: YESTERDAY });
      }
      const [asked] = db.where(texts, { person: a.id, text: wish });
      sentText(db, a, reply, { replyTo: asked!.id });
    },
    *solution() {
      yield `${logIn("photos")}\n${handleFrom(a)}
const message = apis.messages.list({ from: person, size: 20 }).items.find(({ text }) => text.includes("pictures"));
print(message.text);`;
      yield `const place = /from the (.+)\\? Only/.exec(message.text)[1];
${pages("wanted", (page) => `apis.photos.list({ place, person, ${page} })`)}
for (const { id } of wanted) apis.photos.send({ id, to: person, note: ${quoted(note)} });
apis.messages.reply({ id: message.id, text: ${quoted(reply)} });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const [answer, ...more] = seen.added(texts);
      if (!silent(finish) || !answer || more.length > 0 || seen.count !== 3) return false;
      const sent = seen.added(sentPhotos);
      const pictures = sent.map(({ photo }) => end.get(photoRows, photo)!.name);
      const kind = sent.every((row) => row.person === a.id && sameWords(row.note, note));
      const asked = start.get(texts, answer.replyTo ?? 0);
      const heard = asked?.person === a.id && asked.text.includes(place);
      return kind && heard && sameMembers(pictures, names) && sameWords(answer.text, reply);
    },
  };
});

export const photos: readonly HandmadeScenario[] = [
  captionFavourite,
  biggestVideo,
  albumForTwo,
  sendWanted,
];
