import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { useCallback, useRef } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { goToSent, showSent } from '../../shown/sent.ts';
import { commandOf, sentTextOf } from '../commands/commands.ts';
import { runCommand } from '../commands/runner.ts';
import { composeStore } from '../compose-store.ts';
import { liveSessions } from '../drafts/live-sessions.ts';
import type { ComposeSession } from '../drafts/session.ts';
import { nameOfPlace } from '../target/place-names.ts';
import { isOnItsWay } from '../uploads/uploads.ts';
import { uploadsOf } from '../uploads/use-uploads.ts';
import { loadWaitingCode, waitingCode } from './load-waiting.ts';
import type { WarningsOfBox } from './use-warnings.ts';

/** Whether the message was taken out of the box, so that it is on its way. */
export type Send = () => boolean;

/** What the user wanted to send before the code of waiting messages was there. */
const pressed = new WeakMap<ComposeSession, string>();

/** Sends the message unless a warning prevents it. The box is empty at once. */
export function useSend(session: ComposeSession, stopping: WarningsOfBox['stopping'], isDocked: boolean): Send {
  const app = useApp();
  // The code of waiting messages can arrive after a new registration, which makes another `app`.
  const latest = useRef<{ readonly session: ComposeSession; readonly send: Send }>(undefined);
  const send = useCallback(() => {
    const { place } = session;
    if (session.text.isEmpty || session.isScheduling) return false;
    const command = commandOf(session.text.value);
    if (command !== undefined) {
      void runCommand(app, session, command);
      return true;
    }
    if (place === undefined || stopping().length > 0) {
      session.stopped();
      return false;
    }
    const { model, navigation } = app;
    const uploads = uploadsOf(app);
    const isWaiting = uploads.of(session.text.value).some(isOnItsWay);
    if (isWaiting) {
      const code = waitingCode();
      if (code === undefined) {
        // It began to load with the file. A later press only says what the user wants to send then.
        const isExpected = pressed.has(session);
        pressed.set(session, session.text.value);
        if (isExpected) return false;
        void loadWaitingCode().then(() => {
          const wanted = pressed.get(session);
          pressed.delete(session);
          const isUnchanged = liveSessions.has(session) && session.text.value === wanted;
          if (isUnchanged && latest.current?.session === session) latest.current.send();
        });
        return false;
      }
      code.sendWhenUploaded(app, session);
    } else {
      const content = session.take();
      model.cache.outbox.send(place, sentTextOf(content), model.maxMessageId);
      uploads.forget(content);
    }
    if (isDocked) {
      if (!isWaiting) showSent(app, place);
      return true;
    }
    composeStore.close();
    if (model.account.settings.web_navigate_to_sent_message) {
      goToSent(app, place);
      // The box of that conversation, in which the user goes on writing.
      composeStore.focus();
    } else if (!isWaiting) showSent(app, place);
    else {
      const values = { place: nameOfPlace(place, model) };
      const run = (): void => navigation.go({ view: 'narrow', narrow: narrowOfPlace(place, model.ownId) });
      const text = t('The message to {place} is sent as soon as its files are uploaded.', values);
      toasts.show({ text, action: { label: t('Open'), run } });
    }
    return true;
  }, [session, stopping, isDocked, app]);
  latest.current = { session, send };
  return send;
}
