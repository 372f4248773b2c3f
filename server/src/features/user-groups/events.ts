import type { userGroupEvent } from '@heddle/api/events/user-group.ts';
import type { Static } from 'typebox';
import type { EventPresenter } from '../../log/presentation.ts';

/** What `user_group` events carry in the log. */
export interface GroupEvent {
  readonly op: 'add-members';
  readonly groupId: number;
  readonly userIds: readonly number[];
}

export const groupPresenter: EventPresenter = {
  present(event): Omit<Static<typeof userGroupEvent>, 'id'> {
    const { groupId, userIds } = event.body as GroupEvent;
    return { type: 'user_group', op: 'add_members', group_id: groupId, user_ids: [...userIds] };
  },
};
