/** The words of mails: texts before and after a happening, and texts that have nothing to do with a happening. */
import type { Profile } from "bowline/world";
import type { HappeningKind } from "../life.ts";
import { firstName } from "../owner.ts";

/** Practical facts that a guest has to know. A mail contains at most one. */
export const FACTS: { readonly [K in HappeningKind]: readonly string[] } = {
  dinner: [
    "The table is booked under my name.",
    "They only take cash.",
    "The kitchen closes at ten, so please be on time.",
  ],
  trip: [
    "Bring walking shoes and a towel.",
    "There are no shops nearby, so we carry everything.",
    "The key hangs behind the woodshed.",
  ],
  concert: [
    "The doors open half an hour before.",
    "Big bags have to stay outside.",
    "Our seats are in row eight.",
  ],
  birthday: [
    "It is a surprise, so not a word to anyone.",
    "There will be cake at four.",
    "We meet at the side entrance.",
  ],
  match: [
    "We sit in the north stand.",
    "The train is full on such days, so leave early.",
    "Bring a warm scarf.",
  ],
  workshop: [
    "Bring old clothes, it will be dusty.",
    "Everything we need is on the tables.",
    "There is a kettle but no lunch.",
  ],
  picnic: [
    "Bring something to sit on.",
    "If it rains we meet under the bridge.",
    "I bring plates for everybody.",
  ],
};

export const THANKS = [
  "It was a lovely time. The pictures are attached.",
  "Here are the pictures that I took. You look good in the second one.",
  "As promised, the pictures. Thank you for being there.",
] as const;

export const ACCEPTANCES = [
  "Thank you, I will be there.",
  "Count me in.",
  "Gladly, see you there.",
  "I think I can come. I will tell you by tomorrow.",
] as const;

/** The sentences with which a host ends an exchange of mails. */
export const CLOSINGS = [
  "Great, see you then.",
  "Wonderful!",
  "Good. I will save you a seat.",
] as const;

/** Answers that make sense after any letter. */
export const ANSWERS = [
  "Thank you for telling me. I will think about it.",
  "Yes, gladly. When shall I come by?",
  "I am not sure yet. Ask me again next week.",
  "Sorry, I cannot this time.",
  "Good that you ask. I will call you tonight.",
  "Let me look it up first.",
] as const;

/** The services for which contacts send invoices. */
export const SERVICES = [
  "garden work",
  "bike repair",
  "piano lessons",
  "window cleaning",
  "dog walking",
  "firewood",
  "translation",
  "tutoring",
  "van rental",
  "picture frames",
  "tax advice",
  "house painting",
] as const;

/** The matters that letters are about. There are more than in the starter, so that most subjects are different. */
export const MATTERS = [
  { subject: "Spare room in May", body: "The room is free from the second week. Shall I keep it?" },
  { subject: "Your old bicycle", body: "Somebody asked whether it is for sale. What do I say?" },
  { subject: "Seeds for the balcony", body: "I have far too many. Take as many as you like." },
  { subject: "The broken heater", body: "It is cold again in the hall. Who could look at it?" },
  { subject: "A job that may suit you", body: "They look for someone two days a week." },
  { subject: "Language evening", body: "We are five now and need a bigger table." },
  { subject: "Sunday walk", body: "The long way round the lake, if the weather holds." },
  { subject: "Your parcel", body: "It was left with me. I am home after six." },
  { subject: "Quiet hours", body: "Could you keep it down after ten? The baby sleeps badly." },
  { subject: "Recipe, as promised", body: "A pinch of salt, and do not open the oven." },
  { subject: "Half a load of sand", body: "The rest of it is yours if you can fetch it." },
  { subject: "New number", body: "The old one stops working at the end of the month." },
  { subject: "Choir in the old hall", body: "We need two more low voices. Do you know anyone?" },
  { subject: "Lost glove", body: "A left one, dark blue. Did it end up in your car?" },
  { subject: "Map of the paths", body: "I drew in the new bridge. The rest is as it was." },
  { subject: "Second-hand desk", body: "It is heavy but solid. You would need a van." },
  { subject: "About last night", body: "I said more than I wanted. Let us forget it." },
  { subject: "Cat for two weeks", body: "She eats little and sleeps a lot. Would you have her?" },
  { subject: "Exam on Thursday", body: "Keep your fingers crossed for me, please." },
  { subject: "Insurance papers", body: "They want the original, not a copy." },
  { subject: "Chairs from the cellar", body: "We need eleven of them. Can you open the door?" },
  { subject: "A book for you", body: "The one we talked about. I put it into your letter box." },
  { subject: "Slow internet", body: "Is it slow at your place as well, or only here?" },
  { subject: "Old school friends", body: "Some of them want to meet in the summer." },
] as const;

/** The names of newsletters. Each part gets a few, so that no editor writes for two parts of the population. */
export const NEWSLETTERS = [
  "River News",
  "Letter from the Hill",
  "Slow Kitchen",
  "Chess Corner",
  "Open Windows",
  "Small Gardens",
  "Night Trains",
  "Paper and Ink",
  "Weather Watch",
  "The Bell Tower",
  "Old Maps",
  "Second Hand",
  "Bread Weekly",
  "Long Walks",
  "Quiet Radio",
] as const;

export const STORIES = [
  "why everybody bakes again",
  "an interview with a lighthouse keeper",
  "ten things to do without money",
  "how to read a timetable",
  "the return of the wooden spoon",
  "what the neighbours say",
] as const;

/** The names of mailing lists. Each part gets a few. */
export const MAILING_LISTS = [
  "saturday helpers",
  "street news",
  "lunch crowd",
  "car sharers",
  "old classmates",
  "stage crew",
  "soup kitchen",
  "early swimmers",
  "repair evening",
  "map makers",
  "tea drinkers",
  "night owls",
  "box carriers",
  "song writers",
  "bread bakers",
] as const;

export const TEMPLATES = [
  {
    name: "thanks",
    subject: "Thank you, {name}",
    body: "Dear {name}, thank you for your help. It meant a lot to me.",
  },
  {
    name: "late answer",
    subject: "Sorry for the silence",
    body: "Dear {name}, sorry that it took me so long. I have read everything now.",
  },
  {
    name: "out of town",
    subject: "I am away",
    body: "Hello {name}, I am away until Monday and will answer then.",
  },
  {
    name: "new address",
    subject: "My new address",
    body: "Hello {name}, I have moved to 14 Mill Lane. The telephone number stays.",
  },
  {
    name: "invitation",
    subject: "Come over, {name}",
    body: "Dear {name}, the door is open on Sunday from three. Bring whom you like.",
  },
  {
    name: "receipt missing",
    subject: "A receipt is missing",
    body: "Hello {name}, I still need your receipt. A photo of it is enough.",
  },
] as const;

/** Returns the texts of the owner's signatures. */
export const makeSignatures = (owner: Profile) => [
  { name: "plain", text: owner.name, usual: true },
  { name: "work", text: `${owner.name}, ${owner.phone}, mornings only`, usual: false },
  { name: "warm", text: `With love, ${firstName(owner)}`, usual: false },
  { name: "phone", text: `Sent on the way. ${firstName(owner)}`, usual: false },
];
