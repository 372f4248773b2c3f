import { forgetNotes, writeNote } from '../../worker/account.ts';
import type { NotificationTexts } from '../../worker/shown.ts';
import { isAccountForgotten } from '../base/account-storage.ts';
import type { App } from '../base/app.tsx';
import { csrfToken, start } from '../base/early.ts';
import { t } from '../base/i18n.ts';
import { pushDevice } from './push-device.ts';

/** The texts of notifications of the worker. It fills in the names in braces. */
export function notificationTexts(): NotificationTexts {
  const sender = '{sender}';
  const text = '{text}';
  return {
    reply: t('Reply'),
    replyHint: t('Your reply'),
    read: t('Mark as read'),
    again: t('Try again'),
    from: t('{sender}: {text}', { sender, text }),
    hidden: t('New message from {sender}', { sender }),
    hiddenMention: t('{sender} mentioned you', { sender }),
    notSent: t('Your reply was not sent'),
  };
}

/** Tells the worker whose notifications it shows. */
export async function noteForWorker({ model }: Pick<App, 'model'>): Promise<void> {
  if (isAccountForgotten()) return;
  const serverKey = model.account.webPushKey;
  const { isOn, showsText } = pushDevice.choiceOf(model.ownId);
  await writeNote({
    userId: model.ownId,
    csrfCookie: start.csrfCookie,
    csrfToken: csrfToken(),
    ...(isOn && serverKey !== undefined && { push: { serverKey, showsText } }),
    texts: notificationTexts(),
  });
  // The login can end meanwhile.
  if (isAccountForgotten()) await forgetNotes();
}
