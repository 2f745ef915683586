/**
 * Scenarios about photos: captions, the space that photos use, an album of photos of two people, and photos that a
 * person asked for.
 */
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
import { insertReceivedText, insertSentText, LAST_WEEK, YESTERDAY } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask } from "../scenario.ts";
import { FINISH_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import { Changes, haveSameMembers, haveSameWords, isDone } from "../verdicts.ts";
import { findHandleCode } from "./insert-scenario-rows.ts";

/** Inserts a photo of the owner on which these people are tagged. */
function insertPhoto(
  db: Writer,
  number: number,
  people: readonly Person[],
  columns: Partial<Omit<Photo, "id">> = {},
): Photo {
  const flags = { favourite: false, hidden: false, trashed: false };
  const what = { place: null, city: null, caption: "", person: null, digest: `own${number}` };
  const when = { day: "2026-02-21", time: `14:${10 + (number % 40)}` };
  const file = { name: `IMG_${number}.jpg`, kind: "photo", kilobytes: 2000 + number } as const;
  const row = db.insert(photoRows, { ...file, ...when, ...what, ...flags, ...columns });
  for (const { id } of people) {
    const face = { photo: row.id, person: id, side: null, guess: null, ignored: false };
    db.insert(faces, face);
  }
  return row;
}

const captionFavourite = defineScenario("caption-favourite", 1, (draw) => {
  const plain = draw.base
    .where(photoRows, { person: null, trashed: false, hidden: false, favourite: false })
    .filter(({ kind }) => kind === "photo");
  const photo = pickForTask(draw, plain);
  const caption = pickForTask(draw, [
    "Where it all began",
    "Almost too late",
    "Nobody believed us",
  ]);
  return {
    instruction: `Make my photo ${photo.name} a favourite and give it the caption "${caption}".`,
    goal: (db) => void db.update(photoRows, photo.id, { favourite: true, caption }),
    *solution() {
      yield `${logInCell("photos")}\nconst [{ id }] = apis.photos.search({ query: "${photo.name}" }).items;`;
      yield `apis.photos.favourite({ id });\napis.photos.caption({ id, caption: ${quote(caption)} });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const row = end.where(photoRows, { name: photo.name })[0]!;
      const marked = row.favourite && haveSameWords(row.caption, caption);
      const [change] = new Changes(start, end).changedRows(photoRows);
      const two = change?.columns.join() === "caption,favourite";
      return isDone(finish) && marked && two && new Changes(start, end).rowCount === 1;
    },
  };
});

const biggestVideo = defineScenario("biggest-video", 1, (draw) => {
  const city = pickForTask(draw, POOLS["test-normal"].cities);
  const size = draw.rng.integer(110_000, 140_000);
  const videoColumns = (number: number, columns: Partial<Photo>) =>
    ({ kind: "video", name: `VID_${number}.mp4`, city, place: "Town bridge", ...columns }) as const;
  return {
    instruction: `I need space. Move the biggest of my videos from ${city} to the trash.`,
    setup(db) {
      insertPhoto(db, 9101, [], videoColumns(9101, { kilobytes: size - 700 }));
      insertPhoto(db, 9102, [], videoColumns(9102, { kilobytes: size }));
      insertPhoto(db, 9103, [], videoColumns(9103, { kilobytes: size + 900, trashed: true }));
      insertPhoto(
        db,
        9104,
        [],
        videoColumns(9104, { kilobytes: size + 1500, person: draw.people[0]!.id }),
      );
      const elsewhere = POOLS["test-normal"].cities.find((other) => other !== city)!;
      insertPhoto(db, 9105, [], videoColumns(9105, { kilobytes: size + 2100, city: elsewhere }));
      insertPhoto(db, 9106, [], { city, kilobytes: size + 40 });
    },
    goal(db) {
      const [biggest] = db.where(photoRows, { name: "VID_9102.mp4" });
      db.update(photoRows, biggest!.id, { trashed: true });
    },
    *solution() {
      yield `${logInCell("photos")}\n${readAllPagesCode("videos", (page) => `apis.photos.list({ kind: "video", city: "${city}", ${page} })`)}`;
      yield `const [biggest] = videos.sort((a, b) => b.kilobytes - a.kilobytes);
apis.photos.remove({ id: biggest.id });\n${FINISH_CODE}`;
    },
    alternatives: [
      function* () {
        yield `${logInCell("photos")}\n${readAllPagesCode("hits", (page) => `apis.photos.search({ query: "${city}", ${page} })`)}`;
        yield `const here = hits.filter((hit) => hit.kind === "video" && hit.city === "${city}");
const biggest = here.reduce((a, b) => (b.kilobytes > a.kilobytes ? b : a));
apis.photos.remove({ id: biggest.id });\n${FINISH_CODE}`;
      },
    ],
    verdict(end, start, finish) {
      const own = { kind: "video", city, person: null } as const;
      const before = start.where(photoRows, own).filter(({ trashed }) => !trashed);
      const left = end.where(photoRows, own).filter(({ trashed }) => !trashed);
      const gone = before.filter(({ id }) => left.every((row) => row.id !== id));
      const most = Math.max(...before.map(({ kilobytes }) => kilobytes));
      const right = haveSameMembers(
        gone.map(({ kilobytes }) => kilobytes),
        [most],
      );
      return isDone(finish) && right && new Changes(start, end).rowCount === 1;
    },
  };
});

const TITLES = ["The two of you", "Always together", "Partners in crime"];

const albumForTwo = defineScenario("album-for-two", 2, (draw) => {
  const photosOfPerson = (person: Person) =>
    draw.base.where(faces, { person: person.id }).map(({ photo }) => photo);
  const strangers = draw.people.flatMap((one) =>
    draw.people
      .filter(
        (other) =>
          other !== one &&
          !photosOfPerson(other).some((photo) => photosOfPerson(one).includes(photo)),
      )
      .map((other) => [one, other] as const),
  );
  const [personA, personB] = strangers[0]!;
  const personC = draw.people.find((one) => one !== personA && one !== personB);
  const title = pickForTask(draw, TITLES);
  const number = 7000 + draw.rng.integer(1, 900);
  const names = [1, 3, 6].map((i) => `IMG_${number + i}.jpg`);
  const whom = [personA.id, personB.id];
  const logInAndFindPeopleCode = `${logInCell("photos")}\n${findHandleCode(personA, "first")}\n${findHandleCode(personB, "second")}`;
  const makeAlbumCode = `const { id } = apis.photos.createAlbum({ title: ${quote(title)} });
for (const photo of both) apis.photos.addToAlbum({ album: id, photo: photo.id });`;
  return {
    instruction: `Make a new album called "${title}" of all my pictures that show both ${personA.name} and ${personB.name}, and let the two of them look at it.`,
    setup(db) {
      insertPhoto(db, number, [personA]);
      insertPhoto(db, number + 1, [personA, personB]);
      insertPhoto(db, number + 2, [personB, personC!]);
      insertPhoto(db, number + 3, [personC!, personB, personA]);
      insertPhoto(db, number + 4, [personA, personB], { trashed: true });
      insertPhoto(db, number + 6, [personB, personA]);
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
      yield logInAndFindPeopleCode;
      yield `${readAllPagesCode("both", (page) => `apis.photos.together({ people: [first, second], ${page} })`)}
${makeAlbumCode}
for (const person of [first, second]) apis.photos.shareAlbum({ id, person });\n${FINISH_CODE}`;
    },
    alternatives: [
      function* () {
        yield logInAndFindPeopleCode;
        yield `${readAllPagesCode("one", (page) => `apis.photos.list({ person: first, ${page} })`)}
${readAllPagesCode("other", (page) => `apis.photos.list({ person: second, ${page} })`)}
const both = one.filter((photo) => other.some((copy) => copy.id === photo.id));
${makeAlbumCode}
for (const person of [first, second]) {
  apis.photos.shareAlbum({ id, person, role: "editor" });
  apis.photos.setRole({ id, person, role: "viewer" });
}\n${FINISH_CODE}`;
      },
    ],
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [album, ...more] = changes.addedRows(albums);
      if (!isDone(finish) || !album || more.length > 0 || changes.rowCount !== 6) return false;
      const inside = end
        .where(albumPhotos, { album: album.id, removed: false })
        .map(({ photo }) => {
          return end.get(photoRows, photo)!.name;
        });
      const guests = end.where(albumShares, { album: album.id, ended: false });
      const looking = haveSameMembers(
        guests.filter(({ role }) => role === "viewer").map(({ person }) => person),
        whom,
      );
      const own =
        haveSameWords(album.title, title) && album.person === null && album.cover === null;
      return own && looking && haveSameMembers(inside, names);
    },
  };
});

const PLACES = ["Willow ferry", "Glass pavilion", "Old sluice"];

const sendWantedPhotos = defineScenario("send-wanted-photos", 3, (draw) => {
  const [personA, personB] = draw.people as [Person, Person];
  const place = pickForTask(draw, PLACES);
  const city = draw.rng.pick(POOLS["test-normal"].cities);
  const number = 8000 + draw.rng.integer(1, 900);
  const note = pickForTask(draw, ["here you are", "as you wished", "only the good ones"]);
  const reply = pickForTask(draw, ["All sent!", "They are on their way.", "Done, look at them."]);
  const wish = `Could you send me your pictures from the ${place}? Only those on which I am, please.`;
  const names = [number + 1, number + 4].map((i) => `IMG_${i}.jpg`);
  return {
    instruction: `${personA.name} has texted me which of my photos they would like to have. Send them exactly those, each with the note "${note}", and reply "${reply}" to the message.`,
    setup(db) {
      const here = { place, city };
      insertPhoto(db, number, [personB], here);
      insertPhoto(db, number + 1, [personA], here);
      insertPhoto(db, number + 2, [personA, personB], { place: `${place} meadow`, city });
      insertPhoto(db, number + 3, [], here);
      insertPhoto(db, number + 4, [personB, personA], { ...here, day: "2026-02-28" });
      insertPhoto(db, number + 5, [personA], { ...here, person: personB.id });
      insertReceivedText(db, personA, "Did you find your gloves?", { at: LAST_WEEK });
      insertReceivedText(db, personA, wish);
    },
    goal(db) {
      for (const name of names) {
        const [photo] = db.where(photoRows, { name });
        db.insert(sentPhotos, { photo: photo!.id, person: personA.id, note, at: YESTERDAY });
      }
      const [asked] = db.where(texts, { person: personA.id, text: wish });
      insertSentText(db, personA, reply, { replyTo: asked!.id });
    },
    *solution() {
      yield `${logInCell("photos")}\n${findHandleCode(personA)}
const message = apis.messages.list({ from: person, size: 20 }).items.find(({ text }) => text.includes("pictures"));
print(message.text);`;
      yield `const place = /from the (.+)\\? Only/.exec(message.text)[1];
${readAllPagesCode("wanted", (page) => `apis.photos.list({ place, person, ${page} })`)}
for (const { id } of wanted) apis.photos.send({ id, to: person, note: ${quote(note)} });
apis.messages.reply({ id: message.id, text: ${quote(reply)} });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [answer, ...more] = changes.addedRows(texts);
      if (!isDone(finish) || !answer || more.length > 0 || changes.rowCount !== 3) return false;
      const sent = changes.addedRows(sentPhotos);
      const pictures = sent.map(({ photo }) => end.get(photoRows, photo)!.name);
      const kind = sent.every((row) => row.person === personA.id && haveSameWords(row.note, note));
      const asked = start.get(texts, answer.replyTo ?? 0);
      const heard = asked?.person === personA.id && asked.text.includes(place);
      return kind && heard && haveSameMembers(pictures, names) && haveSameWords(answer.text, reply);
    },
  };
});

export const photoScenarios: readonly HandmadeScenario[] = [
  captionFavourite,
  biggestVideo,
  albumForTwo,
  sendWantedPhotos,
];
