/** How mails call people and topics. */
import type { Language } from '../../../languages/language.ts';

export function topicName({ t }: Language, topic: string): string {
  return topic === '' ? t('general chat') : topic;
}

/** A user whom the reader may not know. */
export function unknownUser({ t }: Language): string {
  return t('Unknown user');
}

/** @param rest the number of people without a name here */
export function someNames({ t }: Language, names: readonly string[], rest: number): string {
  const shown = names.join(', ');
  return rest > 0 ? t('{names} and {rest, plural, one {# other} other {# others}}', { names: shown, rest }) : shown;
}
