import { updateMessageFlagsForNarrow } from '@heddle/client/calls/operations.ts';
import { type Narrow, wireNarrow } from '@heddle/client/model/messages/narrow.ts';
import type { App } from '../base/app.tsx';

/** How many messages one request marks. The server allows 5,000. */
const MESSAGES_PER_REQUEST = 5_000;

/** The most requests for messages that the client does not know. */
const MAX_REQUESTS = 20;

/** The server names only the newest unread messages. If there are more, it marks the others itself, in batches. */
export async function readUnknown({ connection }: App, shown: Narrow, newestId: number): Promise<void> {
  const narrow = wireNarrow([...shown, { operator: 'is', operand: 'unread' }]);
  const common = { narrow, op: 'add', flag: 'read', num_before: MESSAGES_PER_REQUEST, num_after: 0 } as const;
  try {
    let anchor = newestId;
    for (let request = 0; request < MAX_REQUESTS; request += 1) {
      const answer = await updateMessageFlagsForNarrow(connection, { ...common, anchor });
      if (answer.found_oldest || answer.first_processed_id === null) return;
      anchor = answer.first_processed_id;
    }
  } catch {
    // The next time at the end tries again.
  }
}
