import type { clientDevice, pushDevice } from '@heddle/api/objects/push-device.ts';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { statePart } from '../../extension/initial-state.ts';

/** Sent even without a push service: clients delete accounts that are missing here. Index: the primary key. */
export const pushDevicesState = statePart<Readonly<Record<string, Static<typeof pushDevice>>>>({
  types: ['push_device'],
  select: ({ organizationId, userId }) => sql`
    SELECT coalesce(json_object_agg(push_account_id::text,
                                    json_build_object('status', state, 'error_code', error_code)), '{}')
      FROM push_devices
     WHERE organization_id = ${organizationId} AND user_id = ${userId} AND push_account_id IS NOT NULL`,
  build: (_, devices) => ({ push_devices: devices }),
  spectators: { build: () => ({ push_devices: {} }) },
});

const UNREGISTERED: Static<typeof clientDevice> = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

/** Index: the primary key. */
export const clientDevicesState = statePart<readonly number[]>({
  types: ['device'],
  select: ({ organizationId, userId }) => sql`
    SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM client_devices
     WHERE organization_id = ${organizationId} AND user_id = ${userId}`,
  build: (_, ids) => ({ devices: Object.fromEntries(ids.map((id) => [id, UNREGISTERED])) }),
  spectators: { build: () => ({ devices: {} }) },
});
