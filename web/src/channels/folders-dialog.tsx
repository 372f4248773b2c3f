import { createChannelFolder, reorderChannelFolders, updateChannelFolder } from '@heddle/client/calls/operations.ts';
import type { ChannelFolderRecord } from '@heddle/client/model/channels/channel-folders.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges } from '../base/use-changes.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Form } from '../design/form.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { ArchiveIcon, UndoIcon } from '../design/icons.ts';
import { TextField } from '../design/text-field.tsx';
import { TextSetting } from '../settings/controls.tsx';
import { MoveButtons } from '../settings/move-buttons.tsx';
import { type Action, useAction } from '../settings/saving.ts';
import settings from '../settings/settings.module.css';

/** The maximum length of a name, in characters. */
const MAX_NAME_CHARACTERS = 60;

/** Creates, renames, reorders and archives folders of channels. */
export function FoldersDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { model, connection } = useApp();
  const [name, setName] = useState('');
  const action = useAction();
  useChanges(model.channelFolders.changes);
  const { all } = model.channelFolders;
  const create = async () => {
    const text = name.trim();
    if (text === '') return;
    if (!(await action.run(() => createChannelFolder(connection, { name: text, description: '' })))) return;
    // The user can have typed more meanwhile.
    setName((now) => (now === name ? '' : now));
  };
  return (
    <Dialog title={t('Folders of channels')} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      <ul className={settings.list} aria-label={t('Folders of channels')}>
        {all.map((folder, index) => (
          <Folder key={folder.id} folder={folder} index={index} action={action} />
        ))}
      </ul>
      <Form onSubmit={create}>
        <div className={settings.bar}>
          <TextField label={t('New folder')} value={name} onChange={setName} limit={MAX_NAME_CHARACTERS} />
          <Button type="submit" isDisabled={name.trim() === ''} isPending={action.isPending}>
            {t('Create folder')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface FolderProps {
  readonly folder: ChannelFolderRecord;
  readonly index: number;
  readonly action: Action;
}

function Folder({ folder, index, action }: FolderProps): ReactNode {
  const { model, connection } = useApp();
  const { all } = model.channelFolders;
  const { id, name, isArchived } = folder;
  const update = (change: { name?: string; is_archived?: boolean }) =>
    updateChannelFolder(connection, { channel_folder_id: id, ...change });
  return (
    <li className={settings.item}>
      <div className={settings.itemTexts}>
        <TextSetting
          label={isArchived ? t('Archived folder') : t('Name of the folder')}
          value={name}
          limit={MAX_NAME_CHARACTERS}
          isRequired
          save={(text) => update({ name: text })}
        />
      </div>
      <MoveButtons
        name={name}
        index={index}
        order={all.map((one) => one.id)}
        onReorder={(order) => void action.run(() => reorderChannelFolders(connection, { order }))}
      />
      <IconButton
        icon={isArchived ? UndoIcon : ArchiveIcon}
        label={isArchived ? t('Restore {name}', { name }) : t('Archive {name}', { name })}
        onPress={() => void action.run(() => update({ is_archived: !isArchived }))}
      />
    </li>
  );
}
