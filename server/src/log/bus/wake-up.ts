/**
 * The text of a wake-up: the id of an organization, and possibly events, as `17 EPOCH [{…},…]`. The events save its readers a query, but the
 * table stays the truth.
 */
import type { LoggedEvent } from '../event.ts';

/** Events that a process has committed. They are durable, and in the order of their ids. */
export interface CarriedEvents {
  /** Of the log. A process with another epoch must not apply them. */
  readonly epoch: string;
  readonly events: readonly LoggedEvent[];
}

/** Says that the log of an organization has grown. */
export interface WakeUp {
  readonly organizationId: number;
  /** Parses what the wake-up carries. Returns undefined if it carries nothing, or nothing that can be read. */
  carried(): CarriedEvents | undefined;
}

/** More texts for one organization would take longer than one query of each reader. */
const MAX_TEXTS = 16;

const FORMAT = /^(\d{1,10})(?: (\S{1,60}) (\[.*\]))?$/s;

/**
 * Returns the texts of a wake-up. If an event does not fit into one, or if there are too many, the only text carries nothing.
 * @param maxBytes of each text
 */
export function encodeWakeUp(organizationId: number, carried: CarriedEvents | undefined, maxBytes: number) {
  const bare = [String(organizationId)];
  if (carried === undefined) return bare;
  const before = `${organizationId} ${carried.epoch} `;
  const room = maxBytes - before.length - '[]'.length;
  const parts: string[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const { organizationId: _, ...event } of carried.events) {
    const json = JSON.stringify(event);
    const bytes = Buffer.byteLength(json) + ','.length;
    if (bytes > room) return bare;
    if (used + bytes > room) {
      if (parts.length === MAX_TEXTS) return bare;
      parts.push([]);
      used = 0;
    }
    parts.at(-1)?.push(json);
    used += bytes;
  }
  return parts.map((events) => `${before}[${events.join(',')}]`);
}

/** Returns undefined if the text is no wake-up. */
export function decodeWakeUp(text: string): WakeUp | undefined {
  const [, id, epoch, json] = FORMAT.exec(text) ?? [];
  if (id === undefined) return undefined;
  const organizationId = Number(id);
  return {
    organizationId,
    carried() {
      const events = json === undefined ? undefined : parsed(json);
      if (epoch === undefined || !events?.every(isEvent)) return undefined;
      return { epoch, events: events.map((event) => ({ ...event, organizationId })) };
    },
  };
}

function parsed(json: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process of this or a later release has written it. Others cannot write to the bus. */
function isEvent(value: unknown): value is Omit<LoggedEvent, 'organizationId'> {
  const event = value as Partial<LoggedEvent> | null;
  return (
    Number.isSafeInteger(event?.id) &&
    typeof event?.type === 'string' &&
    typeof event.audience === 'object' &&
    typeof event.ephemeral === 'boolean'
  );
}
