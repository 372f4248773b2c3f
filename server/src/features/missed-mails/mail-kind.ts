import Type from 'typebox';
import type { MailKind } from '../../mail/kind.ts';

const about = Type.Object({
  userId: Type.Integer(),
  messages: Type.Array(
    Type.Object({
      id: Type.Integer(),
      /** Why the user is notified (`Cause`). */
      cause: Type.String(),
      /** The user group that mentions the user. */
      groupId: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
  /** The number of further messages. */
  leftOut: Type.Integer(),
});

/** A mail about missed messages of one conversation. */
export const missedMail: MailKind<typeof about> = { name: 'missed-messages', about, isBulk: true };
