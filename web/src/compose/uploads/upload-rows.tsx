import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { formatBytes } from '../../base/i18n-formats.ts';
import { Button } from '../../design/button.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { CloseIcon, FileIcon } from '../../design/icons.ts';
import styles from './upload-rows.module.css';
import type { Upload, Uploads } from './uploads.ts';
import { useUploads } from './use-uploads.ts';

/** The files that are being uploaded into this text. */
export function UploadRows({ text }: { readonly text: string }): ReactNode {
  const uploads = useUploads();
  const shown = uploads.of(text);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.uploads} aria-label={t('Uploads')}>
      {shown.map((upload) => (
        <UploadRow key={upload.id} upload={upload} uploads={uploads} />
      ))}
    </ul>
  );
}

function UploadRow({ upload, uploads }: { readonly upload: Upload; readonly uploads: Uploads }): ReactNode {
  const { id, name, size, sent, state, problem, canRetry } = upload;
  const percent = size === 0 ? 0 : Math.round((sent / size) * 100);
  return (
    <li className={styles.upload}>
      <FileIcon aria-hidden="true" />
      <span className={styles.name}>{name}</span>
      <span className={styles.size}>{formatBytes(size)}</span>
      {state === 'failed' ? (
        <span className={styles.problem} role="alert">
          {problem}
        </span>
      ) : (
        <>
          <progress
            className={styles.progress}
            max={100}
            value={percent}
            aria-label={t('Upload of {name}', { name })}
          />
          <span className={styles.percent}>{t('{percent} %', { percent })}</span>
        </>
      )}
      {state === 'failed' && canRetry && (
        <Button size="small" onPress={() => uploads.retry(id)}>
          {t('Try again')}
        </Button>
      )}
      <IconButton
        icon={CloseIcon}
        size="small"
        label={state === 'failed' ? t('Remove {name}', { name }) : t('Cancel the upload of {name}', { name })}
        onPress={() => uploads.cancel(id)}
      />
    </li>
  );
}
