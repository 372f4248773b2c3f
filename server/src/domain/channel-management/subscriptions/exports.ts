/** The tables of this folder in a data export. */
import { ofConsenting, type TableExport } from '../../../extension/exports.ts';

const NOTIFICATIONS = [
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
];

export const subscriptionsExports: readonly TableExport[] = [
  {
    table: 'subscriptions',
    fields: [
      'user_id',
      'channel_id',
      'is_active',
      'since_event_id',
      'since_message_id',
      'read_through',
      'color',
      'is_muted',
      'pin_to_top',
      ...NOTIFICATIONS,
    ],
    hidden: [
      {
        fields: ['read_through', 'color', 'is_muted', 'pin_to_top', ...NOTIFICATIONS],
        unless: ofConsenting,
      },
    ],
    rows: ({ hasChannel }) => hasChannel('channel_id'),
  },
  {
    table: 'subscription_intervals',
    fields: [
      'user_id',
      'channel_id',
      'since_event_id',
      'until_event_id',
      'since_message_id',
      'until_message_id',
      'read_through',
    ],
    hidden: [{ fields: ['read_through'], unless: ofConsenting }],
    rows: ({ hasChannel }) => hasChannel('channel_id'),
  },
];
