import { cancelImport, type GetImportResponse, startImport } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { type Message, msg, t } from '../../base/i18n.ts';
import { formatBytes, formatNumber } from '../../base/i18n-formats.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { FormSection } from '../../design/form.tsx';
import { RadioGroup } from '../../design/radio-group.tsx';
import { Spinner } from '../../design/spinner.tsx';
import { TextField } from '../../design/text-field.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { FileButton } from '../file-button.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';
import { archiveUpload, unfinishedUpload } from './archive-upload.ts';
import { ImportReport, tableName } from './import-report.tsx';
import { useImport } from './use-import.ts';

type Import = NonNullable<GetImportResponse['import']>;
type Format = NonNullable<Import['format']>;

const FORMATS: readonly { readonly value: Format; readonly label: Message; readonly description: Message }[] = [
  { value: 'slack', label: msg('Slack'), description: msg('The zip file of a workspace export') },
  {
    value: 'mattermost',
    label: msg('Mattermost'),
    description: msg('The zip file of a bulk export, or its file of lines (.jsonl)'),
  },
  { value: 'zulip', label: msg('Zulip'), description: msg('The .tar.gz file of an organization export') },
  {
    value: 'rocketchat',
    label: msg('Rocket.Chat'),
    description: msg('The folder of a database dump, packed as .tar.gz or .zip'),
  },
  { value: 'heddle', label: msg('Heddle'), description: msg('The zip file of another server’s export') },
];

const REFUSALS: Readonly<Record<NonNullable<GetImportResponse['refusal']>, Message>> = {
  in_use: msg(
    'This organization is already in use. An import here would delete what people, bots or channels have added. The operator of the server can import a team beside it with the command “heddle import”.',
  ),
  other_organizations: msg(
    'This server has other organizations. Its operator can import a team with the command “heddle import”.',
  ),
  not_supported: msg('The operator of this server has switched off imports in the browser.'),
};

/** Moves a team from another program to a new server. */
export function ImportPage(): ReactNode {
  const { model } = useApp();
  const { value, problem, reload } = useImport();
  useChanges(archiveUpload.changes);
  if (value === undefined) {
    return problem === undefined ? <Spinner label={t('Loading')} /> : <Banner kind="error">{problem}</Banner>;
  }
  const { import: found, refusal } = value;
  // The session notices it too, and then loads the page again.
  if (found?.state === 'done' && value.user_id !== model.ownId)
    return <Spinner label={t('Loading the imported organization')} />;
  return (
    <>
      {archiveUpload.sending !== undefined ? (
        <Uploading onEnd={reload} />
      ) : found === null ? (
        <Offer refusal={refusal} maxBytes={value.max_size} onEnd={reload} />
      ) : found.state === 'done' ? (
        <ImportReport import={found} onEnd={reload} />
      ) : found.state === 'running' || found.state === 'stopping' ? (
        <Running import={found} onEnd={reload} />
      ) : (
        <Ready import={found} refusal={refusal} onEnd={reload} />
      )}
    </>
  );
}

interface PartProps {
  readonly onEnd: () => void;
}

interface OfferProps extends PartProps {
  readonly refusal: GetImportResponse['refusal'];
  readonly maxBytes: number;
}

function Offer({ refusal, maxBytes, onEnd }: OfferProps): ReactNode {
  const { connection, model } = useApp();
  const choices = useChoices('slack');
  const unfinished = unfinishedUpload(model.ownId);
  if (refusal !== null) return <Banner kind="info">{t(REFUSALS[refusal])}</Banner>;
  const choose = (file: File) => void archiveUpload.send(connection, model.ownId, file, choices.parameters).then(onEnd);
  return (
    <FormSection
      title={t('Move from Slack, Mattermost, Zulip or Rocket.Chat')}
      description={t(
        'The imported team replaces this new organization, with its people, channels, messages and files. You stay its owner and keep your password.',
      )}
    >
      {unfinished !== undefined && (
        <Banner kind="info">
          {t('The upload of {name} was interrupted. Choose the same file again to continue.', { name: unfinished })}
        </Banner>
      )}
      {choices.fields}
      <p className={styles.quiet}>{t('An archive can have up to {limit}.', { limit: formatBytes(maxBytes) })}</p>
      <div>
        <FileButton label={t('[noun] Archive')} onChoose={choose}>
          {t('Choose the archive and start')}
        </FileButton>
      </div>
    </FormSection>
  );
}

/** What the owner chooses beside the archive. */
function useChoices(initial: Format) {
  const { model } = useApp();
  const [format, setFormat] = useState<Format>(initial);
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const fields = (
    <>
      <RadioGroup
        label={t('Where is your team today?')}
        options={FORMATS.map(({ value, label, description }) => ({
          value,
          label: t(label),
          description: t(description),
        }))}
        value={format}
        onChange={(chosen) => setFormat(chosen as Format)}
      />
      <TextField
        label={t('Name of the organization')}
        description={t('Leave it empty to use the name in the archive. An archive of Slack has none.')}
        value={name}
        onChange={setName}
      />
      <TextField
        type="email"
        label={t('Your email address there')}
        description={t(
          'You get the account with this address, and log in with it from then on. If nobody has it, you get a new account. Without an entry, it is {address}.',
          { address: model.account.email },
        )}
        value={email}
        onChange={setEmail}
      />
    </>
  );
  const parameters = {
    format,
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(email.trim() !== '' && { email: email.trim() }),
  };
  return { fields, parameters };
}

function Uploading({ onEnd }: PartProps): ReactNode {
  const { connection, model } = useApp();
  const { sending } = archiveUpload;
  if (sending === undefined) return null;
  const { name, size, sent, problem } = sending;
  const cancel = () => {
    archiveUpload.cancel(connection, model.ownId);
    onEnd();
  };
  return (
    <FormSection
      title={t('Uploading the archive')}
      description={t('Leave this page open in a tab until the upload is complete. You can use other views meanwhile.')}
    >
      <Meter label={t('Upload of {name}', { name })} done={sent} total={size} />
      <p>{t('{name}: {sent} of {size}', { name, sent: formatBytes(sent), size: formatBytes(size) })}</p>
      {problem !== undefined && (
        <Banner kind="error">{t('{problem} Choose the same file again to continue.', { problem })}</Banner>
      )}
      <div>
        <Button onPress={problem === undefined ? cancel : () => archiveUpload.close()}>
          {problem === undefined ? t('Cancel the upload') : t('Back')}
        </Button>
      </div>
    </FormSection>
  );
}

interface ImportProps extends PartProps {
  readonly import: Import;
}

function Running({ import: { state, progress, filename }, onEnd }: ImportProps): ReactNode {
  const { connection } = useApp();
  const isStopping = state === 'stopping';
  return (
    <FormSection
      title={t('Importing {name}', { name: filename })}
      description={t('You can close this page and come back. At the end, the app loads the imported organization.')}
    >
      <Meter label={t('Import')} done={progress?.done ?? 0} total={progress?.total ?? null} />
      <p role="status">{isStopping ? t('The server removes what it has imported.') : progressText(progress)}</p>
      {!isStopping && (
        <div>
          <ConfirmButton
            label={t('Cancel the import')}
            title={t('Cancel the import?')}
            run={() => cancelImport(connection, {}).then(onEnd)}
          >
            {t('The server deletes the archive and everything that it has imported.')}
          </ConfirmButton>
        </div>
      )}
    </FormSection>
  );
}

function progressText(progress: Import['progress']): string {
  if (progress === null || progress.stage === 'waiting') return t('The import starts soon.');
  const done = formatNumber(progress.done);
  if (progress.stage === 'reading') return t('Reading the archive: {done} entries', { done });
  const table = tableName(progress.table ?? '');
  return progress.total === null
    ? t('Importing {table}: {done}', { table, done })
    : t('Importing {table}: {done} of {total}', { table, done, total: formatNumber(progress.total) });
}

interface ReadyProps extends ImportProps {
  readonly refusal: GetImportResponse['refusal'];
}

/** The archive is on the server: nobody has started the import, or it failed. */
function Ready({ import: found, refusal, onEnd }: ReadyProps): ReactNode {
  const { connection } = useApp();
  const choices = useChoices(found.format ?? 'slack');
  const action = useAction();
  const { filename, size, problem } = found;
  return (
    <FormSection
      title={t('The archive {name} is on the server', { name: filename })}
      description={t('Size: {size}', { size: formatBytes(size) })}
    >
      {problem !== null && <Banner kind="error">{t('The import failed: {problem}', { problem })}</Banner>}
      {refusal !== null && <Banner kind="info">{t(REFUSALS[refusal])}</Banner>}
      {refusal === null && choices.fields}
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      <div className={styles.buttons}>
        {refusal === null && (
          <Button
            kind="primary"
            isPending={action.isPending}
            onPress={() => void action.run(() => startImport(connection, choices.parameters)).then(onEnd)}
          >
            {t('Start the import')}
          </Button>
        )}
        <ConfirmButton
          label={t('Delete the archive')}
          title={t('Delete the archive?')}
          run={() => cancelImport(connection, {}).then(onEnd)}
        >
          {t('You can then upload another one.')}
        </ConfirmButton>
      </div>
    </FormSection>
  );
}

function Meter({
  label,
  done,
  total,
}: {
  readonly label: string;
  readonly done: number;
  readonly total: number | null;
}) {
  if (total === null || total === 0) return <progress className={styles.meter} aria-label={label} />;
  return <progress className={styles.meter} aria-label={label} max={total} value={done} />;
}
