import type { Refusal } from '@heddle/client/model/permissions/permission-result.ts';
import { t } from '../base/i18n.ts';

/** Why the user may not do something, as a sentence. */
export function refusalText({ reason, limitSeconds }: Refusal): string {
  switch (reason) {
    case 'spectator':
      return t('Log in to do this.');
    case 'bot':
      return t('Bots cannot do this.');
    case 'guest':
      return t('Guests cannot do this.');
    case 'owner':
      return t('Only owners can do this.');
    case 'administrator':
      return t('Only administrators can do this.');
    case 'waiting period':
      return t('You can do this when you are a full member.');
    case 'archived':
      return t('This channel is archived.');
    case 'not subscribed':
      return t('Only subscribers can do this.');
    case 'disabled':
      return t('This organization has turned it off.');
    case 'not own':
      return t('Only the author can do this.');
    case 'time limit':
      return t('This was possible for {duration} after sending.', { duration: durationText(limitSeconds ?? 0) });
    case 'topic required':
      return t('This channel requires a topic.');
    case 'topic forbidden':
      return t('This channel has no topics.');
    case 'deactivated':
      return t('The account or group is deactivated.');
    default:
      return t('You do not have permission to do this.');
  }
}

/** `2 hours`, in the largest unit that is exact. */
export function durationText(seconds: number): string {
  if (seconds % 86_400 === 0) return t('{count, plural, one {# day} other {# days}}', { count: seconds / 86_400 });
  if (seconds % 3_600 === 0) return t('{count, plural, one {# hour} other {# hours}}', { count: seconds / 3_600 });
  if (seconds >= 60) return t('{count, plural, one {# minute} other {# minutes}}', { count: Math.floor(seconds / 60) });
  return t('{count, plural, one {# second} other {# seconds}}', { count: Math.floor(seconds) });
}
