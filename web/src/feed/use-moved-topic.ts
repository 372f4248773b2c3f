import { channelOfNarrow, type Narrow, narrowOfPlace, placeOfNarrow } from '@heddle/client/model/messages/narrow.ts';
import { isSamePlace, type Place } from '@heddle/client/model/messages/places.ts';
import { useEffect } from 'react';
import { useApp } from '../base/app.tsx';

/**
 * A link to a topic or message names a message (`with`, `near`), because the topic can be renamed, and the message can be
 * moved later. Then this shows where the message is now.
 */
export function useMovedTopic(narrow: Narrow): void {
  const { model, navigation } = useApp();
  useEffect(() => {
    const term =
      narrow.find(({ operator }) => operator === 'with') ?? narrow.find(({ operator }) => operator === 'near');
    const id = Number(term?.operand);
    if (!Number.isSafeInteger(id) || id <= 0) return;
    let isCurrent = true;
    const follow = async () => {
      const place = await model.cache.findPlace(id);
      if (!isCurrent || place === undefined) return;
      const correct = correctedNarrow(narrow, place, model.ownId);
      if (correct === undefined) return;
      const near = term?.operator === 'near' ? [{ operator: 'near', operand: id }] : [];
      navigation.replace({ view: 'narrow', narrow: [...correct, ...near] });
    };
    // Without an answer, the link shows the topic as it was.
    void follow().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [narrow, model, navigation]);
}

/** The narrow that the link means now. Undefined if it is right as it is, for example a search. */
function correctedNarrow(narrow: Narrow, place: Place, ownId: number): Narrow | undefined {
  const hasWith = narrow.some(({ operator }) => operator === 'with');
  const linked = placeOfNarrow(narrow, ownId);
  if (linked !== undefined) return isSamePlace(place, linked) ? undefined : narrowOfPlace(place, ownId);
  if (hasWith) return narrowOfPlace(place, ownId);
  const channelId = channelOfNarrow(narrow);
  const isWholeChannel = narrow.every(({ operator }) => operator === 'channel' || operator === 'near');
  if (!isWholeChannel || channelId === undefined || place.kind !== 'topic') return undefined;
  return channelId === place.channelId ? undefined : [{ operator: 'channel', operand: place.channelId }];
}
