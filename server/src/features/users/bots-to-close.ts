import type { Directory } from '../../directory/directory.ts';

/** Bots that are closed in one commit, and channels that they are subscribed to together: there is an event for each. */
const BOTS_AT_ONCE = 20;
const CHANNELS_AT_ONCE = 500;

/** The first of the bots, as many as one commit closes; one at least, where there is one. */
export function botsToClose<Bot extends { readonly id: number }>(
  subscriptions: Pick<Directory['subscriptions'], 'channelsOf'>,
  bots: readonly Bot[],
): readonly Bot[] {
  let channels = 0;
  const beyond = bots.findIndex(({ id }, index) => {
    channels += subscriptions.channelsOf(id).length;
    return index > 0 && (index >= BOTS_AT_ONCE || channels > CHANNELS_AT_ONCE);
  });
  return beyond < 0 ? bots : bots.slice(0, beyond);
}
