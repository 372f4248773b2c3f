import { createBot } from '@heddle/client/calls/operations.ts';
import { BOT_TYPES } from '@heddle/client/model/permissions/permissions.ts';
import { type ReactNode, useId, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Form } from '../../design/form.tsx';
import { Select } from '../../design/select.tsx';
import { TextField } from '../../design/text-field.tsx';
import { PictureButton } from '../file-button.tsx';
import { useAction } from '../saving.ts';
import { BOT_TYPE_NAMES, formatOptions, isServiceUrl, suggestedShortName } from './bot-texts.ts';

/** The maximum length of a name, in characters. */
const MAX_NAME_CHARACTERS = 100;

interface CreateBotProps {
  readonly onClose: () => void;
  readonly onCreated: (botId: number) => void;
}

/** The form of a new bot. It offers the types that the user may create. */
export function CreateBot({ onClose, onCreated }: CreateBotProps): ReactNode {
  const { model, connection } = useApp();
  const formId = useId();
  const types = BOT_TYPE_NAMES.filter(([type]) => model.permissions.createBot(type).allowed);
  const [name, setName] = useState('');
  const [chosenShortName, setShortName] = useState<string>();
  const [type, setType] = useState(types[0]?.[0] ?? BOT_TYPES.generic);
  const [url, setUrl] = useState('');
  const [format, setFormat] = useState('1');
  const [file, setFile] = useState<File>();
  const action = useAction();
  const shortName = chosenShortName ?? suggestedShortName(name);
  const isOutgoing = type === BOT_TYPES.outgoingWebhook;
  const isComplete = name.trim() !== '' && shortName.trim() !== '' && (!isOutgoing || isServiceUrl(url.trim()));
  const host = model.organization.settings.bot_domain ?? window.location.hostname;
  const submit = async () => {
    if (!isComplete) return;
    await action.run(async () => {
      const service = isOutgoing ? { payload_url: url.trim(), interface_type: Number(format) } : {};
      const created = await createBot(connection, {
        full_name: name.trim(),
        short_name: shortName.trim(),
        bot_type: type,
        file,
        ...service,
      });
      onCreated(created.user_id);
    });
  };
  const footer = (
    <>
      <Button onPress={onClose}>{t('Cancel')}</Button>
      <Button kind="primary" type="submit" form={formId} isDisabled={!isComplete} isPending={action.isPending}>
        {t('Create bot')}
      </Button>
    </>
  );
  return (
    <Dialog title={t('Create a bot')} isOpen onOpenChange={(isOpen) => !isOpen && onClose()} footer={footer}>
      <Form id={formId} onSubmit={submit}>
        <Select
          label={t('Type')}
          options={types.map(([key, label]) => ({ key: String(key), label: t(label) }))}
          value={String(type)}
          onChange={(key) => setType(Number(key))}
          description={explanationOf(type)}
        />
        <TextField label={t('Name')} value={name} onChange={setName} limit={MAX_NAME_CHARACTERS} isRequired autoFocus />
        <TextField
          label={t('Short name')}
          value={shortName}
          onChange={setShortName}
          isRequired
          description={t('The address of the bot is {address}.', { address: `${shortName || '…'}-bot@${host}` })}
        />
        {isOutgoing && (
          <>
            <TextField
              label={t('URL of the service')}
              type="url"
              value={url}
              onChange={setUrl}
              isRequired
              // not translated: the start of a URL
              placeholder="https://"
            />
            <Select label={t('Format')} options={formatOptions()} value={format} onChange={setFormat} />
          </>
        )}
        <div>
          <PictureButton label={t('Picture')} onChoose={setFile}>
            {file?.name ?? t('Choose a picture')}
          </PictureButton>
        </div>
        {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      </Form>
    </Dialog>
  );
}

function explanationOf(type: number): string {
  const explanation = BOT_TYPE_NAMES.find(([one]) => one === type)?.[2];
  return explanation === undefined ? '' : t(explanation);
}
