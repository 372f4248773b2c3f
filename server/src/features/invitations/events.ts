import type { Directory } from '../../directory/directory.ts';
import type { Presenter } from '../../directory/presenters.ts';
import { SystemGroup } from '../../directory/records.ts';
import type { NewEvent } from '../../log/event.ts';

/** Tells administrators, and whoever has invited where somebody has, that `GET /invites` answers something else now. */
export function invitesChanged({ groups }: Directory, inviterId?: number): NewEvent {
  const administrators = { to: 'group', groupId: groups.idOf(SystemGroup.administrators) } as const;
  return {
    type: 'invites_changed',
    audience: { to: 'any', of: [administrators, { to: 'users', users: inviterId === undefined ? [] : [inviterId] }] },
    body: {},
  };
}

export const invitesPresenter: Presenter = { present: () => ({ type: 'invites_changed' }) };
