/** What the rows of the feed need of the actions of messages. */
import { lazyPart } from '../../base/lazy-part.tsx';

export const EditMessage = lazyPart(() => import('../edit/edit-message.tsx'));
export { editStore } from '../edit/edit-store.ts';
export { ReactionsRow } from '../reactions/reactions-row.tsx';
export { MessageActions } from './message-actions.tsx';
export { useMessageShortcuts, useTopicShortcuts } from './use-message-shortcuts.ts';
export { type RowGestures, useRowGestures } from './use-row-gestures.ts';
