import { type App, useApp } from '../../base/app.tsx';
import { useChanges } from '../../base/use-changes.ts';
import { Uploads } from './uploads.ts';

let uploads: Uploads | undefined;
let current: App | undefined;

/** The uploads of this page. */
export function uploadsOf(app: App): Uploads {
  current = app;
  uploads ??= new Uploads(app.connection, () => current?.model.organization.limits.file_upload_size_mib);
  return uploads;
}

/** The same. The component renders when one of them makes progress. */
export function useUploads(): Uploads {
  const found = uploadsOf(useApp());
  useChanges(found.changes);
  return found;
}
