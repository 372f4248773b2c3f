import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChangesOf } from '../base/use-changes.ts';
import { Button } from '../design/button.tsx';
import { DirectMessagesIcon, EmojiIcon, TopicIcon } from '../design/icons.ts';
import { UserAvatar } from '../shown/user-mark.tsx';
import styles from './people.module.css';
import { openStatusDialog } from './people-store.ts';
import { ProfileDetails } from './profile-details.tsx';
import { QuietNote } from './quiet-note.tsx';
import { StatusText } from './status-text.tsx';
import { listMessagesOf, writeTo } from './user-commands.ts';
import { UserMenu } from './user-menu.tsx';
import { pronounsOf, roleName } from './user-texts.ts';

interface Props {
  readonly userId: number;
  readonly onClose: () => void;
}

/** The content of a user's card: who this is, and what one can do. */
export function UserCard({ userId, onClose }: Props): ReactNode {
  const { model, navigation } = useApp();
  useChangesOf(model.users.changesOf, userId);
  const user = model.users.get(userId);
  if (user === undefined) {
    return <p className={styles.unknown}>{t('You cannot see this person, or the account does not exist.')}</p>;
  }
  return (
    <section className={styles.card} aria-label={user.name}>
      <UserHead user={user} menu={<UserMenu user={user} onDone={onClose} />} />
      <StatusText userId={userId} />
      <QuietNote user={user} />
      <ProfileDetails user={user} isOnCard />
      <div className={styles.actions}>
        <UserMainAction user={user} onDone={onClose} />
        <Button
          onPress={() => {
            onClose();
            navigation.go({ view: 'user', userId });
          }}
        >
          {t('View profile')}
        </Button>
      </div>
    </section>
  );
}

/** Picture, name, pronouns and role. */
export function UserHead({
  user,
  isLarge = false,
  menu,
}: {
  readonly user: UserRecord;
  readonly isLarge?: boolean;
  readonly menu?: ReactNode;
}): ReactNode {
  const { model } = useApp();
  const pronouns = pronounsOf(model, user.id);
  return (
    <div className={styles.head}>
      <UserAvatar userId={user.id} size={isLarge ? '2xl' : 'xl'} hasPresence />
      <div className={styles.names}>
        <h2 className={styles.name} dir="auto">
          {user.name}
        </h2>
        <p className={styles.role}>{pronouns === undefined ? roleName(user) : `${pronouns} · ${roleName(user)}`}</p>
      </div>
      {menu}
    </div>
  );
}

/** To write to the person, or to read what a deactivated one wrote; on the own card, to set the status. */
export function UserMainAction({
  user,
  onDone,
}: {
  readonly user: UserRecord;
  readonly onDone: () => void;
}): ReactNode {
  const app = useApp();
  if (app.model.account.isSpectator) return null;
  if (user.id === app.model.ownId) {
    return (
      <Button kind="primary" icon={EmojiIcon} onPress={openStatusDialog}>
        {t('Set a status')}
      </Button>
    );
  }
  if (!user.isActive) {
    return (
      <Button
        icon={TopicIcon}
        onPress={() => {
          onDone();
          listMessagesOf(app, user.id);
        }}
      >
        {t('List messages')}
      </Button>
    );
  }
  return (
    <Button
      kind="primary"
      icon={DirectMessagesIcon}
      onPress={() => {
        onDone();
        writeTo(app, user.id);
      }}
    >
      {t('Write a message')}
    </Button>
  );
}
