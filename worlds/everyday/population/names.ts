/**
 * Names, cities and groups by part. A part is a split, or `circle`: the owner's few close ones, who belong to none.
 *
 * No first name, last name, city or group occurs in two parts, so whoever is met in a test split was never met in
 * training. No name part is the beginning of another, so a full first name finds its namesakes and nobody else. A
 * group's name is an activity and a word for a group; test splits combine in new ways words that training has.
 */
import type { ComposedSplit } from "bowline/goals";

export type Part = ComposedSplit | "circle";
export const PARTS: readonly Part[] = ["train", "dev", "test-normal", "test-challenge", "circle"];

export interface Pool {
  /** As many as `last`; each is borne by two people. */
  readonly first: readonly string[];
  readonly last: readonly string[];
  readonly cities: readonly string[];
  readonly groups: readonly string[];
}

const words = (text: string): string[] => text.trim().split(/\s+/);
const phrases = (text: string): string[] => text.split(",").map((phrase) => phrase.trim());

export const POOLS: { readonly [P in Part]: Pool } = {
  train: {
    first: words(`
      Amara Bruno Chloe Dmitri Elena Farid Greta Hiro Ingrid Jonas Kavya Liam Mei Nadia Oscar Paulo Quentin Rosa
      Samuel Tara Umar Vera Wendy Ximena Yusuf Zofia Abel Bianca Cedric Dalia Emil Fiona Gustav Hana Ibrahim Julia
      Kofi Lucia Mateo Noor`),
    last: words(`
      Okafor Larsen Petrov Haddad Nakata Silva Moreau Novak Iyer Chen Fischer Mensah Rossi Duarte Kaya Lindgren
      Banerjee Torres Abadi Kowalski Santos Murphy Ozturk Weber Tanaka Bello Ferrari Jansen Rahman Costa Horvat
      Dubois Ekberg Gomez Hughes Ivanov Keller Mbeki Pereira Quinn`),
    cities: words("Lisbon Oslo Kyoto Quito Dublin Nairobi Austin Turin Zagreb Accra Bergen Denver"),
    groups: phrases(`
      chess club, book group, hiking team, film circle, tennis club, running group, cooking team, choir circle,
      dance club, garden group, sailing team, quiz circle`),
  },
  dev: {
    first: words("Alma Boris Celine Diego Esther Felix Gloria Hugo Irene Jamal Katya Leon"),
    last: words("Varga Sato Mitchell Andrade Bauer Cissoko Dogan Dahl Falk Greco Hassan Jensen"),
    cities: words("Malmo Perth Lima Ghent"),
    groups: phrases("chess group, film club, cooking circle, sailing group"),
  },
  "test-normal": {
    first: words(
      "Arjun Beatriz Cosmo Daphne Elif Franco Giulia Henrik Isla Javier Kenji Leila Marek Nina",
    ),
    last: words(`
      Lindqvist Suzuki Mori Almeida Bianchi Castro Dimitrov Endo Fonseca Gruber Holm Jimenez Kruger Lopes`),
    cities: words("Osaka Tunis Leeds Bilbao Krakow"),
    groups: phrases("book team, hiking club, tennis circle, choir group, garden team"),
  },
  "test-challenge": {
    first: words(
      "Aisha Benoit Carmen Davide Erik Freya Gaspar Helga Idris Johanna Karim Lorenzo Mina Otto",
    ),
    last: words(`
      Virtanen Sokolov Mendes Aoki Brandt Cruz Diallo Engel Fuchs Guerra Hoang Jung Kimura Lund`),
    cities: words("Cork Sofia Hanoi Porto Basel"),
    groups: phrases("running club, dance team, quiz club, film group, book circle"),
  },
  circle: {
    first: words("Ada Theo Priya Simon Zara Viktor"),
    last: words("Winter Park Rivers Stone Field Young"),
    cities: words("Delft"),
    groups: phrases("family, neighbours"),
  },
};

const partOfLast = new Map<string, Part>(
  PARTS.flatMap((part) => POOLS[part].last.map((name) => [name, part] as const)),
);

/** The part whose last name this full name bears; undefined for someone from outside the pools. */
export function partOf(name: string): Part | undefined {
  return partOfLast.get(name.slice(name.lastIndexOf(" ") + 1));
}
