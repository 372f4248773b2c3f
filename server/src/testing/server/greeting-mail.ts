/** A kind of mail for tests of the mail jobs. */
import Type from 'typebox';
import { languageFor } from '../../languages/language.ts';
import type { MailKind } from '../../mail/kind.ts';
import type { Mail } from '../../mail/mail.ts';

const about = Type.Object({ name: Type.String() });

export const greeting: MailKind<typeof about> = { name: 'greeting', about };

/** The secret in its link, which must not be in logs. */
export const KEY = 'the-key-in-the-link';

export function composeGreeting(name: string): Mail {
  return {
    language: languageFor(['en']),
    to: 'ann@example.com',
    title: `Hello, ${name}`,
    paragraphs: [`You are ${name}.`],
    link: { label: 'Open', url: `http://localhost/${KEY}` },
    afterwards: ['Bye.'],
  };
}
