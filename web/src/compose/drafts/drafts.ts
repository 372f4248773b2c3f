import { onLogOut } from '../../base/account-storage.ts';
import { type App, useApp } from '../../base/app.tsx';
import { BrowserDraftStorage } from './draft-storage.ts';
import { DraftsSync } from './drafts-sync.ts';
import { liveSessions } from './live-sessions.ts';

/** How long a logout waits for the server, in milliseconds. */
const LOG_OUT_MS = 3_000;

let drafts: DraftsSync | undefined;

/** The drafts of the account of this page. */
export function draftsOf({ model, connection }: Pick<App, 'model' | 'connection'>): DraftsSync {
  drafts ??= openDrafts({ model, connection });
  drafts.follow(model);
  return drafts;
}

function openDrafts({ model, connection }: Pick<App, 'model' | 'connection'>): DraftsSync {
  const opened = new DraftsSync({ connection, storage: new BrowserDraftStorage(model.ownId) });
  onLogOut({
    keep: () => {
      for (const session of liveSessions) session.save();
    },
    send: () => opened.saved(LOG_OUT_MS),
  });
  return opened;
}

export function useDrafts(): DraftsSync {
  return draftsOf(useApp());
}
