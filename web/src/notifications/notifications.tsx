import { type ReactNode, useEffect } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges } from '../base/use-changes.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { Notifier } from './notifier.ts';
import { notificationPermission } from './permission.ts';

/** Notifies of messages, and offers it when the first one was missed. A bar above the app. */
export function Notifications(): ReactNode {
  const app = useApp();
  useChanges(notificationPermission.changes);
  useEffect(() => {
    if (app.model.account.isSpectator) return;
    const notifier = new Notifier(app);
    notifier.start();
    return () => notifier.stop();
  }, [app]);
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
