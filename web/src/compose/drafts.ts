import { type App, useApp } from '../shell/app.tsx';
import { BrowserDraftStorage } from './draft-storage.ts';
import { DraftsSync } from './drafts-sync.ts';

let drafts: DraftsSync | undefined;

/** The drafts of the account of this page. */
export function draftsOf({ model, connection }: Pick<App, 'model' | 'connection'>): DraftsSync {
  drafts ??= new DraftsSync({ connection, storage: new BrowserDraftStorage(model.ownId) });
  drafts.follow(model);
  return drafts;
}

export function useDrafts(): DraftsSync {
  return draftsOf(useApp());
}
