import { narrowOfPlace, placeOfNarrow } from '@heddle/client/model/narrow.ts';
import { isSamePlace, type TopicPlace } from '@heddle/client/model/places.ts';
import type { App } from '../../shell/app.tsx';

/** If the app shows a topic whose messages all moved, it goes with them. */
export function followMove({ model, navigation }: App, from: TopicPlace, to: TopicPlace): void {
  const { route } = navigation;
  const shown = route.view === 'narrow' ? placeOfNarrow(route.narrow, model.ownId) : undefined;
  if (shown === undefined || !isSamePlace(shown, from)) return;
  navigation.replace({ view: 'narrow', narrow: narrowOfPlace(to, model.ownId) });
}
