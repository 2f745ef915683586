/** A column header that sorts by the column. It shows the direction as an arrow and in `aria-sort`. */
import { type Direction, nextOrder, type SortOrder } from "../lib/sort.ts";

export function SortHeader({
  name,
  column,
  order,
  natural = "ascending",
  number = false,
  onOrder,
}: {
  readonly name: string;
  readonly column: string;
  readonly order: SortOrder;
  /** The sort direction after the first press. */
  readonly natural?: Direction;
  readonly number?: boolean;
  onOrder(order: SortOrder): void;
}) {
  const isIt = order.column === column;
  const arrow = isIt ? (order.direction === "ascending" ? "▲" : "▼") : "";
  return (
    <th
      scope="col"
      class={number ? "number" : undefined}
      aria-sort={isIt ? order.direction : "none"}
    >
      <button
        type="button"
        class="sort-header"
        onClick={() => onOrder(nextOrder(order, column, natural))}
      >
        {name}
        <span class="sort-arrow" aria-hidden="true">
          {arrow}
        </span>
      </button>
    </th>
  );
}
