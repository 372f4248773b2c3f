import {
  channelOfNarrow,
  conditionsOf,
  keyOfNarrow,
  type Narrow,
  placeOfNarrow,
} from '@heddle/client/model/messages/narrow.ts';
import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { useMemo } from 'react';
import { useApp } from '../base/app.tsx';
import type { Route } from '../base/routes.ts';
import { useChanges } from '../base/use-changes.ts';

/** All messages that the user receives, without muted ones. */
export const COMBINED_FEED: Narrow = [{ operator: 'is', operand: 'muted', negated: true }];

/** What the app shows, as far as lists of conversations mark it. */
export interface Current {
  readonly route: Route;
  readonly place: Place | undefined;
  readonly channelId: number | undefined;
  /** The key of the place, `c5` for a channel, or `view inbox` for a view. */
  readonly key: string | undefined;
}

export function useCurrent(): Current {
  const { model, navigation } = useApp();
  useChanges(navigation.changes);
  const { route } = navigation;
  return useMemo(() => currentOf(model, route), [model, route]);
}

export function currentOf(model: Model, route: Route): Current {
  if (route.view === 'topics') {
    return { route, place: undefined, channelId: route.channelId, key: `c${route.channelId}` };
  }
  if (route.view !== 'narrow') return { route, place: undefined, channelId: undefined, key: `view ${route.view}` };
  const { narrow } = route;
  const place = placeOfNarrow(narrow, model.ownId);
  const channelId = channelOfNarrow(narrow);
  if (place !== undefined) return { route, place, channelId, key: keyOf(place) };
  const isWholeChannel =
    channelId !== undefined && keyOfNarrow(narrow) === keyOfNarrow([{ operator: 'channel', operand: channelId }]);
  if (isWholeChannel) return { route, place, channelId, key: `c${channelId}` };
  if (keyOfNarrow(narrow) === keyOfNarrow(COMBINED_FEED)) return { route, place, channelId, key: 'view feed' };
  const fragment = conditionsOf(narrow)
    .map(({ operator, operand, negated }) => `${negated ? '-' : ''}${operator}/${operand}`)
    .join('/');
  return { route, place, channelId, key: `view narrow/${fragment}` };
}
