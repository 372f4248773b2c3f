import { merged } from '@heddle/client/model/merged.ts';
import { type ReactNode, useMemo } from 'react';
import { useModel } from '../base/app.tsx';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import { useMinute } from '../base/use-minute.ts';
import { Avatar, type AvatarProps } from '../design/avatar.tsx';
import { GroupIcon } from '../design/icons.ts';
import { userName } from './names.ts';
import { pictureOf } from './picture.ts';

/** The picture of a person, with the presence if asked. */
export function UserAvatar({
  userId,
  size = 's',
  hasPresence = false,
}: {
  userId: number;
  size?: AvatarProps['size'];
  hasPresence?: boolean;
}): ReactNode {
  const model = useModel();
  useChangesOf(model.users.changesOf, userId);
  const user = model.users.get(userId);
  const presence = usePresence(userId);
  const shown = hasPresence && user !== undefined && !user.isBot && user.isActive ? presence : undefined;
  return (
    <Avatar id={userId} name={userName(model, userId)} src={user && pictureOf(user)} size={size} presence={shown} />
  );
}

export function usePresence(userId: number) {
  const model = useModel();
  useChangesOf(model.presence.changesOf, userId);
  return model.presence.statusOf(userId, useMinute() / 1000);
}

/** The mark before a direct conversation: the person, or the sign of a group. */
export function DirectMark({ userIds }: { userIds: readonly number[] }): ReactNode {
  const { ownId } = useModel();
  const [only] = userIds;
  if (userIds.length > 1) return <GroupIcon aria-hidden="true" />;
  return <UserAvatar userId={only ?? ownId} size="xs" hasPresence />;
}

/** Renders again when one of these users changes, for example the name. */
export function useUsers(userIds: readonly number[]): void {
  const { users } = useModel();
  const key = userIds.join();
  // The ids are the dependency, not the array, which can be new in each render.
  const subject = useMemo(() => merged(...key.split(',').map((id) => users.changesOf.of(Number(id)))), [users, key]);
  useChanges(subject);
}
