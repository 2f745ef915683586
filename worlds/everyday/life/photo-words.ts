/** The words of photos: captions, titles, tags and comments. None of them names a person, a city or a place. */
import type { HappeningKind } from "./life.ts";

export const CAPTIONS: { readonly [K in HappeningKind]: readonly string[] } = {
  dinner: ["The long table", "Dessert at last", "Before the soup", "One more toast", "The menu"],
  trip: ["View from the lodge", "On the jetty", "Muddy boots", "First morning", "The wrong turn"],
  concert: ["First song", "From the balcony", "The encore", "Lights on", "In the queue"],
  birthday: ["The cake", "Blowing out the candles", "Paper hats", "All the gifts", "The surprise"],
  match: ["Before the kick-off", "The second goal", "Our row", "Scarves up", "After the whistle"],
  workshop: ["First try", "Clay everywhere", "The teacher", "What came out", "Concentration"],
  picnic: ["Blanket and basket", "Bread and cheese", "The nap", "Ducks", "Clouds coming in"],
};

export const EVERYDAY = [
  "The balcony in the morning",
  "New shelf",
  "Snow on the roof",
  "The neighbour's cat",
  "Sunday bread",
  "Broken bicycle",
  "A very red sky",
  "First tomatoes",
  "The empty street",
  "Parking spot",
  "Library window",
  "Too many leaves",
  "Fog",
  "Market stall",
  "The old radio",
] as const;

export const SCANS = [
  "Rental contract",
  "Warranty of the oven",
  "Recipe for plum cake",
  "Recipe for lentil soup",
  "Insurance card",
  "School certificate",
  "Receipt of the lamp",
  "Receipt of the boots",
  "Library card",
  "Vaccination card",
  "Letter from the tax office",
  "Map of the allotment",
  "Piano score",
  "Bus pass",
] as const;

export const ALBUMS = [
  "Balcony",
  "Best of the year",
  "Papers",
  "Cats of the street",
  "Recipes to keep",
  "Skies",
  "Receipts",
  "Things to repair",
  "For the living room",
  "Bread diary",
  "Walks",
  "Blurry ones",
] as const;

export const TAGS = [
  "to print",
  "family album",
  "for the wall",
  "blurry",
  "work",
  "garden",
  "food",
  "sunset",
  "to edit",
] as const;

export const COMMENTS = [
  "What a day that was!",
  "Send me this one, please.",
  "Look at those shoes.",
  "I had forgotten about that.",
  "My favourite of all.",
  "Who took this?",
  "We should go again.",
  "The light is lovely.",
  "That was before the rain.",
  "Best seats in the house.",
] as const;

export const NOTES = [
  "you look great here",
  "as promised",
  "for your album",
  "found this one",
  "remember?",
  "",
] as const;
