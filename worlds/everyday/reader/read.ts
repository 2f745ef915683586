/**
 * Reads an instruction of a generated task back: which rows it speaks of, and what the answer to its question is. The
 * reader has a grammar of its own and reads tables, so it is a second opinion on what the generator meant. What it does
 * not understand it leaves unread; it never guesses.
 */
import { dailyThings } from "./daily-things.ts";
import { moneyThings } from "./money-things.ts";
import { moreFields, morePhrases } from "./more-phrases.ts";
import { musicThings } from "./music-things.ts";
import { paperThings } from "./paper-things.ts";
import { peopleThings } from "./people-things.ts";
import type { Row, Tables } from "./phrases.ts";
import { rareThings } from "./rare-things.ts";
import { shopThings } from "./shop-things.ts";
import { talkThings } from "./talk-things.ts";
import type { Thing, ThingField } from "./things.ts";
import { travelThings } from "./travel-things.ts";

/** Adds the rarer phrases and columns of a thing. */
const complete = (thing: Thing): Thing => ({
  ...thing,
  phrases: [...thing.phrases, ...(morePhrases[thing.name] ?? [])],
  fields: [...thing.fields, ...(moreFields[thing.name] ?? [])],
});

const THINGS: readonly Thing[] = [
  ...moneyThings,
  ...dailyThings,
  ...travelThings,
  ...shopThings,
  ...paperThings,
  ...peopleThings,
  ...talkThings,
  ...musicThings,
  ...rareThings,
].map(complete);

const NOUNS = THINGS.map((thing) => ({
  thing,
  pattern: new RegExp(`^(?:${thing.noun})(?![\\w-])`),
}));

/** Rows of one kind of thing, and what follows in the sentence. */
interface Selection {
  readonly thing: Thing;
  readonly rows: readonly Row[];
  readonly rest: string;
}

type ReadAnswer = number | string | readonly (number | string)[];

/** What was understood: the rows before any ranking, and the answer if the instruction asks a question. */
export interface Reading {
  readonly rows: readonly number[];
  /** The rows of each group that was understood, where an instruction speaks of two groups. */
  readonly groups?: readonly (readonly number[])[];
  readonly answer?: ReadAnswer;
}

const PREFIX =
  /^(?:And please |Also, |Besides that, |On top of that, |I need two things done\. |Two things: .*, and )/;

/** Returns the sentences of a text. A full stop within quotation marks ends no sentence. */
function splitSentences(text: string): string[] {
  const hidden = text.replace(/"[^"]*"/g, (quoted) => quoted.replaceAll(". ", ".\u0000"));
  return hidden
    .replace(/[.?]$/, "")
    .split(/[.?] (?=[A-Z])/)
    .map((sentence) => sentence.replaceAll("\u0000", " "));
}

const VERB = /^(that|which|who) (carr|go|[a-z]+?)(ies|es|s)\b/;
/** Turns `which belongs to` into `which belong to`. */
const toPluralVerb = (text: string) =>
  text.replace(VERB, (_, pronoun: string, stem: string, end: string) =>
    end === "ies" ? `${pronoun} ${stem}y` : `${pronoun} ${stem}`,
  );

/** Turns `in its text` into `in their text`, and `on it` into `on them`. */
const toPluralPronouns = (text: string) =>
  text.replace(/\bits\b/, "their").replace(/\b(on|in|under) it\b/, "$1 them");

/** Finds the longest phrase at the start of a text that has a meaning. */
function longestPhrase(thing: Thing, text: string) {
  const matches = thing.phrases
    .map((phrase) => ({ phrase, match: phrase.pattern.exec(text) }))
    .filter(({ match }) => match !== null)
    .sort((a, b) => b.match![0].length - a.match![0].length);
  for (const { phrase, match } of matches) {
    const test = phrase.meaning(match!);
    if (test && match![0] !== "") return { text, match: match!, test };
  }
  return undefined;
}

/** Narrows rows by the phrases at the start of a text, the longest first; undefined when a phrase has no meaning. */
function narrow(
  thing: Thing,
  start: readonly Row[],
  text: string,
  tables: Tables,
): Selection | undefined {
  let rows = start;
  let rest = text.trimStart();
  for (;;) {
    const plural = rest
      .replace(/^and /, "")
      .replace(
        /^(that|which|who) (is|was|has|does)\b/,
        (_, pronoun: string, verb: string) =>
          `${pronoun} ${{ is: "are", was: "were", has: "have", does: "do" }[verb]}`,
      );
    const found =
      longestPhrase(thing, plural) ??
      longestPhrase(thing, toPluralVerb(plural)) ??
      longestPhrase(thing, toPluralPronouns(toPluralVerb(plural)));
    if (!found) break;
    rows = rows.filter((row) => found.test(row, tables));
    rest = found.text.slice(found.match[0].length).trimStart();
  }
  return /^(and )?(that|which|who|whose|whom|where|with(?! "| the (place|role|word))|without|(in|on|of|by|for|to|from) (which|whom|whose)|to be|to or from|rated|marked|delivered|tagged|noted|split)\b/.test(
    rest,
  )
    ? undefined
    : { thing, rows, rest };
}

/** Reads things at the start of a text, or `ones`, `those` and `of them` with the things that were introduced before. */
function readThings(
  text: string,
  tables: Tables,
  before: Selection | undefined,
): Selection | undefined {
  const again = /^(?:ones|those|of them)\b/.exec(text);
  if (again)
    return before && narrow(before.thing, before.rows, text.slice(again[0].length), tables);
  const candidates = NOUNS.flatMap(({ thing, pattern }) => {
    const match = pattern.exec(text);
    return match ? [{ thing, length: match[0].length }] : [];
  }).sort((a, b) => b.length - a.length);
  const best = candidates[0];
  if (!best) return undefined;
  const rows = tables(best.thing.table).filter((row) => best.thing.includes(row, tables));
  return narrow(best.thing, rows, text.slice(best.length), tables);
}

const CONTEXT = /^(?:Look at|Look up|Go through|Have a look at|Consider) the (.+)$/i;
const COUNT =
  /^(?:Tell me the number of|Find out the number of|What is the number of|Count all) (.+?)(?: and give me the number)?$/i;
const TOTAL =
  /^(?:What is the total (.+?) (?:of the|over all the)|Add up the (.+?) of (?:all )?the|Work out the total (.+?) of the) (.+?)(?: and tell me the (?:sum|total))?$/i;
const AVERAGE =
  /^(?:(?:What is|Work out|Tell me) the (?:average|mean) (.+?) of the|On average, what is the (.+?) of the) (.+?)(?:, (?:rounded )?to two decimals)?$/i;
const LIST =
  /^(?:Give me a list with|List|Tell me|I need) the (.+?) (?:of|for) (?:all the|each of the|every one of the) (.+?)(?:, as a list)?$/i;
const EXTREME =
  /^(?:(?:What is|Tell me) the (.+?) of the (.+?) (?:of all the|of the|one among the)|(?:Find|Look for) the (.+?) (?:of the|one among the)) (.+?)(?: and (?:tell|give) me (?:its|their) (.+))?$/i;
const CONDITION =
  /(?:there are|you find) (?:at least \d+|no fewer than \d+|\d+ or more) (.+?)(?:, |$)/;
const ACTED =
  /\b(?:all the|each one of the|each of the|all of the|every one of the|any one of the|one or more of the|any of the) (.+)$/;
const TWO_GROUPS =
  /(?:Two groups matter here|I have two groups in mind|Compare two groups|Think of two groups|Here are two groups of people)\. The first(?: group| one)?(?::| is) (.+?)\. The second(?: group| one)?(?::| is) (.+?)\. /;

const fieldNamed = (thing: Thing, words: string) =>
  thing.fields.find((field) => field.words === words);
const inAnswer = (field: ThingField, cell: string | number | null) =>
  field.isMoney ? Number(cell) / 100 : (cell ?? "");
const toHundredths = (value: number) => Math.round(value * 100) / 100;

/** Reads a sentence that asks something; undefined when it is no question that the reader knows. */
function readQuestion(
  sentence: string,
  tables: Tables,
  before: Selection | undefined,
): Reading | undefined {
  const whole = (text: string) => {
    const read = readThings(text, tables, before);
    return read?.rest === "" ? read : undefined;
  };
  const asked = (
    words: string,
    text: string,
    answer: (cells: (string | number)[]) => ReadAnswer,
  ) => {
    const read = whole(text);
    const field = read && fieldNamed(read.thing, words);
    if (!read || !field) return undefined;
    const cells = read.rows.map((row) => inAnswer(field, field.read(row, tables)));
    return { rows: idsOf(read), answer: answer(cells) };
  };
  const sum = (cells: (string | number)[]) =>
    cells.reduce<number>((total, cell) => total + Number(cell), 0);
  let match = COUNT.exec(sentence);
  if (match) {
    const read = whole(match[1]!);
    return read && { rows: idsOf(read), answer: read.rows.length };
  }
  match = AVERAGE.exec(sentence);
  if (match)
    return asked((match[1] ?? match[2])!, match[3]!, (cells) =>
      toHundredths(sum(cells) / cells.length),
    );
  match = TOTAL.exec(sentence);
  if (match)
    return asked((match[1] ?? match[2] ?? match[3])!, match[4]!, (cells) =>
      toHundredths(sum(cells)),
    );
  match = LIST.exec(sentence);
  const listed = match && asked(match[1]!, match[2]!, (cells) => [...new Set(cells)]);
  return listed ?? readExtreme(EXTREME.exec(sentence), tables, whole);
}

function readExtreme(
  match: RegExpExecArray | null,
  tables: Tables,
  whole: (text: string) => Selection | undefined,
): Reading | undefined {
  if (!match) return undefined;
  const [, label, rank, otherRank, text, otherLabel] = match;
  const read = whole(text!);
  const shown = read && fieldNamed(read.thing, (label ?? otherLabel)!);
  if (!read || !shown) return undefined;
  const adjective = (rank ?? otherRank)!;
  for (const field of read.thing.fields) {
    const end = (["most", "least"] as const).find(
      (one) => field.ranks && new RegExp(`^(?:${field.ranks[one]})$`).test(adjective),
    );
    if (!end) continue;
    const ordered = read.rows.toSorted((a, b) => {
      const [x, y] = [field.read(a, tables)!, field.read(b, tables)!];
      return (x < y ? -1 : x > y ? 1 : 0) * (end === "most" ? -1 : 1);
    });
    return { rows: idsOf(read), answer: inAnswer(shown, shown.read(ordered[0]!, tables)) };
  }
  return undefined;
}

const idsOf = ({ rows }: Selection) => rows.map(({ id }) => id);

const SUPERLATIVES = [
  ...new Set(
    THINGS.flatMap(({ fields }) =>
      fields.flatMap(({ ranks }) =>
        ranks ? Object.values(ranks).flatMap((words) => words.split(/\|(?![^(]*\))/)) : [],
      ),
    ),
  ),
]
  .sort((a, b) => b.length - a.length)
  .join("|");
const RANKED = new RegExp(
  `\\bthe (?:(?:two|three) )?(?:${SUPERLATIVES}) (?:(?:two|three) )?(?:one )?(?:of all the |of the |among the )?(.+)$`,
);
const DECIDED_BY_TOTAL =
  /the total .+? of the (.+?) (?:is above|is more than|is higher than|exceeds|is greater than) /;
const PRONOUN = /\b(them|it|their|its|this person)\b/;
const ANY_OF_THEM =
  /\b(any|one or more|every single one|each and every one|each one|each) of (them|these)\b/;

/** Reads what follows a superlative, or what follows a later one, as in "the next date of the cheapest order". */
function readRanked(
  text: string,
  tables: Tables,
  before: Selection | undefined,
): Selection | undefined {
  const read = readThings(text, tables, before);
  if (read) return read;
  const next = RANKED.exec(text)?.[1];
  return next === undefined ? undefined : readRanked(next, tables, before);
}

/** Reads the set that a sentence acts on or decides by; undefined when it names none that the reader knows. */
function readSet(
  sentence: string,
  tables: Tables,
  before: Selection | undefined,
): Reading | undefined {
  for (const pattern of [CONDITION, DECIDED_BY_TOTAL, RANKED, ACTED]) {
    const text = pattern.exec(sentence)?.[1];
    if (text === undefined) continue;
    const read =
      pattern === RANKED ? readRanked(text, tables, before) : readThings(text, tables, before);
    // "Write the text of the newest message from X under each of the notes" is about the notes.
    if (pattern === RANKED && read && ACTED.test(read.rest)) continue;
    const isWhole = pattern === CONDITION || pattern === DECIDED_BY_TOTAL;
    if (read && (!isWhole || read.rest === "")) return { rows: idsOf(read) };
    // A text in quotation marks may look like a ranking: "the first part".
    if (pattern !== RANKED) return undefined;
  }
  return undefined;
}

/** Reads a sentence that introduces things. A ranking is not applied: the rows are those before it. */
function readContext(text: string, tables: Tables): Selection | undefined {
  const ranked = RANKED.exec(`the ${text}`)?.[1];
  const read =
    readThings(text, tables, undefined) ??
    (ranked === undefined ? undefined : readThings(ranked, tables, undefined));
  return read?.rest === "" ? read : undefined;
}

/** Reads the things in the words for a group of people: the people themselves, or that to which they belong. */
function readGroup(text: string, tables: Tables): readonly number[] | undefined {
  const direct = readThings(text.replace(/^(the|all the) /, ""), tables, undefined);
  if (direct?.rest === "") return idsOf(direct);
  for (const pattern of [RANKED, ACTED]) {
    const inner = pattern.exec(text)?.[1];
    const read = inner === undefined ? undefined : readThings(inner, tables, undefined);
    if (read?.rest === "") return idsOf(read);
  }
  return undefined;
}

/** Reads an instruction; undefined when nothing in it is understood. */
export function readInstruction(instruction: string, tables: Tables): Reading | undefined {
  const two = TWO_GROUPS.exec(instruction);
  if (two) {
    const groups = [two[1]!, two[2]!].map((text) => readGroup(text, tables));
    const understood = groups.filter((group) => group !== undefined);
    return understood.length > 0 ? { rows: [], groups: understood } : undefined;
  }
  let before: Selection | undefined;
  for (const full of splitSentences(instruction)) {
    const sentence = full.replace(PREFIX, "");
    const context = CONTEXT.exec(sentence);
    const kept = /^Keep only the (ones .+)$/.exec(sentence);
    if (context || kept) {
      before = context
        ? readContext(context[1]!, tables)
        : before && readThings(kept![1]!, tables, before);
      if (before === undefined || before.rest !== "") return undefined;
      continue;
    }
    if (/^Keep only /.test(sentence)) continue;
    // What is looked up elsewhere may be ranked: "the newest message from". It is not what the sentence is about.
    const isAboutAnyOfThem = before !== undefined && ANY_OF_THEM.test(sentence);
    if (isAboutAnyOfThem) return { rows: idsOf(before!) };
    const read = readQuestion(sentence, tables, before) ?? readSet(sentence, tables, before);
    if (read) return read;
    if (before) {
      const isAboutAll =
        PRONOUN.test(sentence) &&
        !/\b(ones|those(?! people)|of them that|of them which)\b/.test(sentence);
      return isAboutAll ? { rows: idsOf(before) } : undefined;
    }
  }
  return undefined;
}
