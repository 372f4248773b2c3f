import { quietUntil } from '@heddle/api/quiet-time.ts';
import { useEffect } from 'react';
import { useModel } from '../base/app.tsx';
import { useChanges } from '../base/use-changes.ts';
import { useMinute } from '../base/use-minute.ts';
import { quietStore } from './quiet-store.ts';

/** Looks every minute, and after each change of the quiet hours, whether they have begun or ended. It shows nothing. */
export default function QuietClock(): null {
  const { account } = useModel();
  useChanges(account.changes);
  const now = useMinute();
  const { quietHours, settings } = account;
  useEffect(() => {
    // The minute can have begun a while ago.
    const at = Math.max(now, Date.now());
    quietStore.set(quietHours === undefined ? null : quietUntil(quietHours, settings.timezone, at));
  }, [quietHours, settings.timezone, now]);
  useEffect(() => () => quietStore.set(null), []);
  return null;
}
