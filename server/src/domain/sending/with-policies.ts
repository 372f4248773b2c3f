import type { GroupedKind, Verdict } from '../../directory/organization.ts';
import { changeAutomatically } from '../topics/automatic.ts';
import type { Policy } from '../topics/policies.ts';
import { type Draft, type Prepared, prepareMessage } from './prepare.ts';
import { sendMessage } from './send-message.ts';

export interface SentMessage {
  readonly messageId: number;
  /** The sender's policy for the topic, if sending changed it. */
  readonly newPolicy: Policy | undefined;
}

/**
 * Sends messages that change topic policies of their senders or of mentioned users. An optimistic transaction writes
 * both. These messages are rare: a user starts a topic, or is mentioned in it for the first time.
 */
export const sendsWithPolicies: GroupedKind<Draft, SentMessage> = {
  name: 'sends with topic policies',
  async write({ db, directory }, drafts) {
    const now = Date.now();
    const prepared = drafts.map((draft): Prepared | { readonly error: unknown } => {
      try {
        return prepareMessage(directory, draft, now);
      } catch (error) {
        return { error };
      }
    });
    const able = prepared.flatMap((one) => ('error' in one || one.inTopic === null ? [] : one.inTopic));
    const changes = await changeAutomatically(db, directory, able);
    const byMessage = new Map(able.map((inTopic, place) => [inTopic, changes[place]] as const));
    return prepared.map((one): Verdict<SentMessage> => {
      if ('error' in one) return one;
      const change = one.inTopic === null ? undefined : byMessage.get(one.inTopic);
      const result = { messageId: 0, newPolicy: change?.policy };
      return {
        result,
        events: change?.events ?? [],
        write: (entry) =>
          sendMessage(entry, one.message, (messageId) => {
            result.messageId = messageId;
          }),
      };
    });
  },
};
