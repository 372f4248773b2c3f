import { randomBytes } from 'node:crypto';
import type { Change, Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { UploadedFile } from '../../../http/bodies/file-bodies.ts';
import { withBytes } from '../../../pictures/uploads.ts';
import { botUpdated } from '../../users/bots/present.ts';
import { changeAccount } from '../accounts/changes.ts';
import { type AvatarPictures, drawAvatar } from './drawing.ts';

/**
 * Reads an uploaded picture and re-encodes it.
 * @throws ApiError `BAD_IMAGE`, `PAYLOAD_TOO_LARGE`
 */
export function withAvatar<Result>(
  { id }: Organization,
  caller: UserRecord,
  file: UploadedFile,
  use: (pictures: AvatarPictures) => Promise<Result>,
): Promise<Result> {
  return withBytes(`${id} ${caller.id}`, file.content, async (bytes) => use(await drawAvatar(bytes)));
}

/**
 * Sets an account's picture, and announces it. Only the version in its URL changes, so old URLs lead to the new
 * picture.
 */
export async function setAvatar(
  change: Change,
  user: UserRecord,
  { picture, medium }: AvatarPictures,
): Promise<UserRecord> {
  const { db, directory } = change;
  await db
    .insertInto('avatar_pictures')
    .values({ organization_id: directory.organization.id, user_id: user.id, picture, medium })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ picture, medium }))
    .execute();
  const avatarFile = user.avatarFile ?? randomBytes(16).toString('hex');
  return announced(change, { ...user, avatarFile, avatarVersion: user.avatarVersion + 1 });
}

/** Removes an account's picture. Its URL ends with it. */
export async function removeAvatar(change: Change, user: UserRecord): Promise<UserRecord> {
  const { db, directory } = change;
  const { avatarFile: _, ...without } = user;
  await db
    .deleteFrom('avatar_pictures')
    .where('organization_id', '=', directory.organization.id)
    .where('user_id', '=', user.id)
    .execute();
  return announced(change, { ...without, avatarVersion: user.avatarVersion + 1 });
}

async function announced(change: Change, user: UserRecord): Promise<UserRecord> {
  if (user.isBot) change.append(botUpdated(change.directory, user, ['avatar_url']));
  await changeAccount(change, user, { op: 'avatar', user });
  return user;
}
