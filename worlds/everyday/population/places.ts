/**
 * Where the cities of the population are, how far they are from each other, and which of them trains and buses reach.
 */
import { type Part, POOLS } from "./name-pools.ts";

/** The city where the owner lives. */
export const HOME = "Delft";

/** The latitude and longitude of each city, in degrees. */
const POSITIONS: { readonly [city: string]: readonly [number, number] } = {
  Accra: [5.6, -0.2],
  Austin: [30.3, -97.7],
  Basel: [47.6, 7.6],
  Bergen: [60.4, 5.3],
  Bilbao: [43.3, -2.9],
  Cork: [51.9, -8.5],
  Delft: [52.0, 4.4],
  Denver: [39.7, -105.0],
  Dublin: [53.3, -6.3],
  Ghent: [51.1, 3.7],
  Hanoi: [21.0, 105.8],
  Krakow: [50.1, 19.9],
  Kyoto: [35.0, 135.8],
  Leeds: [53.8, -1.5],
  Lima: [-12.0, -77.0],
  Lisbon: [38.7, -9.1],
  Malmo: [55.6, 13.0],
  Nairobi: [-1.3, 36.8],
  Osaka: [34.7, 135.5],
  Oslo: [59.9, 10.8],
  Perth: [-31.9, 115.9],
  Porto: [41.2, -8.6],
  Quito: [-0.2, -78.5],
  Sofia: [42.7, 23.3],
  Texel: [53.1, 4.8],
  Tunis: [36.8, 10.2],
  Turin: [45.1, 7.7],
  Zagreb: [45.8, 16.0],
};

/** The cities that are on the same land as the owner's city, or on an island with a tunnel or bridge to it. */
const LAND: ReadonlySet<string> = new Set(
  "Basel Bilbao Delft Ghent Krakow Leeds Lisbon Malmo Oslo Porto Sofia Texel Turin Zagreb".split(
    " ",
  ),
);

/** The longest way, in km as the crow flies, that a train or bus covers within one day. */
const LONGEST_LAND_KM = 1300;

const EARTH_RADIUS_KM = 6371;
const toRadians = (degrees: number) => (degrees * Math.PI) / 180;

/** Returns the distance between two cities in km, as the crow flies. Throws when the position of a city is not known. */
export function distanceKm(from: string, to: string): number {
  const [[fromLat, fromLon], [toLat, toLon]] = [positionOf(from), positionOf(to)];
  const halfLat = Math.sin(toRadians(toLat - fromLat) / 2);
  const halfLon = Math.sin(toRadians(toLon - fromLon) / 2);
  const chord =
    halfLat ** 2 + Math.cos(toRadians(fromLat)) * Math.cos(toRadians(toLat)) * halfLon ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(chord));
}

function positionOf(city: string): readonly [number, number] {
  const position = POSITIONS[city];
  if (!position) throw new Error(`the position of ${city} is not known; add it to POSITIONS`);
  return position;
}

/** Returns true if a train or a bus goes from one city to the other within a day. */
export function isReachedByLand(from: string, to: string): boolean {
  return LAND.has(from) && LAND.has(to) && distanceKm(from, to) <= LONGEST_LAND_KM;
}

/** Where the owner goes with the circle, whose people live in the owner's own city. */
const ISLAND = "Texel";

/** Returns where the owner travels with people of a part of the population. No two parts share a destination. */
export function destinationsOf(part: Part): readonly string[] {
  const cities = POOLS[part].cities.filter((city) => city !== HOME);
  return cities.length > 0 ? cities : [ISLAND];
}
