import { randomBytes } from 'node:crypto';
import { roleRefusal } from '../../../access/setting-changes.ts';
import type { Change } from '../../../directory/organization.ts';
import type { OrganizationPicture, OrganizationRecord, UserRecord } from '../../../directory/records.ts';
import { organizationDelta } from '../../../directory/state-deltas.ts';
import { type PictureEvent, presentPicture } from './present.ts';

/** @throws ApiError `UNAUTHORIZED_PRINCIPAL` */
export function checkMayChangePictures(user: UserRecord): void {
  const refusal = roleRefusal(user, 'administrator');
  if (refusal !== undefined) throw refusal;
}

/**
 * Sets or removes the organization's icon or logo, and announces it.
 * @param picture the re-encoded picture; null removes it
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`
 */
export async function changePicture(
  change: Change,
  caller: UserRecord,
  kind: OrganizationPicture,
  picture: Buffer | null,
): Promise<void> {
  checkMayChangePictures(caller);
  const { db, directory, append } = change;
  const before = directory.organization;
  if (picture === null) {
    await db
      .deleteFrom('organization_pictures')
      .where('organization_id', '=', before.id)
      .where('kind', '=', kind)
      .execute();
  } else {
    await db
      .insertInto('organization_pictures')
      .values({ organization_id: before.id, kind, picture })
      .onConflict((conflict) => conflict.columns(['organization_id', 'kind']).doUpdateSet({ picture }))
      .execute();
  }
  const { version, file } = before.pictures?.[kind] ?? { version: 1, file: null };
  const named = picture === null ? null : (file ?? randomBytes(16).toString('hex'));
  const pictures = { ...before.pictures, [kind]: { version: version + 1, file: named } };
  await db.updateTable('organizations').set({ pictures }).where('id', '=', before.id).execute();
  const after: OrganizationRecord = { ...before, pictures };
  const body: PictureEvent = { op: 'update-picture', property: kind, data: presentPicture(directory, after, kind) };
  append({ type: 'realm', audience: { to: 'everyone' }, body, deltas: [organizationDelta(after, before)] });
}
