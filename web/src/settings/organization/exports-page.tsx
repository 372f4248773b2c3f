import { createExport, deleteExport, getExportConsents, getExports } from '@heddle/client/calls/operations.ts';
import type { DataExport, ExportType } from '@heddle/client/calls/types.ts';
import { type ReactNode, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { formatDateTime } from '../../base/i18n-formats.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { FormSection } from '../../design/form.tsx';
import { DownloadIcon } from '../../design/icons.ts';
import { RadioGroup } from '../../design/radio-group.tsx';
import { Spinner } from '../../design/spinner.tsx';
import { userName } from '../../shown/names.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';
import { useLoaded } from '../use-loaded.ts';
import { useOrganization } from './use-organization.ts';

/** Archives of the organization's data. Administrators request, download and delete them. */
export function ExportsPage(): ReactNode {
  const { model, connection, refusal } = useOrganization();
  const { exports: changes } = model.fetchedLists;
  useChanges(changes);
  const reason = refusal('exports');
  const { value, problem } = useLoaded(changes.read(), async () => {
    if (reason !== undefined) return { exports: [], consenting: 0, people: 0 };
    const [{ exports }, { export_consents: consents }] = await Promise.all([
      getExports(connection),
      getExportConsents(connection),
    ]);
    const consenting = consents.filter(({ consented }) => consented).length;
    return { exports: exports.toReversed(), consenting, people: consents.length };
  });
  if (reason !== undefined) return <Banner kind="info">{reason}</Banner>;
  return (
    <>
      <RequestExport consenting={value?.consenting ?? 0} people={value?.people ?? 0} />
      <FormSection title={t('Exports')} description={t('The server keeps an archive for 30 days.')}>
        {problem !== undefined && <Banner kind="error">{problem}</Banner>}
        {value === undefined && problem === undefined && <Spinner label={t('Loading exports')} />}
        {value?.exports.length === 0 && <p className={styles.quiet}>{t('There are no exports.')}</p>}
        <ul className={styles.list} aria-label={t('Exports')}>
          {value?.exports.map((one) => (
            <Row key={one.id} export={one} />
          ))}
        </ul>
      </FormSection>
    </>
  );
}

interface RequestProps {
  /** How many people allow the export of their private data, of all. */
  readonly consenting: number;
  readonly people: number;
}

function RequestExport({ consenting, people }: RequestProps): ReactNode {
  const { connection } = useOrganization();
  const [type, setType] = useState<'1' | '2'>('1');
  const action = useAction();
  const request = () => createExport(connection, { export_type: Number(type) as ExportType });
  return (
    <FormSection title={t('New export')} description={t('The server prepares the archive in the background.')}>
      <RadioGroup
        label={t('Content')}
        options={[
          { value: '1', label: t('Public data'), description: t('What all members can see.') },
          {
            value: '2',
            label: t('Public data, and private data of people who allow it'),
            description: t('{consenting} of {people} people allow it.', { consenting, people }),
          },
        ]}
        value={type}
        onChange={setType}
      />
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      <div>
        <Button kind="primary" isPending={action.isPending} onPress={() => void action.run(request)}>
          {t('Start export')}
        </Button>
      </div>
    </FormSection>
  );
}

function Row({ export: one }: { readonly export: DataExport }): ReactNode {
  const { model, connection } = useOrganization();
  const when = formatDateTime(new Date(one.export_time * 1000));
  return (
    <li className={styles.item}>
      <div className={styles.itemTexts}>
        <div>{one.export_type === 1 ? t('Public data') : t('Public and private data')}</div>
        <div className={styles.quiet}>
          {when} · {t('by {name}', { name: userName(model, one.acting_user_id) })}
        </div>
      </div>
      <span className={styles.quiet}>{stateOf(one)}</span>
      {one.pending && <Spinner label={t('The server prepares the archive')} />}
      {one.export_url !== null && (
        <>
          <a className={styles.download} href={one.export_url} download>
            <DownloadIcon aria-hidden="true" />
            {t('Download')}
          </a>
          <ConfirmButton
            size="small"
            kind="quiet"
            label={t('Delete')}
            title={t('Delete the export?')}
            run={() => deleteExport(connection, { export_id: one.id })}
          >
            {t('The server deletes the archive of {when}.', { when })}
          </ConfirmButton>
        </>
      )}
    </li>
  );
}

function stateOf({ pending, failed_timestamp: failed, deleted_timestamp: deleted }: DataExport): string {
  if (pending) return t('In preparation');
  if (failed !== null) return t('Failed');
  return deleted !== null ? t('Deleted') : t('Ready');
}
