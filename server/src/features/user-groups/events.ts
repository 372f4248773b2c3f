import type { userGroupEvent } from '@heddle/api/events/user-group.ts';
import type { Static } from 'typebox';
import type { Presenter } from '../../directory/presenters.ts';
import type { GroupRecord } from '../../directory/records.ts';
import { presentGroup } from './present.ts';

/** What `user_group` events carry in the log. */
export type GroupEvent =
  | {
      readonly op: 'add';
      readonly group: GroupRecord;
      readonly members: readonly number[];
      readonly subgroups: readonly number[];
    }
  | { readonly op: 'add-members' | 'remove-members'; readonly groupId: number; readonly userIds: readonly number[] }
  | {
      readonly op: 'add-subgroups' | 'remove-subgroups';
      readonly groupId: number;
      readonly subgroupIds: readonly number[];
    };

/** The wire event but for its id. */
type WireEvent = OmitId<Static<typeof userGroupEvent>>;
type OmitId<Event> = Event extends unknown ? Omit<Event, 'id'> : never;

const WIRE_OPS = {
  'add-members': 'add_members',
  'remove-members': 'remove_members',
  'add-subgroups': 'add_subgroups',
  'remove-subgroups': 'remove_subgroups',
} as const;

export const groupPresenter: Presenter = {
  present(event, _, __, directory): WireEvent {
    const body = event.body as GroupEvent;
    switch (body.op) {
      case 'add':
        return { type: 'user_group', op: 'add', group: presentGroup(directory, body.group, body) };
      case 'add-members':
      case 'remove-members':
        return { type: 'user_group', op: WIRE_OPS[body.op], group_id: body.groupId, user_ids: [...body.userIds] };
      case 'add-subgroups':
      case 'remove-subgroups': {
        const { groupId, subgroupIds } = body;
        return { type: 'user_group', op: WIRE_OPS[body.op], group_id: groupId, direct_subgroup_ids: [...subgroupIds] };
      }
    }
  },
};
