/** The mails about one's own account, by what is stored of each until it is sent. */
import Type, { type TSchema } from 'typebox';
import type { MailKind } from '../../mail/kind.ts';

function kind<Schema extends TSchema>(name: string, about: Schema): MailKind<Schema> {
  return { name, about };
}

const link = Type.Object({ linkId: Type.Integer() });

export const resetMail = kind('password-reset', link);
export const confirmAddressMail = kind('confirm-address', link);
/** To the address that the account had. */
export const addressChangedMail = kind('address-changed', Type.Object({ to: Type.String(), address: Type.String() }));
export const newLoginMail = kind(
  'new-login',
  Type.Object({
    userId: Type.Integer(),
    /** In words: the browser or app, and the system. */
    device: Type.String(),
    remoteAddress: Type.String(),
    /** ISO 8601. */
    at: Type.String(),
  }),
);
export const accountClosedMail = kind(
  'account-closed',
  Type.Object({ userId: Type.Integer(), comment: Type.String() }),
);
