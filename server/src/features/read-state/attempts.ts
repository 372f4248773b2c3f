import { updateMessageFlags } from '@heddle/api/endpoints/messages.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';

export const readStateAttempts: Attempts = ({ messageId }) => [
  attemptsOn(updateMessageFlags, {
    refused: [
      { messages: [messageId], op: 'add', flag: 'starred' },
      { messages: [messageId], op: 'remove', flag: 'starred' },
      { messages: [messageId], op: 'remove', flag: 'read' },
    ],
    contained: [{ messages: [messageId, messageId - 1], op: 'add', flag: 'read' }],
  }),
];
