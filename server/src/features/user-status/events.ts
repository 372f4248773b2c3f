import type { Presenter } from '../../directory/presenters.ts';
import { presentEmoji } from '../../domain/messages/reactions/present.ts';
import type { Status } from './queries.ts';

/** The bodies of `user_status` events in the log: the changes. */
export interface StatusBody extends Partial<Status> {
  readonly userId: number;
  readonly isAway?: boolean;
}

const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' } as const;

export const statusPresenter: Presenter = {
  variant: ({ readsOlderNames }) => (readsOlderNames ? 'older' : ''),

  present(event, { readsOlderNames = false }) {
    const { userId, isAway, text, emoji } = event.body as StatusBody;
    return {
      type: 'user_status',
      user_id: userId,
      ...(isAway !== undefined && { away: isAway }),
      ...(text !== undefined && { status_text: text }),
      ...(emoji !== undefined && (emoji === null ? NO_EMOJI : presentEmoji(emoji, readsOlderNames))),
    };
  },
};
