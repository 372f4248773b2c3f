import type { Submessage } from '@heddle/client/model/messages/message-record.ts';

/** A contribution of the user that the server has not confirmed yet. */
export interface PendingContribution {
  readonly content: string;
  /** The newest submessage that the client knew when the user made it. */
  readonly afterId: number;
}

export type Shown = Pick<Submessage, 'senderId' | 'content'>;

/**
 * The submessages of a message, followed by those that are on their way. The event of a submessage can arrive before or
 * after the response to its request. A pending one with the same content counts as arrived, each only once.
 */
export function withPending(
  submessages: readonly Submessage[],
  pending: readonly PendingContribution[],
  ownId: number,
): readonly Shown[] {
  if (pending.length === 0) return submessages;
  const waiting = unconfirmed(submessages, pending, ownId);
  return [...submessages, ...waiting.map(({ content }) => ({ senderId: ownId, content }))];
}

/** The pending contributions whose event has not arrived. */
export function unconfirmed(
  submessages: readonly Submessage[],
  pending: readonly PendingContribution[],
  ownId: number,
): readonly PendingContribution[] {
  const arrived = submessages.filter(({ senderId }) => senderId === ownId);
  const taken = new Set<number>();
  return pending.filter(({ content, afterId }) => {
    const own = arrived.find((one) => one.id > afterId && one.content === content && !taken.has(one.id));
    if (own !== undefined) taken.add(own.id);
    return own === undefined;
  });
}
