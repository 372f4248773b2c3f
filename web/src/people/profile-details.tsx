import { PROFILE_FIELD_TYPES } from '@heddle/client/model/people/profile-fields.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import { useMinute } from '../base/use-minute.ts';
import { formatCalendarDate } from './calendar-date.ts';
import styles from './people.module.css';
import { PersonLink } from './person-link.tsx';
import { ProfileFieldValue } from './profile-value.tsx';
import { addressOf, localTime, presenceText } from './user-texts.ts';

interface Props {
  readonly user: UserRecord;
  /** Shows only the custom fields that the organization shows on cards. */
  readonly isOnCard?: boolean;
}

/** What is known about a user: presence, local time, address, owner, custom fields. */
export function ProfileDetails({ user, isOnCard = false }: Props): ReactNode {
  const model = useModel();
  useChangesOf(model.presence.changesOf, user.id);
  useChanges(model.profileFields.changes);
  useChanges(model.account.changes);
  const now = useMinute();
  const presence = presenceText(model, user, now);
  const time = localTime(user, now, model.account.settings.twenty_four_hour_time === false);
  const address = addressOf(user);
  const values = model.profileFields
    .valuesOf(user.id)
    .filter(({ field, value }) => value !== '' && field.type !== PROFILE_FIELD_TYPES.pronouns)
    .filter(({ field }) => !isOnCard || field.isInSummary);
  return (
    <dl className={styles.details}>
      {!user.isActive && <Detail name={t('Account')}>{t('Deactivated')}</Detail>}
      {presence !== undefined && <Detail name={t('Presence')}>{presence}</Detail>}
      {time !== undefined && user.isActive && <Detail name={t('Local time')}>{time}</Detail>}
      {address !== undefined && (
        <Detail name={t('Email')}>
          <a href={`mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`}>{address}</a>
        </Detail>
      )}
      {user.botOwnerId !== null && (
        <Detail name={t('Owner of the bot')}>
          <PersonLink userId={user.botOwnerId} />
        </Detail>
      )}
      {values.map((value) => (
        <Detail key={value.field.id} name={value.field.name}>
          <ProfileFieldValue value={value} />
        </Detail>
      ))}
      {!isOnCard && user.dateJoined !== '' && (
        <Detail name={t('Joined')}>{formatCalendarDate(user.dateJoined.slice(0, 10))}</Detail>
      )}
    </dl>
  );
}

function Detail({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}
