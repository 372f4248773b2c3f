/** Which users allow the export of their private data (`allow_private_data_export`). Administrators see it. */
import { type RawBuilder, sql } from 'kysely';
import type { Directory } from '../../../directory/directory.ts';
import type { Presenter } from '../../../directory/presenters.ts';
import { SystemGroup } from '../../../directory/records.ts';
import type { NewEvent } from '../../../log/event.ts';
import { FIRST_SETTINGS } from './first-settings.ts';

interface Consent {
  readonly user_id: number;
  readonly consented: boolean;
}

/** Of all active users who are no bots. Index: the primary key. */
export function selectConsents(organizationId: number): RawBuilder<Consent[]> {
  return sql`
    SELECT coalesce(json_agg(consent), '[]') FROM (
      SELECT id AS user_id,
             coalesce((own_settings ->> 'allow_private_data_export')::boolean, ${FIRST_SETTINGS.allow_private_data_export}) AS consented
        FROM users
       WHERE organization_id = ${organizationId} AND is_active AND NOT is_bot
       ORDER BY id
    ) AS consent`;
}

export function consentEvent({ groups }: Directory, consent: Consent): NewEvent {
  const audience = { to: 'group', groupId: groups.idOf(SystemGroup.administrators) } as const;
  return { type: 'realm_export_consent', audience, body: consent };
}

export const consentPresenter: Presenter = {
  present({ body }) {
    const { user_id, consented } = body as Consent;
    return { type: 'realm_export_consent', user_id, consented };
  },
};
