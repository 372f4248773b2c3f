import type { realmUserEvent } from '@heddle/api/events/realm-user.ts';
import type { Static } from 'typebox';
import { roleClass } from '../../../access/addresses.ts';
import { STRANGER } from '../../../access/people.ts';
import type { Presenter } from '../../../directory/presenters.ts';
import type { Role, UserRecord } from '../../../directory/records.ts';
import type { LoggedEvent } from '../../../log/event.ts';
import type { UserAccessEvent } from '../accessible-users/actions.ts';
import type { ProfileEvent } from '../profile-fields/queries.ts';
import { presentAvatar, presentInaccessible, presentUser } from './present.ts';

/** The bodies of `realm_user` events in the log. */
export type UserEvent =
  | UserAccessEvent
  | { readonly op: 'role'; readonly userId: number; readonly role: Role }
  | { readonly op: 'activity'; readonly userId: number; readonly isActive: boolean }
  | { readonly op: 'avatar'; readonly user: UserRecord }
  | { readonly op: 'bot-owner'; readonly userId: number; readonly ownerId: number }
  | { readonly op: 'full-name'; readonly userId: number; readonly fullName: string }
  /** The API address. */
  | { readonly op: 'email'; readonly userId: number; readonly email: string }
  /** The real address; null for readers who lose it. */
  | { readonly op: 'delivery-email'; readonly userId: number; readonly address: string | null }
  | ProfileEvent
  | { readonly op: 'timezone'; readonly userId: number; readonly email: string; readonly timezone: string };

export const userPresenter: Presenter = {
  variant: ({ clientGravatar, capabilities }, viewer) =>
    `${clientGravatar ? 'gravatar ' : ''}${capabilities.userListIncomplete ? 'incomplete ' : ''}${roleClass(viewer.role)}`,

  present(
    event,
    { clientGravatar, capabilities },
    viewer,
    directory,
  ): Omit<Static<typeof realmUserEvent>, 'id'> | null {
    const body = userEvent(event);
    switch (body.op) {
      case 'add': {
        const { user, profile, isInaccessible } = body;
        if (isInaccessible) {
          if (capabilities.userListIncomplete) return null;
          return { type: 'realm_user', op: 'add', person: presentInaccessible(directory, user.id) };
        }
        const presentation = { clientGravatar, withProfileData: true, reader: anyOf(viewer) };
        const person = presentUser(directory, user, presentation);
        return { type: 'realm_user', op: 'add', person: { ...person, ...(profile && { profile_data: profile }) } };
      }
      case 'remove':
        return { type: 'realm_user', op: 'remove', person: { user_id: body.userId, full_name: STRANGER } };
      case 'role':
        return { type: 'realm_user', op: 'update', person: { user_id: body.userId, role: body.role } };
      case 'avatar': {
        const { user } = body;
        const avatar = { ...presentAvatar(directory, user), avatar_version: user.avatarVersion };
        return { type: 'realm_user', op: 'update', person: { user_id: user.id, ...avatar } };
      }
      case 'bot-owner':
        return { type: 'realm_user', op: 'update', person: { user_id: body.userId, bot_owner_id: body.ownerId } };
      case 'full-name':
        return { type: 'realm_user', op: 'update', person: { user_id: body.userId, full_name: body.fullName } };
      case 'email':
        return { type: 'realm_user', op: 'update', person: { user_id: body.userId, new_email: body.email } };
      case 'delivery-email':
        return { type: 'realm_user', op: 'update', person: { user_id: body.userId, delivery_email: body.address } };
      case 'profile': {
        const { userId, fieldId, value, html } = body;
        const field = { id: fieldId, value, ...(html !== undefined && { rendered_value: html }) };
        return { type: 'realm_user', op: 'update', person: { user_id: userId, custom_profile_field: field } };
      }
      case 'timezone': {
        const { userId, email, timezone } = body;
        return { type: 'realm_user', op: 'update', person: { user_id: userId, email, timezone } };
      }
      case 'activity':
        return { type: 'realm_user', op: 'update', person: { user_id: body.userId, is_active: body.isActive } };
    }
  },
};

/** The bytes are the same for all viewers of one role, so the reader has no id. */
function anyOf({ role }: Pick<UserRecord, 'role'>): Pick<UserRecord, 'id' | 'role'> {
  return { id: 0, role };
}

function userEvent(event: LoggedEvent): UserEvent {
  return event.body as UserEvent;
}
