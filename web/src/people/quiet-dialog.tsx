import { updateQuietHours } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatTime } from '../base/i18n-formats.ts';
import { dateOfField, fieldValueOf, nextFullHour } from '../base/local-time.ts';
import { useChanges } from '../base/use-changes.ts';
import { DateTimeFields } from '../compose/scheduling/date-time-fields.tsx';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Switch } from '../design/switch.tsx';
import { RouteLink } from '../shown/route-link.tsx';
import { useRequest } from '../shown/use-request.ts';
import { showProblem } from './problem.ts';
import { pauseUntil, resume, tomorrow } from './quiet-commands.ts';
import { endText, quietStore } from './quiet-store.ts';
import styles from './status.module.css';

const MINUTE_MS = 60_000;

/** Pauses the own notifications for a while, or ends that. */
export default function QuietDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const app = useApp();
  const { account } = app.model;
  useChanges(account.changes);
  useChanges(quietStore.changes);
  const request = useRequest();
  const [field, setField] = useState<string>();
  const { until } = quietStore;
  const send = async (act: () => Promise<unknown>) => {
    if (await request.send(act)) onClose();
  };
  const pause = (end: Date) => () => void send(() => pauseUntil(app, end));
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);
  const chosen = field === undefined ? undefined : dateOfField(field);
  return (
    <Dialog
      title={t('Pause notifications')}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      size="small"
      footer={
        field !== undefined && (
          <Button
            kind="primary"
            isPending={request.isPending}
            isDisabled={chosen === undefined || chosen.getTime() <= Date.now()}
            onPress={() => chosen !== undefined && pause(chosen)()}
          >
            {t('Pause')}
          </Button>
        )
      }
    >
      <div className={styles.form}>
        {request.problem !== undefined && <Banner kind="error">{request.problem}</Banner>}
        {until !== null && (
          <Banner
            action={
              <Button size="small" isPending={request.isPending} onPress={() => void send(() => resume(app))}>
                {t('Resume')}
              </Button>
            }
          >
            {t('Notifications are paused until {time}.', { time: endText(until) })}
          </Banner>
        )}
        {field === undefined ? (
          <>
            <Button isWide onPress={() => pause(inMinutes(30))()}>
              {t('For 30 minutes')}
            </Button>
            <Button isWide onPress={() => pause(inMinutes(60))()}>
              {t('For 1 hour')}
            </Button>
            <Button isWide onPress={() => pause(tomorrow(new Date()))()}>
              {t('Until tomorrow, {time}', { time: formatTime(tomorrow(new Date())) })}
            </Button>
            <Button isWide onPress={() => setField(fieldValueOf(nextFullHour(new Date())))}>
              {t('Until a time…')}
            </Button>
          </>
        ) : (
          <DateTimeFields value={field} onChange={setField} />
        )}
        <Switch
          isSelected={account.quietHours?.except_direct_messages === true}
          onChange={(except_direct_messages) =>
            void updateQuietHours(app.connection, { except_direct_messages }).catch(showProblem)
          }
        >
          {t('Direct messages still notify me')}
        </Switch>
        <p>
          <RouteLink to={{ view: 'settings', section: 'notifications' }} onClick={onClose}>
            {t('Quiet hours of every week')}
          </RouteLink>
        </p>
      </div>
    </Dialog>
  );
}
