/**
 * The words of a search: how text is cut into words, which forms of a word are the same, and which other words of daily
 * English mean nearly the same.
 */

/** Words that say nothing about what is searched for. */
const STOP_WORDS = new Set(
  `a about am an and any are as at be by can could did do does for from had has have how i if in is it its me my of on
  or our please should so some somebody someone something that the their them there these they this to up was we what
  when where which who whom whose will with would you your`.split(/\s+/),
);

/** Phrases of several words, and words that mean the same. They are read in this order, before the words are cut. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\be-?mail address(?:es)?\b/g, "email profile"],
  [/\bb?cc\b/g, "mail copies"],
  [/\bturn down (?=.*(?:invit|request|offer|propos))/g, "decline "],
  [/\bturn (.*(?:invit|request|offer|propos)\w*) down\b/g, "decline $1"],
  [/\b(?:turn|switch) off\b/g, "stop"],
  [/\b(?:send|give|bring|take|pay) (.{0,12} ?)back\b/g, "return $1"],
  [/\bget (.{0,12} ?)back\b/g, "restore $1"],
  [/\blook(?:ing)? (?:up|for)\b/g, "find"],
  [/\b(?:get rid of|throw (?:away|out))\b/g, "remove"],
  [/\btick(?:ing)? off\b/g, "tick"],
  [/\bput off\b/g, "postpone"],
  [/\bcall off\b/g, "cancel"],
  [/\bsign up\b/g, "subscribe"],
  [/\b(?:settle up|get even)\b/g, "settlement even transfers"],
  [/\bsave up\b/g, "savings goal"],
  [/\btop up\b/g, "fill wallet"],
  [/\bto-?do\b/g, "todo"],
  [/\bwish ?lists?\b/g, "saved list"],
  [/\bwho(?:'s| is| are) in\b/g, "members"],
  [/\bhow much money\b/g, "balance"],
  [/\bhow much\b/g, "amount"],
  [/\bhow many\b/g, "count"],
  [/\bwhat(?:'s| is) on\b/g, "list events"],
  [/\bshared? with (?:me|us)\b/g, "share others"],
  [/\btext (?=(?:an?|my|the|someone|somebody)\b)/g, "send message "],
];

/**
 * Groups of words with nearly the same meaning. A word may stand in several groups. A word of the query also finds the
 * other words of its groups, which count less.
 */
const SYNONYMS: readonly string[] = [
  "delete remove cancel trash discard drop erase",
  "cancel call stop end revoke",
  "later schedule scheduled",
  "add new create make insert put",
  "new start open create begin",
  "write compose add draft create",
  "change edit update modify alter set correct replace fix",
  "rename name title",
  "find search look seek",
  "show see view look display read open",
  "list all browse",
  "message text chat sms",
  "mail email letter",
  "answer reply respond response",
  "forward pass",
  "silence mute quiet hush",
  "move reschedule shift postpone transfer",
  "event appointment meeting date dinner party",
  "calendar schedule agenda diary today tomorrow week",
  "day date today tomorrow yesterday deadline due monday tuesday wednesday thursday friday saturday sunday",
  "free available availability",
  "busy taken occupied",
  "guest attendee participant invitee coming attend",
  "accept confirm agree",
  "decline refuse reject deny",
  "remind reminder alert notify",
  "photo picture image snapshot",
  "album gallery",
  "todo task chore errand",
  "complete finish done tick check",
  "overdue late missed",
  "contact person friend people family sister brother mother father",
  "pay money payment amount dollars cash",
  "send transfer pay",
  "request ask demand",
  "balance money wallet funds have",
  "wallet balance purse",
  "spending spent expenses cost costs",
  "cost price expensive cheap cheaper",
  "expense bill cost",
  "owe owes debt debts balance",
  "refund return reimburse",
  "account bank",
  "transaction charge booking",
  "freeze block lock lost stolen",
  "block ban",
  "dispute wrong complain charge",
  "limit maximum cap",
  "raise lower limit set",
  "repeat weekly monthly daily every recurring standing",
  "month monthly",
  "week weekly",
  "order standing recurring",
  "order parcel package purchase delivery shipment",
  "buy purchase order",
  "cart basket trolley bag",
  "product item goods article thing something",
  "return back",
  "voucher discount coupon code promo",
  "review rating rate opinion stars",
  "save keep store remember bookmark",
  "saved wish favourite",
  "watch follow alert",
  "train flight bus ferry journey service timetable",
  "timetable times departures departure",
  "book reserve reservation booking ticket",
  "trip holiday vacation travel journey",
  "hotel room stay accommodation",
  "document passport visa identity licence papers",
  "expire expiry expires valid",
  "pack packing luggage suitcase",
  "seat window aisle place",
  "song track music tune",
  "artist band singer",
  "record album",
  "concert gig show",
  "upcoming ahead announced next come",
  "play listen hear",
  "most often top favourite",
  "volume loud quiet louder quieter",
  "file document",
  "folder directory",
  "read open view",
  "version older previous earlier history",
  "restore recover undelete bring undo",
  "trash deleted bin removed",
  "share access give invite let",
  "access permission role",
  "note memo",
  "notebook binder",
  "tag label category",
  "pin stick",
  "hide snooze",
  "copy cc duplicate",
  "unsubscribe newsletter",
  "rule filter automatic automatically",
  "react reaction heart emoji like thumbs",
  "vote poll survey",
  "leave quit exit",
  "group team",
  "member flatmate join",
  "phone number mobile telephone",
  "address street home",
  "birthday born birth",
  "gift present idea",
  "work job workplace company employer",
  "partner couple spouse husband wife",
  "unread read unseen",
  "profile own myself",
  "assign delegate give",
  "priority urgent important urgency",
  "step subtask",
  "login log password sign",
  "black monochrome white grey",
];

/** Past forms of common verbs that have no ending to cut. */
const PAST_FORMS: Readonly<Record<string, string>> = {
  bought: "buy",
  found: "find",
  gave: "give",
  heard: "hear",
  lent: "lend",
  made: "make",
  met: "meet",
  paid: "pay",
  sent: "send",
  spent: "spend",
  took: "take",
  written: "write",
  wrote: "write",
};

/** Cuts text into lower-case words of at least two characters; `sendMoney` becomes two words. */
export function splitWords(text: string): string[] {
  const split = text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  const plain = split.replace(/\be-?mail/g, "mail");
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
}

/** Returns the stems of the words in a text, without words that say nothing. */
export function stemWords(text: string): string[] {
  return splitWords(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem);
}

/** Returns the stems of the words that a query asks for. Each occurs once. */
export function readQuery(query: string): string[] {
  const plain = PHRASES.reduce(
    (text, [phrase, word]) => text.replace(phrase, word),
    query.toLowerCase(),
  );
  const stems = stemWords(plain);
  return [...new Set(stems.length > 0 ? stems : splitWords(query).map(stem))];
}

const ENDINGS = /(?:ations?|itions?|ments?|ings?|ers?|ed|ly|al|es)$/;

/**
 * Cuts the endings of a word, so that its forms become equal, such as `pay`, `paid` and `payments`, or `invite`,
 * `inviting` and `invitations`. At least three letters remain.
 */
export function stem(word: string): string {
  let rest = (PAST_FORMS[word] ?? word).replace(/(?<=..)ie[sd]$/, "y");
  if (rest.length > 3) rest = rest.replace(/(?<![su])s$/, "");
  const shorter = rest.replace(ENDINGS, "");
  if (shorter.length >= 3 && /[aeiouy]/.test(shorter)) rest = shorter;
  rest = rest.replace(/([^aeiouls])\1$/, "$1");
  return rest.length > 3 ? rest.replace(/[ey]$/, "") : rest;
}

const neighbours = new Map<string, Set<string>>();
for (const group of SYNONYMS) {
  const stems = group.split(" ").map(stem);
  for (const word of stems) {
    const known = neighbours.get(word) ?? new Set();
    neighbours.set(word, known);
    for (const other of stems) if (other !== word) known.add(other);
  }
}

/** Returns the stems that mean nearly the same as this one. */
export function synonymsOf(word: string): ReadonlySet<string> {
  return neighbours.get(word) ?? new Set();
}
