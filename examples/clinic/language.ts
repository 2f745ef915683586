/**
 * The families of the clinic, and which splits may name them. Each family with its pets belongs to one split: training
 * tasks and test tasks name different people and use different sentences. The records of every task contain all people.
 */
import type { ComposedSplit, TableRow } from "bowline";
import { type Language, plainLanguage, wordList } from "bowline/goals";

export const NOW = "2026-05-04T08:00:00Z";

const FIRST_NAMES = wordList(
  "Amara | Bela | Carla | Dario | Elin | Farid | Greta | Hugo | Ines | Jonas",
);

/** The families, pets and sentences for training, for dev, and for both test splits together. */
const GROUPS = {
  train: {
    families:
      wordList(`Okafor | Lindqvist | Moreau | Tanaka | Brandt | Castellano | Dvorak | Eriksen
      | Fontaine | Grantham | Haddad | Ivanov | Jansen | Kowalski | Larkin | Mbeki | Nakamura | Orlov`),
    pets: wordList(`Biscuit | Pepper | Momo | Tango | Waffle | Ziggy | Clover | Dumpling | Echo | Fudge
      | Ginger | Hazel | Inky | Jasper | Kiwi | Lumi | Mango | Noodle | Oreo | Pickle | Quill | Rusty
      | Saffron | Tofu | Umber | Velvet | Whisker | Yoyo | Zelda | Acorn`),
    sentences: wordList(`Please bring the vaccination card | Please ring us before noon
      | We have moved to the back entrance | Nothing to eat after eight in the evening`),
  },
  dev: {
    families: wordList(
      "Abara | Bellini | Cormack | Delacroix | Esposito | Ferreira | Gallagher | Horvat",
    ),
    pets: wordList(`Bramble | Cosmo | Dandy | Fern | Gizmo | Honey | Juniper | Kipper | Latte | Nutmeg
      | Olive | Poppet | Rocket | Smudge`),
    sentences: wordList(`Please keep the cone on for a week | The results are back
      | Please use the side door | A short walk a day is enough`),
  },
  test: {
    families:
      wordList(`Rosenthal | Sandoval | Thorsen | Ueda | Vasquez | Whitfield | Yilmaz | Zelenko
      | Quigley | Petrov | Nwosu | Marchetti`),
    pets: wordList(`Barley | Crumpet | Domino | Ember | Figaro | Goose | Hobbit | Iggy | Jinx | Koko
      | Lentil | Misty | Nimbus | Otis | Pippin | Rascal | Sprout | Truffle | Vesper | Wombat`),
    sentences: wordList(`Please come ten minutes early | The medicine is ready to collect
      | We need your new address | Warm water twice a day will help`),
  },
};

type Group = keyof typeof GROUPS;
const groupOfSplit = (split: ComposedSplit): Group =>
  split === "train" || split === "dev" ? split : "test";

/** The people and pets for each of the groups: two people of every family, and the pets that live with them. */
export const HOUSEHOLDS = Object.values(GROUPS).map(({ families, pets }) => ({
  people: families.flatMap((family, i) =>
    [i, i + 3].map((first) => `${FIRST_NAMES[first % FIRST_NAMES.length]} ${family}`),
  ),
  pets,
}));

const matchNamesOfOtherGroups = (group: Group): RegExp => {
  const others = Object.entries(GROUPS).filter(([other]) => other !== group);
  const names = others.flatMap(([, { families, pets }]) => [...families, ...pets]);
  return new RegExp(`\\b(${names.join("|")})\\b`);
};
const NAMES_OF_OTHER_GROUPS: { readonly [G in Group]: RegExp } = {
  train: matchNamesOfOtherGroups("train"),
  dev: matchNamesOfOtherGroups("dev"),
  test: matchNamesOfOtherGroups("test"),
};

/** Returns true if a text names a person or pet that belongs to another split. */
export const namesStrangers = (text: string, split: ComposedSplit): boolean =>
  NAMES_OF_OTHER_GROUPS[groupOfSplit(split)].test(text);

/** The language of the clinic's goals: which people its tasks may name, and which sentences they may write. */
export const LANGUAGE: Language = plainLanguage(NOW, {
  namesStrangers,
  canMention: (row: TableRow, split) => !namesStrangers(Object.values(row).join(" "), split),
  findPerson: ({ name }, variable) => ({
    cells: [
      `var ${variable}=apis.records.clients({name:"${name}"}).items[0].id;print(${variable})`,
    ],
    apps: ["records"],
  }),
  sentence: (rng, split) => rng.pick(GROUPS[groupOfSplit(split)].sentences),
});
