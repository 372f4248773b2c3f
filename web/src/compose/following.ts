import { narrowOfPlace, placeOfNarrow } from '@heddle/client/model/messages/narrow.ts';
import { isSamePlace, keyOf, type TopicPlace } from '@heddle/client/model/messages/places.ts';
import type { TopicMove } from '@heddle/client/model/model.ts';
import { useEffect } from 'react';
import { type App, useApp } from '../base/app.tsx';
import { composeStore } from './compose-store.ts';
import { draftsOf } from './drafts/drafts.ts';
import { liveSessions } from './drafts/live-sessions.ts';
import { loadWaitingCode } from './sending/load-waiting.ts';
import { waitingStore } from './sending/waiting-store.ts';

/** The open topic and the text that somebody writes there go where its messages went. */
export function followMove({ model, navigation }: App, from: TopicPlace, to: TopicPlace): void {
  const { route } = navigation;
  const key = keyOf(from);
  for (const session of liveSessions) {
    if (session.placeKey !== key) continue;
    session.setTarget(to);
    if (session.text.element?.matches(':focus')) composeStore.focus();
  }
  composeStore.moved(from, to);
  const shown = route.view === 'narrow' ? placeOfNarrow(route.narrow, model.ownId) : undefined;
  if (shown === undefined || !isSamePlace(shown, from)) return;
  if (shown.kind === 'topic' && shown.channelId === to.channelId && shown.topic === to.topic) return;
  navigation.replace({ view: 'narrow', narrow: narrowOfPlace(to, model.ownId) });
}

/** Follows moves and renames, whoever made them. A part of a topic is followed if the user is reading that part. */
export function FollowMoves(): null {
  const app = useApp();
  useEffect(() => {
    return app.onMove((move) => {
      if (move.isWhole || isReading(app, move)) followMove(app, move.from, move.to);
    });
  }, [app]);
  return null;
}

/** Messages that wait for their files are sent by the app of the moment. */
export function SendWaiting(): null {
  const app = useApp();
  useEffect(() => {
    waitingStore.app = app;
    const drafts = draftsOf(app);
    const tell = (): void => {
      if (!drafts.hasLeft) return;
      void loadWaitingCode().then(({ tellOfLeft }) => {
        for (const entry of drafts.takeLeft()) tellOfLeft(app, entry);
      });
    };
    tell();
    return drafts.changes.subscribe(tell);
  }, [app]);
  return null;
}

/** Whether the first visible message and all later ones of the open topic have moved. */
function isReading({ navigation, model }: App, { from, messageIds }: TopicMove): boolean {
  const first = navigation.position()?.rowId;
  const { ids } = model.cache.windows.of(narrowOfPlace(from, model.ownId));
  return typeof first === 'number' && messageIds.includes(first) && ids.every((id) => id < first);
}
