import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { RESUMABLE_UNTIL, start } from '../base/early.ts';
import { t } from '../base/i18n.ts';
import { dayOf, formatDateTime, formatTime } from '../base/i18n-formats.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { QUEUE_LIVES_MS } from './boot.ts';

/** Says that the server cannot be reached, how old the view is, and what to do. It is never loaded later: then there is no network. */
export function OfflineBanner({ isOffline }: { readonly isOffline: boolean }): ReactNode {
  const { session } = useApp();
  const updated = lastUpdate();
  const text = isOffline
    ? t('You are offline. Messages are sent later.')
    : t('The server cannot be reached. Messages are sent later.');
  const action = (
    <Button size="small" onPress={() => session.check()}>
      {t('Try now')}
    </Button>
  );
  return (
    <Banner kind="warning" isBar {...(!isOffline && { action })}>
      {text}
      {updated !== undefined && ` ${t('Last updated {time}.', { time: timeText(updated) })}`}
    </Banner>
  );
}

/** When a page of this browser had all events, to the minute. */
function lastUpdate(): Date | undefined {
  if (start.userId === null) return undefined;
  try {
    const until = Number(localStorage.getItem(RESUMABLE_UNTIL + start.userId));
    return until > 0 ? new Date(until - QUEUE_LIVES_MS) : undefined;
  } catch {
    return undefined;
  }
}

function timeText(time: Date): string {
  return dayOf(time) === dayOf(new Date()) ? formatTime(time) : formatDateTime(time);
}
