import { getQuietHoursOfUser } from '@heddle/client/calls/operations.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges } from '../base/use-changes.ts';
import { useMinute } from '../base/use-minute.ts';
import { MuteIcon } from '../design/icons.ts';
import styles from './people.module.css';
import { endText, quietStore } from './quiet-store.ts';

/** That a person's notifications are paused. The server says it of others when somebody looks. */
export function QuietNote({ user }: { readonly user: UserRecord }): ReactNode {
  const { model } = useApp();
  if (user.id === model.ownId) return <OwnNote />;
  const canBeQuiet = model.account.quietHours !== undefined && user.isActive && !user.isBot;
  return canBeQuiet && <NoteOfOther key={user.id} userId={user.id} />;
}

function OwnNote(): ReactNode {
  useChanges(quietStore.changes);
  return <Note isPaused={quietStore.until !== null} until={quietStore.until} />;
}

function NoteOfOther({ userId }: { readonly userId: number }): ReactNode {
  const { connection } = useApp();
  const [pause, setPause] = useState<Pause>(NO_PAUSE);
  useEffect(() => {
    let isOver = false;
    getQuietHoursOfUser(connection, { user_id: userId }).then(
      ({ paused, paused_until: end }) =>
        isOver || setPause({ isPaused: paused, until: end === null ? null : end * 1000 }),
      // The rest of the card is there without it.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [connection, userId]);
  return <Note {...pause} />;
}

interface Pause {
  readonly isPaused: boolean;
  /** In milliseconds since the epoch. Null: nobody else knows the end, because it is that of a schedule. */
  readonly until: number | null;
}

const NO_PAUSE: Pause = { isPaused: false, until: null };

function Note({ isPaused, until }: Pause): ReactNode {
  const now = useMinute();
  if (!isPaused || (until !== null && until <= now)) return null;
  return (
    <p className={styles.status}>
      <MuteIcon aria-hidden="true" />
      {until === null
        ? t('Notifications are paused.')
        : t('Notifications are paused until {time}.', { time: endText(until) })}
    </p>
  );
}
