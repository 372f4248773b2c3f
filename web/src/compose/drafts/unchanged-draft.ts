import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import type { App } from '../../base/app.tsx';
import { keyOfTarget, targetOfDraft } from '../target/target.ts';
import { draftsOf } from './drafts.ts';
import type { DraftEntry } from './drafts-sync.ts';
import { liveSessions } from './live-sessions.ts';

/** The draft with exactly this text in this conversation. Undefined if the user has changed it, or has sent or deleted it. */
export function unchangedDraft(app: App, place: Place, content: string): DraftEntry | undefined {
  for (const session of liveSessions) session.save();
  const key = keyOf(place);
  const { ownId } = app.model;
  return draftsOf(app).find(
    (entry) => entry.content === content && keyOfTarget(targetOfDraft(entry.target), ownId) === key,
  );
}
