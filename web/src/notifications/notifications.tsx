import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { lazyPart } from '../base/lazy-part.tsx';
import { useChanges } from '../base/use-changes.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { EarlyMessages } from './early-messages.ts';
import { notificationPermission } from './permission.ts';

/** Notifies of messages, and offers it when the first one was missed. A bar above the app. */
export function Notifications(): ReactNode {
  return (
    <>
      <LateNotifier />
      <PermissionBar />
    </>
  );
}

const NotifierPart = lazyPart(() => import('./notifier-part.tsx'), null);

/** The code is loaded when the browser is idle, or with the first message. */
function LateNotifier(): ReactNode {
  const { model, onMessage } = useApp();
  const [isNeeded, setNeeded] = useState(false);
  const [early] = useState(() => new EarlyMessages<MessageRecord>());
  const { isSpectator } = model.account;
  useEffect(() => {
    if (isSpectator) return;
    return onMessage((message) => {
      early.add(message);
      setNeeded(true);
    });
  }, [onMessage, isSpectator, early]);
  return isNeeded && <NotifierPart take={() => early.take()} />;
}

/** Offers to turn notifications on. */
function PermissionBar(): ReactNode {
  const app = useApp();
  useChanges(notificationPermission.changes);
  const { missedFrom } = notificationPermission;
  if (missedFrom === undefined) return null;
  return (
    <Banner
      isBar
      action={
        <Button size="small" onPress={() => void notificationPermission.ask()}>
          {t('Turn on notifications')}
        </Button>
      }
      onDismiss={() => notificationPermission.postpone(app.model.ownId)}
    >
      {t('{name} wrote to you. Heddle can notify you when this window is not in front.', { name: missedFrom })}
    </Banner>
  );
}
