import type { Parameters } from '@heddle/api/contract.ts';
import type { updateGifPicker } from '@heddle/api/endpoints/gif-picker.ts';
import { badRequest } from '@heddle/api/errors.ts';
import type { gifPicker } from '@heddle/api/objects/gif.ts';
import type { Static } from 'typebox';
import { roleRefusal } from '../../access/setting-changes.ts';
import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { GIF_PICKER } from '../../domain/organizations/organizations/extension-settings.ts';
import type { OrganizationEvent } from '../../domain/organizations/organizations/present.ts';
import { gifPickerOf } from './queries.ts';
import { sealKey } from './sealed-key.ts';

/** @throws ApiError `UNAUTHORIZED_PRINCIPAL` */
export function checkMayChangeGifPicker(caller: UserRecord): void {
  const refusal = roleRefusal(caller, 'administrator');
  if (refusal !== undefined) throw refusal;
}

/**
 * Changes the service, its key or the rating, and announces what clients know of it.
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: the service has no key, or there is no service
 */
export async function changeGifPicker(
  change: Change,
  caller: UserRecord,
  given: Parameters<typeof updateGifPicker>,
  secret: Buffer,
): Promise<void> {
  checkMayChangeGifPicker(caller);
  const { db, directory } = change;
  const { id: organizationId } = directory.organization;
  const before = await gifPickerOf(db, organizationId);
  const service = given.service ?? before?.service ?? 'none';
  if (service === 'none') {
    if (given.api_key !== undefined || given.rating !== undefined) throw badRequest('Choose a service of GIFs first.');
    await db.deleteFrom('gif_pickers').where('organization_id', '=', organizationId).execute();
    if (before !== undefined) announce(change, null);
    return;
  }
  const key = given.api_key?.trim();
  if (key === '' || (key === undefined && before?.service !== service)) {
    throw badRequest('This service of GIFs needs the key of your organization.');
  }
  const rating = given.rating ?? before?.rating ?? 'g';
  const sealed_key = key === undefined ? before?.sealed_key : sealKey(secret, organizationId, key);
  if (sealed_key === undefined) return;
  const row = { service, rating, sealed_key };
  await db
    .insertInto('gif_pickers')
    .values({ organization_id: organizationId, ...row })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(row))
    .execute();
  if (before?.service !== service || before.rating !== rating) announce(change, { service, rating });
}

function announce({ append }: Change, value: Static<typeof gifPicker>): void {
  const body: OrganizationEvent = { op: 'update-one', property: GIF_PICKER, value };
  append({ type: 'realm', audience: { to: 'everyone' }, body });
}
