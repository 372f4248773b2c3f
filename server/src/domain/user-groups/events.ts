import type { userGroupEvent } from '@heddle/api/events/user-group.ts';
import type { Static } from 'typebox';
import type { Presenter } from '../../directory/presenters.ts';
import type { GroupPermissions } from '../../directory/records.ts';
import { presentPermissions } from './permissions.ts';
import { type GroupView, presentGroup } from './present.ts';

/** The body of `user_group` events. */
export type GroupEvent =
  | { readonly op: 'add'; readonly view: GroupView }
  | {
      readonly op: 'update';
      readonly changes: GroupChanges;
      readonly wasDeactivated: boolean;
      /** The state after the change. For a reactivated group, `view` has the whole object. */
      readonly groupId: number;
      readonly isDeactivated: boolean;
      readonly view?: GroupView;
    }
  | (AboutMembers & { readonly op: 'add-members' | 'remove-members'; readonly userIds: readonly number[] })
  | (AboutMembers & { readonly op: 'add-subgroups' | 'remove-subgroups'; readonly subgroupIds: readonly number[] });

interface AboutMembers {
  readonly groupId: number;
  readonly isDeactivated?: boolean;
}

/** The changed fields of a group, as records name them. */
export interface GroupChanges {
  readonly name?: string;
  readonly description?: string;
  readonly isDeactivated?: boolean;
  readonly permissions?: GroupPermissions;
}

/** The API event without its id. */
type WireEvent = OmitId<Static<typeof userGroupEvent>>;
type OmitId<Event> = Event extends unknown ? Omit<Event, 'id'> : never;

const WIRE_OPS = {
  'add-members': 'add_members',
  'remove-members': 'remove_members',
  'add-subgroups': 'add_subgroups',
  'remove-subgroups': 'remove_subgroups',
} as const;

/**
 * For clients without the capability for deactivated groups, a deactivated group is removed, and a reactivated one is
 * new (public reference: `client_capabilities` of `POST /register`).
 */
export const groupPresenter: Presenter = {
  variant: ({ capabilities }) => (capabilities.includeDeactivatedGroups ? 'all' : 'open'),

  present(event, { capabilities }): WireEvent | null {
    const body = event.body as GroupEvent;
    const knowsDeactivated = capabilities.includeDeactivatedGroups;
    switch (body.op) {
      case 'add':
        return { type: 'user_group', op: 'add', group: presentGroup(body.view) };
      case 'update':
        return knowsDeactivated ? presentUpdate(body) : presentToForgetful(body);
      case 'add-members':
      case 'remove-members':
        if (body.isDeactivated && !knowsDeactivated) return null;
        return { type: 'user_group', op: WIRE_OPS[body.op], group_id: body.groupId, user_ids: [...body.userIds] };
      case 'add-subgroups':
      case 'remove-subgroups': {
        if (body.isDeactivated && !knowsDeactivated) return null;
        const { groupId, subgroupIds } = body;
        return { type: 'user_group', op: WIRE_OPS[body.op], group_id: groupId, direct_subgroup_ids: [...subgroupIds] };
      }
    }
  },
};

type Update = Extract<GroupEvent, { op: 'update' }>;

function presentToForgetful(body: Update): WireEvent | null {
  const { groupId, wasDeactivated, isDeactivated, view } = body;
  if (!wasDeactivated && !isDeactivated) return presentUpdate(body);
  if (!wasDeactivated) return { type: 'user_group', op: 'remove', group_id: groupId };
  return view === undefined ? null : { type: 'user_group', op: 'add', group: presentGroup(view) };
}

function presentUpdate({ groupId, changes }: Update): WireEvent {
  const { name, description, isDeactivated, permissions } = changes;
  const data = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(isDeactivated !== undefined && { deactivated: isDeactivated }),
    ...(permissions !== undefined && presentPermissions(permissions)),
  };
  return { type: 'user_group', op: 'update', group_id: groupId, data };
}
