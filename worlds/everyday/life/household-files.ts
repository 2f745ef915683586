/**
 * Makes the files of a household that have nothing to do with happenings: stock, prices, meters, instructions.
 * `density` decides how many files there are.
 */
import type { Rng } from "bowline/world";
import { dayFromStart } from "../population/time.ts";

export interface PlainFile {
  readonly path: string;
  readonly text: string;
  readonly day: string;
}

export function makeHouseholdFiles(rng: Rng, density: number): PlainFile[] {
  const takeShare = <T>(all: readonly T[]) =>
    all.slice(0, Math.max(2, Math.round(all.length * density)));
  return [
    ...takeShare(STOCK).map(([name, things]) => makeStockFile(rng.child(name), name, things)),
    ...takeShare(SHOPS).map((name) => makePriceFile(rng.child(name), name)),
    ...takeShare(METERS).flatMap((name) =>
      [1, 2, 3].map((back) => makeMeterLog(rng.child(name), name, back)),
    ),
    ...takeShare(HOW_TO).map(([name, lines]) => makeHowToFile(rng.child(name), name, lines)),
    ...takeShare(MACHINES).map((name) => makeMachineLog(rng.child(name), name)),
  ];
}

const formatMoney = (cents: number) => (cents / 100).toFixed(2);
const splitWords = (text: string) => text.split(",");

const STOCK: readonly (readonly [string, string])[] = [
  ["pantry", "rice,lentils,flour,sugar,oats,tea,coffee,honey,salt,pasta"],
  ["cellar", "jam,pickles,cider,apples,potatoes,onions,candles"],
  ["medicine", "plasters,bandage,cough syrup,ointment,drops,thermometer"],
  ["tools", "hammer,screws,nails,sandpaper,glue,tape,drill bits"],
  ["garden", "compost,seed trays,twine,pots,gloves,fertiliser"],
  ["cleaning", "soap,sponges,bleach,brushes,cloths,bin bags"],
  ["office", "paper,envelopes,stamps,pens,folders,staples"],
  ["camping", "gas,pegs,rope,matches,water bags,mats"],
];

function makeStockFile(rng: Rng, name: string, things: string): PlainFile {
  const lines = splitWords(things).map(
    (item) => `${item},${rng.integer(0, 24)},${formatMoney(rng.integer(45, 3900))}`,
  );
  const text = ["item,count,price", ...lines].join("\n");
  return { path: `/house/stock/${name} stock.csv`, text, day: dayFromStart(-rng.integer(1, 60)) };
}

const SHOPS = splitWords("bakery,hardware,bookshop,florist,pharmacy,grocer");
const GOODS = splitWords(
  "lamp oil,garden hose,wall clock,desk lamp,tool box,rain coat,tea pot,bread knife,door mat,wool blanket,mirror,kettle",
);

function makePriceFile(rng: Rng, name: string): PlainFile {
  const lines = rng
    .sample(GOODS, rng.integer(6, 9))
    .map(
      (item) => `${item},${formatMoney(rng.integer(350, 9900))},${rng.pick(["yes", "yes", "no"])}`,
    );
  const text = ["item,price,in stock", ...lines].join("\n");
  return { path: `/house/prices/${name} prices.csv`, text, day: dayFromStart(-rng.integer(1, 45)) };
}

const METERS = splitWords("power,water,heating");

/** Makes the log of a meter for one month. It has one line for each day, so that a month needs two pages. */
function makeMeterLog(rng: Rng, name: string, monthsBack: number): PlainFile {
  const month = ["2026-02", "2026-01", "2025-12"][monthsBack - 1]!;
  const days = month === "2026-02" ? 28 : 31;
  let reading = 4000 - 500 * monthsBack + rng.integer(0, 99);
  const lines = Array.from({ length: days }, (_, i) => {
    reading += rng.integer(2, 19);
    return `${month}-${String(i + 1).padStart(2, "0")} 07:${rng.integer(10, 59)} ${reading}`;
  });
  return {
    path: `/house/meters/${name} ${month}.log`,
    text: lines.join("\n"),
    day: `${month}-${days}`,
  };
}

const HOW_TO: readonly (readonly [string, string])[] = [
  ["reset the boiler", "Turn the valve to the left,Wait for two minutes,Press the red button"],
  ["bake sourdough", "Feed it the evening before,Fold four times,Bake hot under a lid"],
  ["reset the router", "Pull the plug,Count to thirty,Plug it in again"],
  ["oil a bike chain", "Clean it with a rag,One drop a link,Wipe off the rest"],
  ["look after bees", "Light the smoker,Lift the lid slowly,Look for the queen"],
  ["keep a piano", "Keep it away from the heater,Call the tuner in spring"],
  ["sweep a chimney", "Open the flap,Sweep from the top,Empty the ash"],
  ["heat the sauna", "Heat for an hour,Pour slowly,Rest in between"],
  ["make compost", "Brown and green by turns,Keep it damp,Turn it in May"],
  ["set up the projector", "Dim the light,Press source twice,Focus with the ring"],
  ["pitch the tent", "Poles first,Then the corners,Fly sheet last"],
  ["look after the dishwasher", "Salt on the left,Rinse the filter,Short programme only"],
];

function makeHowToFile(rng: Rng, name: string, steps: string): PlainFile {
  const lines = splitWords(steps).map((step, i) => `${i + 1}. ${step}`);
  const cost = `Repair last year: ${formatMoney(rng.integer(1900, 38_000))}`;
  const text = [`# How to: ${name}`, ...lines, "", cost].join("\n");
  const path = `/house/how-to/How to ${name}.md`;
  return { path, text, day: dayFromStart(-rng.integer(30, 400)) };
}

const MACHINES = splitWords("backup,printer,alarm,thermostat");

function makeMachineLog(rng: Rng, name: string): PlainFile {
  const lines = Array.from({ length: rng.integer(12, 26) }, (_, i) => {
    const state = rng.chance(0.2) ? "ERROR" : "ok";
    return `${dayFromStart(i - 30)} 03:${rng.integer(10, 59)} ${state} ${rng.integer(12, 900)} s`;
  });
  const path = `/house/machines/${name}.log`;
  return { path, text: lines.join("\n"), day: dayFromStart(-rng.integer(1, 4)) };
}
