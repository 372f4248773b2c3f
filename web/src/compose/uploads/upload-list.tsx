import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { formatBytes } from '../../base/i18n-formats.ts';
import { Button } from '../../design/button.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { CloseIcon, FileIcon } from '../../design/icons.ts';
import styles from './upload-list.module.css';
import { isOnItsWay, type Upload, type Uploads } from './uploads.ts';

interface UploadListProps {
  readonly shown: readonly Upload[];
  readonly uploads: Uploads;
}

/** The files with their progress, and pictures with a thumbnail. */
export default function UploadList({ shown, uploads }: UploadListProps): ReactNode {
  return (
    <ul className={styles.uploads} aria-label={t('Uploads')}>
      {shown.map((upload) => (
        <UploadRow key={upload.id} upload={upload} uploads={uploads} />
      ))}
    </ul>
  );
}

function UploadRow({ upload, uploads }: { readonly upload: Upload; readonly uploads: Uploads }): ReactNode {
  const { id, name, size, sent, state, problem, canRetry, preview, originalSize } = upload;
  const percent = size === 0 ? 0 : Math.round((sent / size) * 100);
  return (
    <li className={styles.upload}>
      {preview === undefined ? (
        <FileIcon aria-hidden="true" />
      ) : (
        <img className={styles.thumbnail} src={preview} alt="" />
      )}
      <span className={styles.name}>{name}</span>
      <span className={styles.size}>{formatBytes(size)}</span>
      {state === 'failed' ? (
        <span className={styles.problem} role="alert">
          {problem}
        </span>
      ) : state === 'done' ? (
        <span className={styles.rest} />
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
      {originalSize !== undefined && (
        <Button size="small" onPress={() => uploads.sendOriginal(id)}>
          {t('Send the original ({size})', { size: formatBytes(originalSize) })}
        </Button>
      )}
      <IconButton
        icon={CloseIcon}
        size="small"
        label={isOnItsWay(upload) ? t('Cancel the upload of {name}', { name }) : t('Remove {name}', { name })}
        onPress={() => uploads.cancel(id)}
      />
    </li>
  );
}
