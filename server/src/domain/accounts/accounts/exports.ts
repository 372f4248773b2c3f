/** The tables of this folder in a data export. */
import { sql } from 'kysely';
import { AddressVisibility, visibilitiesFor } from '../../../access/addresses.ts';
import { Role } from '../../../directory/records.ts';
import type { TableExport } from '../../../extension/exports.ts';

export const accountsExports: readonly TableExport[] = [
  {
    table: 'users',
    fields: [
      'id',
      'email',
      'delivery_email',
      'full_name',
      'role',
      'is_active',
      'is_bot',
      'bot_type',
      'bot_owner_id',
      'timezone',
      'avatar_version',
      'date_joined',
      'system_bot',
      'own_settings',
      'can_create_users',
      'can_change_user_emails',
      'avatar_file',
      'bot_settings',
      'address_is_confirmed',
    ],
    withheld: { password_hash: 'a secret', api_key_version: 'a secret is derived from it' },
    hidden: [
      { fields: ['own_settings', 'bot_settings'], unless: ({ consents }) => consents('id') },
      {
        fields: ['delivery_email'],
        unless: ({ consents, isPublic }) => {
          const role = isPublic ? Role.member : Role.administrator;
          return sql`(${consents('id')} OR t.is_bot
            OR coalesce((t.own_settings->>'email_address_visibility')::integer, ${sql.lit(AddressVisibility.everyone)})
               = ANY (${visibilitiesFor(role)}::integer[]))`;
        },
      },
    ],
  },
  {
    table: 'acquaintances',
    fields: ['guest_id', 'user_id'],
    // They wrote direct messages to each other.
    rows: ({ personConsents }) => sql`(${personConsents('guest_id')} OR ${personConsents('user_id')})`,
  },
];
