import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { useCallback } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { commandOf, withoutEscape } from '../commands/commands.ts';
import { runCommand } from '../commands/runner.ts';
import { composeStore } from '../compose-store.ts';
import type { ComposeSession } from '../drafts/session.ts';
import { nameOfPlace } from '../target/place-names.ts';
import type { WarningsOfBox } from './use-warnings.ts';

/** Whether the message was taken out of the box, so that it is on its way. */
export type Send = () => boolean;

/** Sends the message unless a warning prevents it. The box is empty at once. */
export function useSend(session: ComposeSession, stopping: WarningsOfBox['stopping'], isDocked: boolean): Send {
  const app = useApp();
  return useCallback(() => {
    const { model, navigation } = app;
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
    model.cache.outbox.send(place, withoutEscape(session.take()), model.maxMessageId);
    if (isDocked) return true;
    composeStore.close();
    const open = (): void => navigation.go({ view: 'narrow', narrow: narrowOfPlace(place, model.ownId) });
    if (model.account.settings.web_navigate_to_sent_message) {
      open();
      // The box of that conversation, in which the user goes on writing.
      composeStore.focus();
    } else {
      const text = t('Message sent to {place}', { place: nameOfPlace(place, model) });
      toasts.show({ text, action: { label: t('Open'), run: open } });
    }
    return true;
  }, [session, stopping, isDocked, app]);
}
