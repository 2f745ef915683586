/** Links to the levels above a view of a world: all worlds, this world, and further levels. */
import { buildAddress } from "../lib/address.ts";
import { type WorldPlace, worldAddress } from "../lib/world-address.ts";
import { type Crumb, Crumbs } from "./crumbs.tsx";

export function WorldCrumbs({
  place,
  more = [],
}: {
  readonly place: WorldPlace;
  readonly more?: readonly Crumb[];
}) {
  const name = place.seed === 1 ? place.world : `${place.world}, seed ${place.seed}`;
  return (
    <Crumbs
      crumbs={[
        { name: "Worlds", href: buildAddress(["worlds"]) },
        { name, href: worldAddress(place) },
        ...more,
      ]}
    />
  );
}
