import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { useCallback, useRef } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { goToSent, showSent } from '../../shown/sent.ts';
import { commandOf, withoutEscape } from '../commands/commands.ts';
import { runCommand } from '../commands/runner.ts';
import { composeStore } from '../compose-store.ts';
import type { ComposeSession } from '../drafts/session.ts';
import { nameOfPlace } from '../target/place-names.ts';
import { isOnItsWay } from '../uploads/uploads.ts';
import { uploadsOf } from '../uploads/use-uploads.ts';
import { loadWaitingCode, waitingCode } from './load-waiting.ts';
import type { WarningsOfBox } from './use-warnings.ts';

/** Whether the message was taken out of the box, so that it is on its way. */
export type Send = () => boolean;

/** Sends the message unless a warning prevents it. The box is empty at once. */
export function useSend(session: ComposeSession, stopping: WarningsOfBox['stopping'], isDocked: boolean): Send {
  const app = useApp();
  const latest = useRef<Send>(() => false);
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
        // It began to load with the file.
        void loadWaitingCode().then(() => latest.current());
        return false;
      }
      code.sendWhenUploaded(app, session);
    } else {
      const content = session.take();
      model.cache.outbox.send(place, withoutEscape(content), model.maxMessageId);
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
  latest.current = send;
  return send;
}
