import { type ReactNode, Suspense } from 'react';
import { lazyComponent } from '../../base/load-code.ts';
import { useUploads } from './use-uploads.ts';

/** It loads with the first file. */
const UploadList = lazyComponent(() => import('./upload-list.tsx'));

/** The files that are being uploaded into this text, and its pictures. */
export function UploadRows({ text }: { readonly text: string }): ReactNode {
  const uploads = useUploads();
  const shown = uploads.of(text);
  if (shown.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <UploadList shown={shown} uploads={uploads} />
    </Suspense>
  );
}
