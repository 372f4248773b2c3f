import { type Narrow, narrowOfPlace, placeOfNarrow } from '@heddle/client/model/narrow.ts';
import { isSamePlace } from '@heddle/client/model/places.ts';
import { useEffect } from 'react';
import { useApp } from '../shell/app.tsx';

/**
 * A link to a topic names one of its messages (`with`), because the topic can be renamed or moved later. Then this shows
 * where the message is now.
 */
export function useMovedTopic(narrow: Narrow): void {
  const { model, navigation } = useApp();
  useEffect(() => {
    const term = narrow.find(({ operator }) => operator === 'with');
    const id = Number(term?.operand);
    if (!Number.isSafeInteger(id) || id <= 0) return;
    let isCurrent = true;
    const follow = async () => {
      const place = await model.cache.findPlace(id);
      const linked = placeOfNarrow(narrow, model.ownId);
      if (!isCurrent || place === undefined || (linked !== undefined && isSamePlace(place, linked))) return;
      const near = { operator: 'near', operand: id };
      navigation.replace({ view: 'narrow', narrow: [...narrowOfPlace(place, model.ownId), near] });
    };
    // Without an answer, the link shows the topic as it was.
    void follow().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [narrow, model, navigation]);
}
