import type { StatusEmoji, StatusRecord } from '@heddle/client/model/people/statuses.ts';
import { type Message, msg, t } from '../base/i18n.ts';
import type { StatusDuration } from './status-duration.ts';

/** The longest text of a status, in Unicode characters. */
export const MAX_STATUS_LENGTH = 60;

function unicode(name: string, code: string): StatusEmoji {
  return { name, code, type: 'unicode_emoji' };
}

export interface StatusPreset {
  readonly text: Message;
  readonly emoji: StatusEmoji;
  readonly duration: StatusDuration;
}

/** Statuses that most people need. */
export const STATUS_PRESETS: readonly StatusPreset[] = [
  { text: msg('In a meeting'), emoji: unicode('calendar', '1f4c5'), duration: 'hour' },
  { text: msg('Commuting'), emoji: unicode('bus', '1f68c'), duration: 'half hour' },
  { text: msg('Out sick'), emoji: unicode('hurt', '1f915'), duration: 'today' },
  { text: msg('On vacation'), emoji: unicode('palm_tree', '1f334'), duration: 'never' },
  { text: msg('Working remotely'), emoji: unicode('house', '1f3e0'), duration: 'today' },
  { text: msg('At the office'), emoji: unicode('office', '1f3e2'), duration: 'today' },
];

/** The parameters of `POST /users/me/status` for a status. Empty fields remove what was there. */
export function statusParameters({ text, emoji }: StatusRecord) {
  if (emoji === null) return { status_text: text, emoji_name: '' };
  return { status_text: text, emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.type };
}

export function durationName(duration: StatusDuration): string {
  switch (duration) {
    case 'half hour':
      return t('In 30 minutes');
    case 'hour':
      return t('In 1 hour');
    case 'four hours':
      return t('In 4 hours');
    case 'today':
      return t('At the end of today');
    case 'week':
      return t('At the end of this week');
    default:
      return t('Never');
  }
}
