/** Who follows a thread follows its topic. */
import type { SourceRow } from '../source.ts';
import type { OtherTable } from './neutral-archive.ts';

const FOLLOWED_POLICY_CODE = 3;

export const followedThreads: OtherTable = {
  table: 'user_topics',
  *rows(lookup): Generator<SourceRow> {
    for (const { channel: key, key: message, followers = [] } of lookup.messages()) {
      const channel = key === null ? undefined : lookup.channel(key);
      if (channel === undefined) continue;
      for (const follower of new Set(followers)) {
        const user = lookup.user(follower);
        if (user === undefined) lookup.report.skip('Followers of threads who are unknown', follower);
        else
          yield {
            ...{ channel_id: channel.id, topic: lookup.topicOf(message), user_id: user.id },
            ...{ policy: FOLLOWED_POLICY_CODE, updated_at: new Date(0) },
          };
      }
    }
  },
};
