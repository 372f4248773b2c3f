import { t } from '../base/i18n.ts';
import type { MessageCount } from './topic-messages.ts';

/** How many messages a change concerns, as a sentence. */
export function countText({ count, isExact }: MessageCount): string {
  return isExact
    ? t('{count, plural, one {This concerns # message.} other {This concerns # messages.}}', { count })
    : t('This concerns more than {count, number} messages.', { count });
}
