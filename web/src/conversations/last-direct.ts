import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import type { DirectPlace } from '@heddle/client/model/messages/places.ts';
import type { LastMessage } from '@heddle/client/model/messages/recent.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { lastText } from './last-text.ts';

/** The pointer rests on a row for so long before the server is asked. A pointer that passes many rows asks for nothing. */
const REST_MS = 150;

/** Gives the row of a direct conversation the last message, as one line, as its tooltip. Without an answer, it stays as it is. */
export async function describeDirect(model: Model, place: DirectPlace, row: HTMLElement): Promise<void> {
  const { recent } = model.cache;
  const known = recent.isStale ? undefined : recent.of(place)?.last;
  const last = known ?? (await askedWhileResting(model, place, row));
  if (last !== undefined) row.title = lastText(model, last);
}

/** One message is enough, and no list of messages changes. */
async function askedWhileResting(model: Model, place: DirectPlace, row: HTMLElement): Promise<LastMessage | undefined> {
  await new Promise((done) => setTimeout(done, REST_MS));
  if (!row.matches(':hover')) return undefined;
  try {
    const [record] = await model.cache.newestMatches(narrowOfPlace(place, model.ownId), 1);
    return record && { senderId: record.senderId, html: record.content, isMe: record.isMe };
  } catch {
    return undefined;
  }
}
