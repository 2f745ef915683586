/**
 * Invented music: artists, records, song titles and lyrics. None of it exists, and none of it contains a name, city or
 * place that belongs to a part of the population, so that tasks of any split may mention it.
 */
import type { Rng } from "bowline/world";
import type { Genre } from "../apps/music/tables.ts";

const splitPhrases = (text: string): string[] => text.split(",").map((phrase) => phrase.trim());

/** The artists by genre. The first artist of each genre has the most records. */
export const ARTISTS: { readonly [G in Genre]: readonly string[] } = {
  ambient: splitPhrases("Pale Meridian, Slow Tundra, Ninefold Hush, The Drift Office"),
  blues: splitPhrases("Marrow and Rye, Big Lantern Joe, The Crooked Mile Band, Sister Thimble"),
  country: splitPhrases("Dusty Almanac, The Saddle Clerks, Prairie Telephone, Honest Wagon"),
  electronic: splitPhrases("Volt Orchard, Kilobyte Moon, The Square Waves, Neon Pharmacist"),
  folk: splitPhrases("The Paper Herons, Juniper Fable, Barley Moth, Two Left Oars, Hollow Acorn"),
  jazz: splitPhrases(
    "The Velvet Ledger, Opal Quartet, Cobalt Trombone, Midnight Parcel, Sable Five",
  ),
  pop: splitPhrases("Sugar Comet, Polka Dot Radar, The Afterglows, Lemon Parade, Kite Weather"),
  rock: splitPhrases(
    "Iron Sparrow, Gravel Choir, The Loud Librarians, Ash Parliament, Tin Volcano",
  ),
  soul: splitPhrases("Honey Tribunal, The Warm Cassettes, Satin Elevator, Deep Pocket Revue"),
};

const FIRST = splitPhrases(`
  Paper, Velvet, Hollow, Distant, Electric, Crooked, Quiet, Broken, Sunday, Midnight, Borrowed, Restless, Salted,
  Folded, Wooden, Northern, Painted, Burning, Second, Tender, Narrow, Careless, Frozen, Wandering`);
const SECOND = splitPhrases(`
  Compass, Harvest, Window, Letter, Feather, Engine, Candle, Ladder, Mirror, Station, Ribbon, Shadow, Orchard, Signal,
  Pocket, Tide, Thunder, Staircase, Suitcase, Meadow, Whistle, Ember, Horizon, Blanket`);
const SHAPES: readonly ((a: string, b: string) => string)[] = [
  (a, b) => `${a} ${b}`,
  (a, b) => `${a} ${b}s`,
  (a, b) => `The ${a} ${b}`,
  (a, b) => `My ${a} ${b}`,
  (a, b) => `Another ${a} ${b}`,
  (a, b) => `${b} Made of ${a} Light`,
];

/** Draws so many song titles, which are all different. */
export function drawSongTitles(rng: Rng, count: number): string[] {
  const pairs = rng.shuffle(FIRST.flatMap((a) => SECOND.map((b) => [a, b] as const)));
  return pairs.slice(0, count).map(([a, b]) => rng.pick(SHAPES)(a, b));
}

export const RECORDS = splitPhrases(`
  Postcards from Nowhere, A House with No Clocks, Low Season, Weatherproof, The Long Way Down, Kitchen Recordings,
  Unsent, Ten Past Everything, Static Bloom, Meadow Notes, Every Other Tuesday, The Understudy, Room Temperature,
  Spare Change, Night Bus, Small Hours, Left Luggage, Ordinary Magic, Tidal, The Waiting List, Second Draft,
  Soft Machinery, Lost and Found, Plain Speech, A Slow Goodbye, Daylight Savings, Echo Chamber Music, Borrowed Time,
  Open Windows, The Far Shelf, Good Company, Wallpaper, Nine Lives, Undertow, Hand Luggage, Loose Threads, Afterimage,
  No Fixed Address, Sleepwalking, Home Movies, The Last Tram, Carousel, Hindsight, Back Stairs, Common Ground,
  Unfinished Business, Passing Places, Radio Silence, Window Seat, The Wrong Umbrella, Evening Edition, Dry Season,
  Half Asleep, The Easy Part, Signal to Noise, Porch Songs, Fair Warning, Rehearsals, Seven Doors, Lanterns`);

const OPENINGS = splitPhrases(`
  I kept your, You left a, We carried the, She painted her, They buried the, Nobody saw the, I dreamed of a,
  He traded his, We followed a, I folded the`);
const ENDINGS = splitPhrases(`
  under the stairs, by the tide, in the rain, on the last train, behind the moon, for a song, at the border,
  beside the fire, over the hill, before the dawn`);
const REFRAINS = [
  "and the tide comes in again",
  "oh, but the night is long",
  "so turn the radio low",
  "and I will wait for you",
  "hold on, hold on, hold on",
  "all the way home tonight",
  "nobody knows the words",
  "and we were never late",
] as const;

/** Makes three lines of lyrics. The first line is different for each of the first 480 songs. */
export function makeLyrics(rng: Rng, title: string, number: number): string {
  const things = SECOND.map((word) => word.toLowerCase());
  const opening = OPENINGS[number % OPENINGS.length]!;
  const thing = things[Math.floor(number / OPENINGS.length) % things.length]!;
  const round = Math.floor(number / (OPENINGS.length * things.length));
  const ending = ENDINGS[(number + round) % ENDINGS.length]!;
  return `${opening} ${thing} ${ending}\n${title}, ${title.toLowerCase()}\n${rng.pick(REFRAINS)}`;
}

/** The names and descriptions of the owner's own playlists. */
export const OWN_PLAYLISTS = [
  ["Slow mornings", "For the first coffee."],
  ["Rainy windows", "Quiet ones."],
  ["Long drives", "Nothing that makes me sleepy."],
  ["Kitchen dancing", "Loud and short."],
  ["Deep focus", "No words, if possible."],
  ["Sunday sofa", "With the newspaper."],
  ["Running fast", "At least two beats a step."],
  ["Songs to learn", "On the guitar, one day."],
  ["Guests are coming", "Nobody minds these."],
  ["Late trains", "For the way back."],
  ["Old favourites", "From the first years."],
  ["Bath time", "Warm ones."],
  ["Cleaning day", "One hour, then stop."],
  ["Under the stars", "For the balcony in August."],
  ["Brass and strings", "Everything with a trumpet."],
  ["To hear again", "Heard once, somewhere."],
] as const;

/** The names of the playlists of contacts. */
export const FRIENDS_PLAYLISTS = splitPhrases(`
  Balcony tunes, Songs my aunt sang, Gym noise, Vinyl finds, Three chords only, Candlelight, Bus stop hits,
  Painting the flat, Homework music, Saxophone heaven, Tears and tea, Road snacks, Before the party, Lullabies,
  Banjo club, Bass and nothing else, Eight in the morning, Songs about boats, Half forgotten, One hit only,
  Slow dances, Garage days, Choir practice, Headphones on, Weekday blues`);

export const VENUES = splitPhrases(`
  Velvet Room, Dockside Hall, The Paper Mill Stage, Cinema Nova, Brick Works, Roundhouse Nine, The Tram Shed,
  Opera Cellar, Lighthouse Club, The Boiler Room, Pier Ballroom, Attic Theatre, Market Arena, The Glass Tent`);

export const TIP_NOTES = [
  "you will like the ending",
  "this one made me think of you",
  "play it loud",
  "heard it on the radio",
  "wait for the second verse",
  "for your next drive",
  "",
] as const;
