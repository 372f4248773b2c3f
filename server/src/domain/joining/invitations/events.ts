import type { Directory } from '../../../directory/directory.ts';
import type { Presenter } from '../../../directory/presenters.ts';
import { SystemGroup } from '../../../directory/records.ts';
import type { NewEvent } from '../../../log/event.ts';

/** Notifies administrators and the inviter that `GET /invites` returns another list. */
export function invitesChanged({ groups }: Directory, inviterId?: number): NewEvent {
  const administrators = { to: 'group', groupId: groups.idOf(SystemGroup.administrators) } as const;
  return {
    type: 'invites_changed',
    audience: { to: 'any', of: [administrators, { to: 'users', users: inviterId === undefined ? [] : [inviterId] }] },
    body: {},
  };
}

export const invitesPresenter: Presenter = { present: () => ({ type: 'invites_changed' }) };
