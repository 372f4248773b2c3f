import type { Caller } from '@heddle/client/calls/operation.ts';
import { getSubscribers } from '@heddle/client/calls/operations.ts';
import { isRefused } from '@heddle/client/model/messages/message-pages.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { App } from '../../base/app.tsx';
import { participantsOf } from './mentions.ts';

/** The channels whose subscribers are being loaded, or whose subscribers the server refuses to name. */
const loading = new WeakMap<Model, Set<number>>();

/**
 * Loads who is likely to be mentioned: the subscribers of the channel, and the writers of a topic that no view shows. Wide
 * screens have loaded the subscribers for the list of people. Returns undefined if nothing is missing.
 */
export function loadPeopleToMention({ model, connection }: App, place: Place | undefined): Promise<void> | undefined {
  if (place?.kind !== 'topic') return undefined;
  const { channelId } = place;
  const { recent } = model.cache;
  const requests: Promise<unknown>[] = [];
  const loadingHere = loading.get(model) ?? new Set();
  loading.set(model, loadingHere);
  if (!model.channels.subscribersOf(channelId).isComplete && !loadingHere.has(channelId)) {
    loadingHere.add(channelId);
    requests.push(loadSubscribers(model, connection, channelId, loadingHere));
  }
  if (recent.state === 'unknown' && participantsOf(model, place).length === 0) requests.push(recent.load());
  if (requests.length === 0) return undefined;
  return Promise.all(requests).then(() => undefined);
}

async function loadSubscribers(model: Model, connection: Caller, channelId: number, loadingHere: Set<number>) {
  try {
    const { subscribers } = await getSubscribers(connection, { stream_id: channelId });
    model.channels.setSubscribers(channelId, subscribers);
    loadingHere.delete(channelId);
  } catch (error) {
    if (!isRefused(error)) loadingHere.delete(channelId);
    throw error;
  }
}
