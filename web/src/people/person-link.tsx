import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { useChangesOf } from '../base/use-changes.ts';
import { userName } from '../shown/names.ts';
import { UserAvatar } from '../shown/user-mark.tsx';
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
