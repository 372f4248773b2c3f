import { type ReactNode, useState } from 'react';
import type { Shortcut } from '../base/keyboard.ts';
import { toasts } from '../base/toasts.ts';
import { Avatar } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { Checkbox } from '../design/checkbox.tsx';
import { ConfirmDialog, Dialog } from '../design/dialog.tsx';
import { FormSection } from '../design/form.tsx';
import { CopyIcon, DeleteIcon, EditIcon, ReplyIcon } from '../design/icons.ts';
import { MenuButton, MenuItem, MenuSection, MenuSeparator, MoreMenu } from '../design/menu.tsx';
import { Popover } from '../design/popover.tsx';
import { Sheet } from '../design/sheet.tsx';
import { TextArea, TextField } from '../design/text-field.tsx';
import styles from './gallery.module.css';

/** Everything that floats. */
export function Overlays({ reply }: { reply: Shortcut }): ReactNode {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'sheet'>();
  const [action, setAction] = useState('');
  const [level, setLevel] = useState<ReadonlySet<string>>(new Set(['default']));
  const close = () => setOpen(undefined);
  return (
    <FormSection title="Overlays">
      <div className={styles.row}>
        <MenuButton label="Message" trigger={<Button>Message menu</Button>}>
          <MenuItem icon={ReplyIcon} shortcut={reply} onAction={() => setAction('reply')}>
            Reply
          </MenuItem>
          <MenuItem icon={CopyIcon} onAction={() => setAction('copy')}>
            Copy link
          </MenuItem>
          <MenuItem icon={EditIcon} isDisabled detail="The time for edits has passed.">
            Edit
          </MenuItem>
          <MenuSeparator />
          <MenuSection heading="Notifications" selectionMode="single" selectedKeys={level} onSelectionChange={setLevel}>
            <MenuItem id="default">Default</MenuItem>
            <MenuItem id="followed">Follow</MenuItem>
          </MenuSection>
          <MenuItem icon={DeleteIcon} isDanger onAction={() => setAction('delete')}>
            Delete message
          </MenuItem>
        </MenuButton>
        <MoreMenu label="More actions">
          <MenuItem onAction={() => setAction('more')}>Archive</MenuItem>
        </MoreMenu>
        <Popover label="Ada Lovelace" trigger={<Button>Card</Button>}>
          <div className={styles.card}>
            <Avatar name="Ada Lovelace" id={1} size="xl" presence="active" />
            <strong>Ada Lovelace</strong>
            <Button size="small">Write a message</Button>
          </div>
        </Popover>
        <Button onPress={() => setOpen('dialog')}>Dialog</Button>
        <Button onPress={() => setOpen('confirm')}>Confirm</Button>
        <Button onPress={() => setOpen('sheet')}>Sheet</Button>
        <Button
          onPress={() => {
            toasts.show({ text: 'Message deleted', action: { label: 'Undo', run: () => setAction('undo') } });
            toasts.show({ text: 'The message could not be sent: you have no permission to post here.', kind: 'error' });
          }}
        >
          Toast
        </Button>
      </div>
      <p data-testid="action">{action}</p>
      <Dialog
        title="Create channel"
        isOpen={open === 'dialog'}
        onOpenChange={close}
        footer={
          <>
            <Button onPress={close}>Cancel</Button>
            <Button kind="primary" onPress={close}>
              Create channel
            </Button>
          </>
        }
      >
        <TextField label="Name" autoFocus />
        <TextArea label="Description" />
        <Checkbox>Private</Checkbox>
      </Dialog>
      <ConfirmDialog
        title="Delete this message?"
        confirmLabel="Delete message"
        isDanger
        isOpen={open === 'confirm'}
        onOpenChange={close}
        onConfirm={close}
      >
        <p>Nobody can read it afterwards. This cannot be undone.</p>
      </ConfirmDialog>
      <Sheet title="Actions" isOpen={open === 'sheet'} onOpenChange={close}>
        <Button isWide>Reply</Button>
        <Button isWide>Copy link</Button>
      </Sheet>
    </FormSection>
  );
}
