import type { Directory } from '../../directory/directory.ts';
import type { Presenter } from '../../directory/presenters.ts';
import { SystemGroup } from '../../directory/records.ts';
import type { NewEvent } from '../../log/event.ts';
import type { DataExport } from './present.ts';

interface ExportsBody {
  readonly exports: readonly DataExport[];
}

/** Notifies all administrators of the new list. */
export function exportsEvent({ groups }: Directory, exports: readonly DataExport[]): NewEvent {
  const audience = { to: 'group', groupId: groups.idOf(SystemGroup.administrators) } as const;
  const body: ExportsBody = { exports };
  return { type: 'realm_export', audience, body };
}

export const exportsPresenter: Presenter = {
  present: ({ body }) => ({ type: 'realm_export', exports: (body as ExportsBody).exports }),
};
