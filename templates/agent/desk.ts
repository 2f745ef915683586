/**
 * A parcel desk: what it knows, what it can do, and the tools by which an agent does it. Replace it by your own
 * services. In production the desk is one database; in training every episode opens a desk of its own.
 */
/** What the agent is told first. */
export const INSTRUCTIONS =
  "You work at a parcel desk. Refund lost parcels, send vouchers for late ones, redeliver waiting ones.";

export interface Parcel {
  readonly id: number;
  readonly customer: string;
  readonly content: string;
  readonly state: "lost" | "late" | "waiting";
}

/** Opens a desk with these parcels, newest first. `actions` lists what was done, such as "refund 412". */
export function openDesk(parcels: readonly Parcel[]) {
  const actions: string[] = [];
  const act = (action: string, done: string) => (id: number) => {
    actions.push(`${action} ${id}`);
    return `${done} ${id}`;
  };
  return {
    actions: actions as readonly string[],
    /** Finds the newest parcel of a customer, or the newest one with this content if that is given. */
    findParcel(customer: string, content?: string): string {
      const found = parcels.find(
        (parcel) =>
          parcel.customer === customer && (content === undefined || parcel.content === content),
      );
      return found ? `parcel ${found.id} is ${found.state}` : "no such parcel";
    },
    refund: act("refund", "refunded"),
    sendVoucher: act("voucher", "voucher sent for"),
    redeliver: act("redeliver", "redelivering"),
  };
}
export type Desk = ReturnType<typeof openDesk>;

/** A tool in a form that suits every client: a description for the model, and the function that runs it. */
export interface DeskTool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: {
    type: "object";
    properties: Record<string, { type: "string" | "integer" }>;
    required: string[];
  };
  /** Runs the tool. The model may send any arguments, so they are checked here. */
  readonly execute: (args: unknown) => string;
}

export function createDeskTools(desk: Desk): readonly DeskTool[] {
  const parcelTool = (
    name: string,
    description: string,
    act: (id: number) => string,
  ): DeskTool => ({
    name,
    description,
    parameters: {
      type: "object",
      properties: { parcel: { type: "integer" } },
      required: ["parcel"],
    },
    execute: (args) => {
      const { parcel } = readArguments(args);
      return typeof parcel === "number" ? act(parcel) : "parcel: expected a number";
    },
  });
  return [
    {
      name: "find_parcel",
      description: "Finds a customer's newest parcel, or the newest one with this content.",
      parameters: {
        type: "object",
        properties: { customer: { type: "string" }, content: { type: "string" } },
        required: ["customer"],
      },
      execute: (args) => {
        const { customer, content } = readArguments(args);
        if (typeof customer !== "string") return "customer: expected a name";
        return desk.findParcel(customer, typeof content === "string" ? content : undefined);
      },
    },
    parcelTool("refund", "Pays back the price of a lost parcel.", desk.refund),
    parcelTool("send_voucher", "Sends a voucher for a late parcel.", desk.sendVoucher),
    parcelTool("redeliver", "Delivers a parcel that waits at the depot.", desk.redeliver),
  ];
}

function readArguments(args: unknown): Readonly<Record<string, unknown>> {
  return typeof args === "object" && args !== null ? (args as Record<string, unknown>) : {};
}
