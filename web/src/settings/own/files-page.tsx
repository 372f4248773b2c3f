import { getAttachments, removeAttachment } from '@heddle/client/calls/operations.ts';
import type { Attachment } from '@heddle/client/calls/types.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatBytes, formatDateTime } from '../../base/i18n-formats.ts';
import { Banner } from '../../design/banner.tsx';
import { FormSection } from '../../design/form.tsx';
import { Spinner } from '../../design/spinner.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import styles from '../settings.module.css';
import { useLoaded } from '../use-loaded.ts';

/** The files that the user uploaded, newest first. */
export function FilesPage(): ReactNode {
  const { connection } = useApp();
  const { value, problem, reload } = useLoaded('files', async () => (await getAttachments(connection)).attachments);
  return (
    <FormSection title={t('Uploaded files')}>
      {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      {value === undefined && problem === undefined && <Spinner label={t('Loading files')} />}
      {value?.length === 0 && <p className={styles.quiet}>{t('You have not uploaded a file.')}</p>}
      {value !== undefined && value.length > 0 && (
        <ul className={styles.list} aria-label={t('Uploaded files')}>
          {value.map((file) => (
            <Row key={file.id} file={file} onDeleted={() => reload()} />
          ))}
        </ul>
      )}
    </FormSection>
  );
}

function Row({ file, onDeleted }: { readonly file: Attachment; readonly onDeleted: () => void }): ReactNode {
  const { connection } = useApp();
  const remove = async () => {
    await removeAttachment(connection, { attachment_id: file.id });
    onDeleted();
  };
  return (
    <li className={styles.item}>
      <div className={styles.itemTexts}>
        <a href={`/user_uploads/${file.path_id}`}>{file.name}</a>
        <div className={styles.quiet}>
          {formatBytes(file.size)} · {formatDateTime(new Date(file.create_time))}
        </div>
      </div>
      <ConfirmButton
        size="small"
        kind="quiet"
        label={t('Delete')}
        title={t('Delete {name}?', { name: file.name })}
        run={remove}
      >
        {t('Links to the file in messages stop working.')}
      </ConfirmButton>
    </li>
  );
}
