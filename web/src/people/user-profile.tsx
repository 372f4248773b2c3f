import { getUserChannels } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import { Banner } from '../design/banner.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { GroupIcon, PersonIcon, ProfileIcon } from '../design/icons.ts';
import { Skeleton } from '../design/skeleton.tsx';
import { ColumnHeader } from '../frame/frame-header.tsx';
import { ChannelMark } from '../shown/channel-mark.tsx';
import { groupName } from '../shown/group-name.ts';
import { routeOfChannel } from '../shown/names.ts';
import { problemText } from '../shown/problem-text.ts';
import { RouteLink } from '../shown/route-link.tsx';
import styles from './profile.module.css';
import { ProfileDetails } from './profile-details.tsx';
import { QuietNote } from './quiet-note.tsx';
import { StatusText } from './status-text.tsx';
import { UserHead, UserMainAction } from './user-card.tsx';
import { UserMenu } from './user-menu.tsx';

/** The profile of a user, as a view of its own: everything that the account may know. */
export function UserProfile({ userId }: { readonly userId: number }): ReactNode {
  const { model } = useApp();
  useChangesOf(model.users.changesOf, userId);
  const user = model.users.get(userId);
  if (user === undefined) {
    return (
      <>
        <ColumnHeader column="main" title={t('Profile')} />
        <EmptyState icon={PersonIcon} title={t('You cannot see this person')}>
          {t('The account does not exist, or you have no channel in common.')}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <ColumnHeader column="main" leading={<ProfileIcon aria-hidden="true" />} title={t('Profile')} hasDetails />
      <div className={styles.scroller}>
        <div className={styles.profile}>
          <UserHead user={user} isLarge />
          <StatusText userId={userId} />
          <QuietNote user={user} />
          <div className={styles.actions}>
            <UserMainAction user={user} onDone={noop} />
            <UserMenu user={user} onDone={noop} />
          </div>
          <ProfileDetails user={user} />
          {!model.account.isSpectator && <Channels key={userId} userId={userId} />}
          <Groups userId={userId} />
        </div>
      </div>
    </>
  );
}

function noop(): void {}

/** The channels of the user that this account can see. */
function Channels({ userId }: { readonly userId: number }): ReactNode {
  const { model, connection } = useApp();
  const [ids, setIds] = useState<readonly number[]>();
  const [problem, setProblem] = useState<string>();
  useChanges(model.channels.orderChanges);
  useEffect(() => {
    let isOver = false;
    getUserChannels(connection, { user_id: userId }).then(
      (response) => isOver || setIds(response.subscribed_channel_ids),
      (error: unknown) => isOver || setProblem(problemText(error)),
    );
    return () => {
      isOver = true;
    };
  }, [connection, userId]);
  const channels = useMemo(
    () =>
      (ids ?? [])
        .flatMap((id) => model.channels.get(id) ?? [])
        .filter(({ isArchived }) => !isArchived)
        .sort((a, b) => Number(b.isSubscribed) - Number(a.isSubscribed) || a.name.localeCompare(b.name)),
    [ids, model],
  );
  return (
    <section className={styles.section} aria-busy={ids === undefined && problem === undefined}>
      <h3>{t('Channels')}</h3>
      {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      {ids === undefined && problem === undefined && <Skeleton count={3} />}
      {ids !== undefined && channels.length === 0 && (
        <p className={styles.none}>{t('No channels that you can see.')}</p>
      )}
      {channels.length > 0 && (
        <ul className={styles.list}>
          {channels.map((channel) => (
            <li key={channel.id}>
              <RouteLink to={routeOfChannel(channel.id)} className={styles.item}>
                <ChannelMark channel={channel} />
                <span className={styles.itemName}>{channel.name}</span>
              </RouteLink>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The groups to which the user belongs, without those that follow from the role. */
function Groups({ userId }: { readonly userId: number }): ReactNode {
  const { model } = useApp();
  useChanges(model.groups.changes);
  const groups = model.groups.groupsOf(userId).filter(({ isSystem, isDeactivated }) => !isSystem && !isDeactivated);
  if (groups.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3>{t('Groups')}</h3>
      <ul className={styles.list}>
        {groups.map((group) => (
          <li key={group.id}>
            <RouteLink to={{ view: 'group', groupId: group.id }} className={styles.item}>
              <GroupIcon aria-hidden="true" />
              <span className={styles.itemName}>{groupName(group)}</span>
            </RouteLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
