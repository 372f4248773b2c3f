import type { Directory } from '../../../directory/directory.ts';

/** The bots that one commit closes, and the sum of their subscriptions. Each subscription causes an event. */
const MAX_BOTS_PER_COMMIT = 20;
const MAX_SUBSCRIPTIONS_PER_COMMIT = 500;

/** The first bots, as many as one commit closes. Returns at least one if the list is not empty. */
export function botsToClose<Bot extends { readonly id: number }>(
  subscriptions: Pick<Directory['subscriptions'], 'channelsOf'>,
  bots: readonly Bot[],
): readonly Bot[] {
  let channels = 0;
  const beyond = bots.findIndex(({ id }, index) => {
    channels += subscriptions.channelsOf(id).length;
    return index > 0 && (index >= MAX_BOTS_PER_COMMIT || channels > MAX_SUBSCRIPTIONS_PER_COMMIT);
  });
  return beyond < 0 ? bots : bots.slice(0, beyond);
}
