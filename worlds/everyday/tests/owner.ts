import type { Profile } from "bowline/world";

/** The owner in tests of apps whose rows are written by hand or in parts. A world's own owner depends on the seed. */
export const OWNER: Profile = {
  name: "Robin Vale",
  email: "robin.vale@example.com",
  phone: "555-0100",
};
