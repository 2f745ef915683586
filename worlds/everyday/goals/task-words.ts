/** The texts that tasks mention. Every word occurs in many tasks, so that no word is rare in training. */

export const TEXTS = [
  "see you soon",
  "dinner is at seven",
  "thank you for the help",
  "the meeting is moved to noon",
  "please call me back",
  "the tickets are here",
  "happy birthday",
  "the train is late",
  "bring warm clothes",
  "the door code is new",
  "lunch is on me",
  "we start at nine",
] as const;

export const SUBJECTS = [
  "lunch plan",
  "team photos",
  "new address",
  "summer trip",
  "road work",
  "choir night",
  "spare keys",
  "garden day",
] as const;

/** Labels that a task may set. These labels, like the tags and lists below, need not exist before the task. */
export const LABELS = ["family", "urgent", "later", "bills", "trips", "school"] as const;
export const TAGS = ["ideas", "home", "recipes", "garden", "money", "books"] as const;
export const LISTS = ["errands", "work", "house", "weekend", "reading"] as const;
export const TEAMS = [
  "team blue",
  "night shift",
  "street party",
  "quiz team",
  "lake trip",
] as const;

/** Things that a task may ask to pay for. Their prices are in notes. */
export const PRICED = [
  "gym fee",
  "bus pass",
  "team gift",
  "boat hire",
  "pizza night",
  "tent rent",
] as const;

export const TITLES = [
  "water the plants",
  "fix the bike",
  "buy stamps",
  "clean the oven",
  "return the drill",
  "book a table",
  "sort old papers",
  "wash the car",
  "order paint",
  "feed the cat",
  "plan the route",
  "check the roof",
] as const;

export const DAYS = [
  "2026-03-14",
  "2026-03-17",
  "2026-03-19",
  "2026-03-23",
  "2026-03-26",
  "2026-03-30",
] as const;

/** The words that a task may search for. No row of the population contains one of them. */
export const TOPICS = [
  "picnic",
  "ladder",
  "sledge",
  "canoe",
  "puzzle",
  "lantern",
  "carpet",
  "violin",
  "harbour",
  "compass",
] as const;
