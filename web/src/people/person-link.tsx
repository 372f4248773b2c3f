import type { ReactNode } from 'react';
import { userName } from '../conversations/names.ts';
import { UserAvatar } from '../conversations/user-mark.tsx';
import { useApp } from '../shell/app.tsx';
import { useChangesOf } from '../shell/use-changes.ts';
import styles from './people.module.css';

/** A person with picture and name, as a link to the profile. */
export function PersonLink({ userId }: { readonly userId: number }): ReactNode {
  const { model, navigation } = useApp();
  useChangesOf(model.users.changesOf, userId);
  return (
    <a className={styles.person} href={navigation.hashOf({ view: 'user', userId })}>
      <UserAvatar userId={userId} size="xs" />
      <span className={styles.personName}>{userName(model, userId)}</span>
    </a>
  );
}
