/** Recorded requests to incoming webhooks, and changes of their payloads. */
import { INTEGRATIONS } from '../../features/incoming-webhooks/all-integrations.ts';
import type { Integration } from '../../features/incoming-webhooks/integration.ts';
import { contentOf, deliveryOf, type Recorded, recordedOf } from './webhooks.ts';

/** The number of values in a payload. */
export function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, item) => sum + sizeOf(item), 1)
    : 1;
}

/** The payload with the value at one of its places replaced, or removed if it is undefined. */
export function replaced(value: unknown, place: number, by: unknown): unknown {
  let at = 0;
  const walk = (item: unknown): unknown => {
    if (at++ === place) return by;
    if (Array.isArray(item)) return item.map(walk);
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(
      Object.entries(item).flatMap(([name, one]) => {
        const next = walk(one);
        return next === undefined ? [] : [[name, next]];
      }),
    );
  };
  return walk(value);
}

export interface Sample {
  readonly integration: Integration;
  readonly request: Recorded;
  readonly payload: unknown;
}

/** All recorded requests of all integrations. */
export async function samples(): Promise<readonly Sample[]> {
  const all = INTEGRATIONS.map(async (integration) =>
    (await recordedOf(integration.name)).map((request) => ({
      integration,
      request,
      payload: JSON.parse(request.body),
    })),
  );
  return (await Promise.all(all)).flat();
}

/** The length of the message; 0 if there is none, or if the request is refused with status 400. */
export function lengthOf({ integration, request }: Sample, payload: unknown): number {
  return contentOf(integration, deliveryOf(request, {}, payload))?.length ?? 0;
}
