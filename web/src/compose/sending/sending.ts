import { useCallback } from 'react';
import { useApp } from '../../base/app.tsx';
import { goToSent, showSent } from '../../shown/sent.ts';
import { composeStore } from '../compose-store.ts';
import type { ComposeSession } from '../drafts/session.ts';
import type { WarningsOfBox } from './use-warnings.ts';

/** Whether the message was taken out of the box, so that it is on its way. */
export type Send = () => boolean;

/** Sends the message unless a warning prevents it. The box is empty at once. */
export function useSend(session: ComposeSession, stopping: WarningsOfBox['stopping'], isDocked: boolean): Send {
  const app = useApp();
  return useCallback(() => {
    const { place } = session;
    if (session.text.isEmpty || session.isScheduling) return false;
    if (place === undefined || stopping().length > 0) {
      session.stopped();
      return false;
    }
    app.model.cache.outbox.send(place, session.take(), app.model.maxMessageId);
    if (isDocked) {
      showSent(app, place);
      return true;
    }
    composeStore.close();
    if (app.model.account.settings.web_navigate_to_sent_message) {
      goToSent(app, place);
      // The box of that conversation, in which the user goes on writing.
      composeStore.focus();
    } else showSent(app, place);
    return true;
  }, [session, stopping, isDocked, app]);
}
