/**
 * The shop's catalogue: about 250 products, made from words by a rule.
 *
 * A name is a style and a thing, so things have near namesakes (`Wide soup pot`, `Small soup pot`). Material, weight and
 * pages stand in the description alone: they are facts that one has to read.
 */
import type { Rng, Writer } from "bowline/world";
import {
  type Category,
  options,
  type Product,
  products,
  questionAnswers,
  questions,
} from "../apps/shop/tables.ts";
import { earlier } from "../population/time.ts";

interface Shelf {
  readonly things: readonly string[];
  readonly brands: readonly string[];
  readonly materials: readonly string[];
  /** Dollars from and to. */
  readonly price: readonly [number, number];
  /** Grams from and to. */
  readonly weight: readonly [number, number];
  readonly options: readonly string[];
}

const words = (text: string) => text.split(",").map((word) => word.trim());

const SHELVES: { readonly [C in Exclude<Category, "books">]: Shelf } = {
  kitchen: {
    things:
      words(`soup pot, bread knife, mixing bowl, cutting board, pepper mill, baking tray, tea pot, salad bowl,
      storage jar, frying pan, milk jug, cake tin`),
    brands: words("Halden, Oakrow, Tindra, Bellmont"),
    materials: words("steel, ceramic, bamboo, beech, glass"),
    price: [9, 85],
    weight: [180, 2400],
    options: words("white, blue, grey"),
  },
  garden: {
    things:
      words(`watering can, hand rake, flower pot, plant stand, seed box, garden hose, pruning shears, bird house,
      herb planter, compost bin, garden stool, rain gauge`),
    brands: words("Fernway, Oakrow, Tindra, Mosswell"),
    materials: words("zinc, cedar, terracotta, steel, larch"),
    price: [8, 95],
    weight: [220, 5200],
    options: words("green, grey"),
  },
  clothing: {
    things:
      words(`rain jacket, wool sweater, linen shirt, scarf, pair of gloves, beanie, cardigan, vest, pair of socks,
      belt, sun hat, fleece`),
    brands: words("Northam, Quillon, Wrenfield, Mosswell"),
    materials: words("wool, linen, cotton, fleece, leather"),
    price: [11, 140],
    weight: [60, 900],
    options: words("small, medium, large"),
  },
  electronics: {
    things:
      words(`desk lamp, radio, speaker, alarm clock, phone charger, torch, headset, kitchen scale, weather station,
      door bell, keyboard, fan heater`),
    brands: words("Lumo, Arvell, Kestra, Dynora"),
    materials: words("aluminium, recycled plastic, brass, bamboo"),
    price: [14, 180],
    weight: [90, 2100],
    options: words("black, silver"),
  },
  toys: {
    things:
      words(`train set, puzzle, doll house, kite, marble run, board game, stuffed bear, building set, toy piano,
      chess set, spinning top, rocking horse`),
    brands: words("Pipkin, Marlo, Tumble, Wrenfield"),
    materials: words("beech, maple, cardboard, cotton, felt"),
    price: [7, 90],
    weight: [80, 3100],
    options: words("red, yellow"),
  },
  sports: {
    things:
      words(`yoga mat, football, tennis racket, jump rope, water bottle, swim cap, bike lock, hand weight,
      running belt, climbing rope, table tennis bat, sledge`),
    brands: words("Northam, Stride, Velora, Kestra"),
    materials: words("cork, rubber, aluminium, nylon, steel"),
    price: [8, 120],
    weight: [70, 4200],
    options: words("blue, orange, black"),
  },
  stationery: {
    things:
      words(`notebook, fountain pen, pencil case, wall calendar, sketch pad, letter set, desk tidy, paper lamp,
      ink set, stamp box, address book, ring binder`),
    brands: words("Inkwell, Quillon, Paperlane, Arvell"),
    materials: words("recycled paper, leather, cardboard, brass, cotton"),
    price: [5, 60],
    weight: [40, 800],
    options: words("lined, plain, dotted"),
  },
  home: {
    things:
      words(`wool blanket, floor lamp, picture frame, cushion, wall clock, coat rack, candle holder, laundry basket,
      door mat, mirror, side table, vase`),
    brands: words("Halden, Tindra, Bellmont, Lumo"),
    materials: words("oak, linen, glass, wool, rattan"),
    price: [12, 190],
    weight: [150, 6800],
    options: words("light, dark"),
  },
  outdoors: {
    things:
      words(`tent, sleeping bag, camping stove, day pack, trekking pole, head lamp, picnic blanket, water filter,
      hammock, cooler box, map case, folding chair`),
    brands: words("Fernway, Stride, Northam, Velora"),
    materials: words("nylon, canvas, aluminium, titanium, cotton"),
    price: [10, 240],
    weight: [60, 4900],
    options: words("green, orange"),
  },
};

const STYLES = words("Small, Wide, Classic, Folding, Light, Round, Plain, Sturdy");

const BOOKS = {
  first: words("Salt, Paper, Northern, Silent, Crooked, Distant"),
  second: words("Garden, River, Orchard, Lighthouse, Station"),
  brands: words("Lantern Press, North Quay Books, Paper Heron, Old Mill Press"),
  kinds: words("A novel, Short stories, A travel diary, A cookery book, Essays"),
} as const;

/** Things of a shelf: each in two styles, the first in three. */
const PER_THING = 2;

export function addGoods(db: Writer, rng: Rng): readonly Product[] {
  const prices = new Set<number>();
  const price = (own: Rng, low: number, high: number) => {
    const whole = low + Math.floor((high - low) * own.uniform() ** 2);
    let cents = 100 * whole + own.pick([0, 20, 49, 50, 90, 95, 99]);
    while (prices.has(cents)) cents += 5;
    prices.add(cents);
    return cents;
  };
  const shelves = Object.entries(SHELVES).flatMap(([category, shelf]) =>
    shelf.things.flatMap((thing, i) =>
      rng
        .child(thing)
        .sample(STYLES, i === 0 ? PER_THING + 1 : PER_THING)
        .map((style) =>
          goods(rng.child(`${style} ${thing}`), category as Category, shelf, style, thing),
        ),
    ),
  );
  const drafts = [...shelves, ...books(rng.child("books"))];
  return rng
    .child("order")
    .shuffle(drafts)
    .map(({ choice, range, ...draft }, i) => {
      const own = rng.child(i);
      const [low, high] = range;
      const row = db.insert(products, { ...draft, cents: price(own, low, high), rating: null });
      addOptions(db, own.child("stock"), row.id, choice);
      return row;
    });
}

interface Draft extends Omit<Product, "id" | "cents" | "rating"> {
  readonly choice: readonly string[];
  readonly range: readonly [number, number];
}

function goods(rng: Rng, category: Category, shelf: Shelf, style: string, thing: string): Draft {
  const material = rng.pick(shelf.materials);
  const weight = 10 * rng.integer(shelf.weight[0] / 10, shelf.weight[1] / 10);
  const months = rng.pick([12, 24, 36, 60]);
  const manners = rng.pick(["for every day", "for many years", "for small homes", "for two"]);
  return {
    name: `${style} ${thing}`,
    brand: rng.pick(shelf.brands),
    category,
    description: `A ${thing.replace(/^pair/, "good pair")} ${manners}. Made of ${material}. Weighs ${weight} g. Guarantee: ${months} months.`,
    days: rng.integer(1, 9),
    choice: rng.chance(0.6) ? shelf.options : ["standard"],
    range: shelf.price,
  };
}

function books(rng: Rng): Draft[] {
  const titles = BOOKS.first.flatMap((a) => BOOKS.second.map((b) => `The ${a} ${b}`));
  return rng.sample(titles, 25).map((name, i) => {
    const own = rng.child(i);
    const binding = own.pick(["paperback", "hardcover"]);
    return {
      name,
      brand: own.pick(BOOKS.brands),
      category: "books",
      description: `${own.pick(BOOKS.kinds)}, ${binding}, ${own.integer(90, 720)} pages. Weighs ${10 * own.integer(12, 118)} g. First printed in ${own.integer(1962, 2025)}.`,
      days: own.integer(1, 6),
      choice: ["standard"],
      range: [6, 38],
    };
  });
}

/** About one product in twelve is sold out. */
function addOptions(db: Writer, rng: Rng, product: number, names: readonly string[]): void {
  const gone = rng.chance(1 / 12);
  for (const name of names) {
    const stock = gone || rng.chance(0.1) ? 0 : rng.integer(6, 60);
    db.insert(options, { product, name, stock });
  }
}

// --- questions ---

const QUESTIONS: readonly (readonly [question: string, answers: readonly string[]])[] = [
  ["Is it safe in the dishwasher?", ["Yes, on the lower rack.", "Better wash it by hand."]],
  ["How long is the guarantee?", ["It stands in the description.", "Mine came with a card."]],
  ["Does it smell when it is new?", ["A little, for two days.", "Not at all."]],
  ["Is the colour as in the picture?", ["A bit darker.", "Yes, exactly."]],
  ["Can I get spare parts?", ["I wrote to the maker and got one.", "I doubt it."]],
  ["Would it suit a child of eight?", ["My niece loves it.", "I would wait two years."]],
  ["Is it made to last?", ["Five years and counting.", "So far so good."]],
  ["Does it fit into a small car?", ["Folded, yes.", "Only on the back seat."]],
];

export const PEN_NAMES =
  words(`quiet_reader, hilltop, moss, tin_drum, longway, bluebird7, porridge, old_salt, marigold,
  two_left_feet, north_wind, pebble, the_gardener, lamp_post, sundial, third_floor`);

export function addQuestions(db: Writer, rng: Rng, goods: readonly Product[], count: number): void {
  for (const [i, product] of rng.sample(goods, count).entries()) {
    const [text, replies] = rng.pick(QUESTIONS);
    const author = i % 9 === 4 ? null : rng.pick(PEN_NAMES);
    const question = db.insert(questions, { product: product.id, author, text, at: earlier(rng) });
    if (i % 3 === 0) continue;
    for (const reply of rng.sample(replies, rng.integer(1, 2))) {
      const by = rng.pick(PEN_NAMES);
      const at = "2026-03-10T08:00:00Z";
      db.insert(questionAnswers, { question: question.id, author: by, text: reply, at });
    }
  }
}
