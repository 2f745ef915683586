/**
 * Travel's rows: what anyone can book (services, hotels), and the owner's trips with all that hangs on them.
 *
 * What was booked, shared, or promised to fellow travellers stays as a row with a status. Prices, refunds and the credit
 * follow from bookings and are derived; days, times and seats are content. Stops and packing lists are plans and may vanish.
 */
import { defineTable } from "../../../../world/index.ts";

// --- what can be booked ---

export const SERVICE_KINDS = ["train", "flight", "bus"] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

/** Runs every week at the same times. */
export type Service = {
  readonly id: number;
  /** Unique: `T 204`. */
  readonly number: string;
  readonly kind: ServiceKind;
  readonly from: string;
  readonly to: string;
  readonly departs: string;
  /** On the same day. */
  readonly arrives: string;
  /** From 1 (Monday) to 7. */
  readonly weekdays: readonly number[];
  /** The ordinary fare; a fifth more on Fridays and Sundays. */
  readonly cents: number;
  /** Rows of four seats, A to D. */
  readonly rows: number;
  /** Seats that somebody else has for the season: `3A`. */
  readonly taken: readonly string[];
};
export const services = defineTable<Service>("travel.services", {
  indexes: ["number", "from", "to"],
});

export type Hotel = {
  readonly id: number;
  /** Unique. */
  readonly name: string;
  readonly city: string;
  readonly stars: number;
  /** What guests think, in tenths of a point up to 10. */
  readonly rating: number;
  /** A room and night. */
  readonly cents: number;
  readonly breakfast: boolean;
  readonly rooms: number;
  /** Cancelling costs nothing up to so many days before the first night. */
  readonly free: number;
  /** Facts hide here: how far the station is, pets, parking. */
  readonly description: string;
};
export const hotels = defineTable<Hotel>("travel.hotels", {
  indexes: ["name", "city"],
  loose: ["description"],
});

// --- trips ---

export const ROLES = ["viewer", "editor"] as const;
export type Role = (typeof ROLES)[number];

export type Trip = {
  readonly id: number;
  /** Unique. */
  readonly name: string;
  readonly city: string;
  readonly from: string;
  /** The last day. */
  readonly until: string;
  /** Null: the owner's own. Otherwise a contact's trip that the owner may see. */
  readonly person: number | null;
  /** What the owner may do with a contact's trip; null for own ones. */
  readonly role: Role | null;
  readonly cancelled: boolean;
};
export const trips = defineTable<Trip>("travel.trips", {
  indexes: ["name", "person", "city"],
  references: { person: "contacts.people" },
});

/** Who comes along. The owner is no row. */
export type Companion = {
  readonly id: number;
  readonly trip: number;
  readonly person: number;
  /** Those who no longer come stay as rows. */
  readonly left: boolean;
};
export const companions = defineTable<Companion>("travel.companions", {
  indexes: ["trip", "person"],
  references: { trip: "travel.trips", person: "contacts.people" },
});

export type TripShare = {
  readonly id: number;
  readonly trip: number;
  readonly person: number;
  readonly role: Role;
  readonly ended: boolean;
};
export const tripShares = defineTable<TripShare>("travel.shares", {
  indexes: ["trip", "person"],
  references: { trip: "travel.trips", person: "contacts.people" },
});

/** A line of the itinerary beside the bookings: `boat to the island`. */
export type Stop = {
  readonly id: number;
  readonly trip: number;
  readonly title: string;
  readonly day: string;
  readonly time: string;
};
export const stops = defineTable<Stop>("travel.stops", {
  indexes: ["trip", "day"],
  references: { trip: "travel.trips" },
  loose: ["title"],
});

export type PackingItem = {
  readonly id: number;
  readonly trip: number;
  readonly item: string;
  readonly packed: boolean;
};
export const packing = defineTable<PackingItem>("travel.packing", {
  indexes: ["trip"],
  references: { trip: "travel.trips" },
  loose: ["item"],
});

export type TripCost = {
  readonly id: number;
  readonly trip: number;
  readonly what: string;
  readonly cents: number;
  /** Who paid; null: the owner. */
  readonly person: number | null;
  readonly day: string;
  /** Struck costs stay, since others have seen them. */
  readonly struck: boolean;
};
export const tripCosts = defineTable<TripCost>("travel.costs", {
  indexes: ["trip", "person"],
  references: { trip: "travel.trips", person: "contacts.people" },
  loose: ["what"],
});

// --- bookings ---

export const BOOKING_KINDS = [...SERVICE_KINDS, "hotel"] as const;
export type BookingKind = (typeof BOOKING_KINDS)[number];
export const MEANS = ["card", "credit"] as const;

export type Booking = {
  readonly id: number;
  readonly kind: BookingKind;
  /** One of the two is null. */
  readonly service: number | null;
  readonly hotel: number | null;
  readonly trip: number | null;
  /** Of departure, or the first night. */
  readonly day: string;
  /** 0 and 0 for a journey. */
  readonly nights: number;
  readonly rooms: number;
  readonly pass: number | null;
  readonly paid: (typeof MEANS)[number];
  readonly status: "booked" | "cancelled";
  /** What was paid so far. */
  readonly cents: number;
  /** What came back as credit. */
  readonly refund: number;
};
export const bookings = defineTable<Booking>("travel.bookings", {
  indexes: ["trip", "service", "hotel", "status", "kind"],
  classes: { cents: "derived", refund: "derived" },
  references: {
    service: "travel.services",
    hotel: "travel.hotels",
    trip: "travel.trips",
    pass: "travel.passes",
  },
});

/** Who travels on a booking; the owner is the row without a person. */
export type Traveller = {
  readonly id: number;
  readonly booking: number;
  readonly person: number | null;
  /** Null until one is chosen: any free seat. */
  readonly seat: string | null;
  readonly dropped: boolean;
};
export const travellers = defineTable<Traveller>("travel.travellers", {
  indexes: ["booking", "person"],
  references: { booking: "travel.bookings", person: "contacts.people" },
});

/** One row: the credit, which is the sum of its entries. */
export type Credit = { readonly id: number; readonly cents: number };
export const credit = defineTable<Credit>("travel.credit", { classes: { cents: "derived" } });

export type CreditEntry = {
  readonly id: number;
  readonly cents: number;
  /** Null: credit that the owner had before. */
  readonly booking: number | null;
  readonly at: string;
};
export const creditEntries = defineTable<CreditEntry>("travel.entries", {
  indexes: ["booking"],
  classes: { cents: "derived", booking: "derived", at: "derived" },
});

// --- papers and habits ---

export const DOCUMENT_KINDS = ["passport", "visa", "insurance", "licence"] as const;

export type TravelDocument = {
  readonly id: number;
  readonly kind: (typeof DOCUMENT_KINDS)[number];
  /** Whose it is; null: the owner's. */
  readonly person: number | null;
  readonly number: string;
  /** The last good day. */
  readonly expires: string;
};
export const documents = defineTable<TravelDocument>("travel.documents", {
  indexes: ["kind", "person"],
  references: { person: "contacts.people" },
});

/** Takes a percentage off the owner's own fare of one kind of service. */
export type Pass = {
  readonly id: number;
  readonly name: string;
  readonly kind: ServiceKind;
  readonly percent: number;
  readonly expires: string;
};
export const passes = defineTable<Pass>("travel.passes", { indexes: ["name"] });

export type Route = {
  readonly id: number;
  readonly from: string;
  readonly to: string;
};
export const routes = defineTable<Route>("travel.routes", { indexes: ["from", "to"] });

export const travelTables = [
  services,
  hotels,
  trips,
  companions,
  tripShares,
  stops,
  packing,
  tripCosts,
  bookings,
  travellers,
  credit,
  creditEntries,
  documents,
  passes,
  routes,
];
