/** The mails about a user's own account, and what is stored of each until it is sent. */
import Type, { type TSchema } from 'typebox';
import type { MailKind } from '../../../mail/kind.ts';

function kind<Schema extends TSchema>(name: string, about: Schema): MailKind<Schema> {
  return { name, about };
}

const nullableText = Type.Union([Type.String(), Type.Null()]);
const link = Type.Object({ linkId: Type.Integer() });

export const resetMail = kind('password-reset', link);
/** After an import, all users get one at once: their accounts have no password yet. */
export const firstPasswordMail = { ...kind('first-password', link), isBulk: true };
export const confirmAddressMail = kind('confirm-address', link);
/** Goes to the former address. */
export const addressChangedMail = kind(
  'address-changed',
  Type.Object({
    to: Type.String(),
    address: Type.String(),
    /** That of the account. Mails of an older version have none. */
    language: Type.Optional(Type.String()),
  }),
);
export const newLoginMail = kind(
  'new-login',
  Type.Object({
    userId: Type.Integer(),
    /** The browser or app and the system, as English text. An older version reads only this. */
    device: Type.String(),
    /** Null: unknown. Mails of an older version have neither. */
    browser: Type.Optional(nullableText),
    system: Type.Optional(nullableText),
    remoteAddress: Type.String(),
    /** ISO 8601. */
    at: Type.String(),
  }),
);
export const accountClosedMail = kind(
  'account-closed',
  Type.Object({ userId: Type.Integer(), comment: Type.String() }),
);
