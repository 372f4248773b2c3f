/** The tables of this folder in a data export. */
import { SUBSCRIPTION_SETTING_NAMES } from '@heddle/api/subscription-settings.ts';
import { ofConsenting, type TableExport } from '../../../extension/exports.ts';

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
      ...SUBSCRIPTION_SETTING_NAMES,
    ],
    hidden: [{ fields: ['read_through', ...SUBSCRIPTION_SETTING_NAMES], unless: ofConsenting }],
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
