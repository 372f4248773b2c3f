import { updateMessageFlags } from '@heddle/api/endpoints/messages.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';

export const readStateAttempts: Attempts = ({ messageId }) => [
  attemptsOn(updateMessageFlags, {
    contained: ['starred', 'read'].flatMap((flag) =>
      ['add', 'remove'].map((op) => ({ messages: [messageId, messageId - 1], op, flag })),
    ),
  }),
];
