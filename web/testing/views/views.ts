/** All views of the app. Tests check each one, and `npm run screens` takes its pictures. */
import { ADMINISTRATION_VIEWS } from './administration-views.ts';
import { CONVERSATION_VIEWS } from './conversation-views.ts';
import { DIALOG_VIEWS } from './dialog-views.ts';
import { MESSAGE_VIEWS } from './message-views.ts';
import { STATE_VIEWS } from './state-views.ts';
import type { View } from './view.ts';

export const VIEW_AREAS: Readonly<Record<string, readonly View[]>> = {
  Conversations: CONVERSATION_VIEWS,
  'Reading and writing': MESSAGE_VIEWS,
  'People, channels and settings': ADMINISTRATION_VIEWS,
  'Dialogs and menus': DIALOG_VIEWS,
  'Nothing, no access, no network': STATE_VIEWS,
};

export const VIEWS: readonly View[] = Object.values(VIEW_AREAS).flat();
