/** Remarks that the owner keeps about people. */
import {
  type Clause,
  type Collection,
  collection,
  type Relation,
} from "../../../../goals/index.ts";
import { type Remark, remarks } from "../../apps/contacts/tables.ts";
import { oneOfSome } from "../bounds.ts";
import { has, js, someWord, wordForms } from "./common.ts";
import { of, peopleOf, side } from "./sides.ts";

const REMARKED = ["allergic", "likes", "drinks", "plays", "speaks", "keeps", "owe", "away", "lent"];

const remarkWord: Clause<Remark> = {
  name: "word",
  draw: (draw, rows) => {
    const word = someWord(
      draw,
      rows.map(({ text }) => text),
      REMARKED,
    );
    if (word === undefined) return undefined;
    return {
      words: wordForms(word),
      holds: ({ text }) => has(text, word),
      code: { args: `query:${js(word)}` },
    };
  },
};

const remarkText: Clause<Remark> = {
  name: "text",
  excludes: ["word"],
  draw: ({ rng }, rows) => {
    const text = oneOfSome(
      rng,
      rows.map((row) => row.text),
    );
    if (text === undefined) return undefined;
    const t = js(text);
    return {
      words: [
        `that read ${t}`,
        `with the text ${t}`,
        `whose text is ${t}`,
        `which say ${t}`,
        `that consist of ${t}`,
      ],
      holds: (row) => row.text === text,
      code: { test: `x.text===${t}` },
    };
  },
};

export const remarksPart: Collection = collection<Remark>({
  name: "remarks",
  kind: "remarks",
  app: "contacts",
  table: remarks,
  base: () => true,
  nouns: [
    { one: "remark in Contacts", many: "remarks in Contacts" },
    { one: "remark noted in Contacts", many: "remarks noted in Contacts" },
    { one: "remark from Contacts", many: "remarks from Contacts" },
    { one: "remark that Contacts has", many: "remarks that Contacts has" },
    { one: "remark on people in Contacts", many: "remarks on people in Contacts" },
  ],
  list: { api: "contacts.remarks" },
  key: "id",
  whole: false,
  clauses: [of<Remark>("about"), remarkWord, remarkText],
  fields: [{ name: "text", unit: "text", noun: "text", value: (row) => row.text, code: "x.text" }],
});

export const remarkRelations: readonly Relation[] = [
  {
    name: "remarked",
    from: "remarks",
    to: "people",
    app: "contacts",
    words: [
      (noun) => `the people described in ${noun}`,
      (noun) => `everyone described in ${noun}`,
      (noun) => `those described in ${noun}`,
      (noun) => `whoever is described in ${noun}`,
      (noun) => `the people who are the subject of ${noun}`,
    ],
    map: peopleOf(remarks),
    cells: side("contacts.remarks", "about"),
  },
];
