/** The tables of this folder in a data export. */
import { sql } from 'kysely';
import type { TableExport } from '../../extension/exports.ts';

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
        // 4: nobody sees it, not even administrators.
        unless: ({ consents }) =>
          sql`(${consents('id')} OR t.is_bot OR coalesce(t.own_settings->>'email_address_visibility', '1') <> '4')`,
      },
    ],
  },
  {
    table: 'acquaintances',
    fields: ['guest_id', 'user_id'],
  },
];
