/**
 * Writes the shop's catalogue: about 250 products, made from words by a rule.
 *
 * A name is a style and a thing, so that many products have similar names (`Wide soup pot`, `Small soup pot`).
 * Material, weight and number of pages are only in the description of a product.
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
import { drawPastInstant } from "../population/time.ts";

interface CategoryWords {
  readonly things: readonly string[];
  readonly brands: readonly string[];
  readonly materials: readonly string[];
  /** The lowest and the highest price, in dollars. */
  readonly price: readonly [number, number];
  /** The lowest and the highest weight, in grams. */
  readonly weight: readonly [number, number];
  readonly options: readonly string[];
}

const splitWords = (text: string) => text.split(",").map((word) => word.trim());

const CATEGORY_WORDS: { readonly [C in Exclude<Category, "books">]: CategoryWords } = {
  kitchen: {
    things:
      splitWords(`soup pot, bread knife, mixing bowl, cutting board, pepper mill, baking tray, tea pot, salad bowl,
      storage jar, frying pan, milk jug, cake tin`),
    brands: splitWords("Halden, Oakrow, Tindra, Bellmont"),
    materials: splitWords("steel, ceramic, bamboo, beech, glass"),
    price: [9, 85],
    weight: [180, 2400],
    options: splitWords("white, blue, grey"),
  },
  garden: {
    things:
      splitWords(`watering can, hand rake, flower pot, plant stand, seed box, garden hose, pruning shears, bird house,
      herb planter, compost bin, garden stool, rain gauge`),
    brands: splitWords("Fernway, Oakrow, Tindra, Mosswell"),
    materials: splitWords("zinc, cedar, terracotta, steel, larch"),
    price: [8, 95],
    weight: [220, 5200],
    options: splitWords("green, grey"),
  },
  clothing: {
    things:
      splitWords(`rain jacket, wool sweater, linen shirt, scarf, pair of gloves, beanie, cardigan, vest, pair of socks,
      belt, sun hat, fleece`),
    brands: splitWords("Northam, Quillon, Wrenfield, Mosswell"),
    materials: splitWords("wool, linen, cotton, fleece, leather"),
    price: [11, 140],
    weight: [60, 900],
    options: splitWords("small, medium, large"),
  },
  electronics: {
    things:
      splitWords(`desk lamp, radio, speaker, alarm clock, phone charger, torch, headset, kitchen scale, weather station,
      door bell, keyboard, fan heater`),
    brands: splitWords("Lumo, Arvell, Kestra, Dynora"),
    materials: splitWords("aluminium, recycled plastic, brass, bamboo"),
    price: [14, 180],
    weight: [90, 2100],
    options: splitWords("black, silver"),
  },
  toys: {
    things:
      splitWords(`train set, puzzle, doll house, kite, marble run, board game, stuffed bear, building set, toy piano,
      chess set, spinning top, rocking horse`),
    brands: splitWords("Pipkin, Marlo, Tumble, Wrenfield"),
    materials: splitWords("beech, maple, cardboard, cotton, felt"),
    price: [7, 90],
    weight: [80, 3100],
    options: splitWords("red, yellow"),
  },
  sports: {
    things:
      splitWords(`yoga mat, football, tennis racket, jump rope, water bottle, swim cap, bike lock, hand weight,
      running belt, climbing rope, table tennis bat, sledge`),
    brands: splitWords("Northam, Stride, Velora, Kestra"),
    materials: splitWords("cork, rubber, aluminium, nylon, steel"),
    price: [8, 120],
    weight: [70, 4200],
    options: splitWords("blue, orange, black"),
  },
  stationery: {
    things:
      splitWords(`notebook, fountain pen, pencil case, wall calendar, sketch pad, letter set, desk tidy, paper lamp,
      ink set, stamp box, address book, ring binder`),
    brands: splitWords("Inkwell, Quillon, Paperlane, Arvell"),
    materials: splitWords("recycled paper, leather, cardboard, brass, cotton"),
    price: [5, 60],
    weight: [40, 800],
    options: splitWords("lined, plain, dotted"),
  },
  home: {
    things:
      splitWords(`wool blanket, floor lamp, picture frame, cushion, wall clock, coat rack, candle holder, laundry basket,
      door mat, mirror, side table, vase`),
    brands: splitWords("Halden, Tindra, Bellmont, Lumo"),
    materials: splitWords("oak, linen, glass, wool, rattan"),
    price: [12, 190],
    weight: [150, 6800],
    options: splitWords("light, dark"),
  },
  outdoors: {
    things:
      splitWords(`tent, sleeping bag, camping stove, day pack, trekking pole, head lamp, picnic blanket, water filter,
      hammock, cooler box, map case, folding chair`),
    brands: splitWords("Fernway, Stride, Northam, Velora"),
    materials: splitWords("nylon, canvas, aluminium, titanium, cotton"),
    price: [10, 240],
    weight: [60, 4900],
    options: splitWords("green, orange"),
  },
};

const STYLES = splitWords("Small, Wide, Classic, Folding, Light, Round, Plain, Sturdy");

const BOOKS = {
  first: splitWords("Salt, Paper, Northern, Silent, Crooked, Distant"),
  second: splitWords("Garden, River, Orchard, Lighthouse, Station"),
  brands: splitWords("Lantern Press, North Quay Books, Paper Heron, Old Mill Press"),
  kinds: splitWords("A novel, Short stories, A travel diary, A cookery book, Essays"),
} as const;

/** The number of products that are made from each thing of a category. The first thing gets one more product. */
const PRODUCTS_PER_THING = 2;

export function addGoods(db: Writer, rng: Rng): readonly Product[] {
  const prices = new Set<number>();
  const drawPrice = (own: Rng, low: number, high: number) => {
    const whole = low + Math.floor((high - low) * own.uniform() ** 2);
    let cents = 100 * whole + own.pick([0, 20, 49, 50, 90, 95, 99]);
    while (prices.has(cents)) cents += 5;
    prices.add(cents);
    return cents;
  };
  const shelves = Object.entries(CATEGORY_WORDS).flatMap(([category, shelf]) =>
    shelf.things.flatMap((thing, i) =>
      rng
        .child(thing)
        .sample(STYLES, i === 0 ? PRODUCTS_PER_THING + 1 : PRODUCTS_PER_THING)
        .map((style) =>
          draftProduct(rng.child(`${style} ${thing}`), category as Category, shelf, style, thing),
        ),
    ),
  );
  const drafts = [...shelves, ...draftBooks(rng.child("books"))];
  return rng
    .child("order")
    .shuffle(drafts)
    .map(({ choice, range, ...draft }, i) => {
      const own = rng.child(i);
      const [low, high] = range;
      const row = db.insert(products, { ...draft, cents: drawPrice(own, low, high), rating: null });
      addOptions(db, own.child("stock"), row.id, choice);
      return row;
    });
}

interface ProductDraft extends Omit<Product, "id" | "cents" | "rating"> {
  readonly choice: readonly string[];
  readonly range: readonly [number, number];
}

function draftProduct(
  rng: Rng,
  category: Category,
  words: CategoryWords,
  style: string,
  thing: string,
): ProductDraft {
  const material = rng.pick(words.materials);
  const weight = 10 * rng.integer(words.weight[0] / 10, words.weight[1] / 10);
  const months = rng.pick([12, 24, 36, 60]);
  const manners = rng.pick(["for every day", "for many years", "for small homes", "for two"]);
  return {
    name: `${style} ${thing}`,
    brand: rng.pick(words.brands),
    category,
    description: `A ${thing.replace(/^pair/, "good pair")} ${manners}. Made of ${material}. Weighs ${weight} g. Guarantee: ${months} months.`,
    days: rng.integer(1, 9),
    choice: rng.chance(0.6) ? words.options : ["standard"],
    range: words.price,
  };
}

function draftBooks(rng: Rng): ProductDraft[] {
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

/** Adds the options of a product. About one product in twelve is sold out. */
function addOptions(db: Writer, rng: Rng, product: number, names: readonly string[]): void {
  const isSoldOut = rng.chance(1 / 12);
  for (const name of names) {
    const stock = isSoldOut || rng.chance(0.1) ? 0 : rng.integer(6, 60);
    db.insert(options, { product, name, stock });
  }
}

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
  splitWords(`quiet_reader, hilltop, moss, tin_drum, longway, bluebird7, porridge, old_salt, marigold,
  two_left_feet, north_wind, pebble, the_gardener, lamp_post, sundial, third_floor`);

export function addQuestions(db: Writer, rng: Rng, goods: readonly Product[], count: number): void {
  for (const [i, product] of rng.sample(goods, count).entries()) {
    const [text, replies] = rng.pick(QUESTIONS);
    const author = i % 9 === 4 ? null : rng.pick(PEN_NAMES);
    const question = db.insert(questions, {
      product: product.id,
      author,
      text,
      at: drawPastInstant(rng),
    });
    if (i % 3 === 0) continue;
    for (const reply of rng.sample(replies, rng.integer(1, 2))) {
      const by = rng.pick(PEN_NAMES);
      const at = "2026-03-10T08:00:00Z";
      db.insert(questionAnswers, { question: question.id, author: by, text: reply, at });
    }
  }
}
