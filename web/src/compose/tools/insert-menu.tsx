import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { lazyPart } from '../../base/lazy-part.tsx';
import { AddIcon, ClockIcon, HelpIcon, PollIcon, TodoIcon } from '../../design/icons.ts';
import { MenuItem, MenuSeparator, MoreMenu } from '../../design/menu.tsx';
import type { ComposeSession } from '../drafts/session.ts';

const TimeDialog = lazyPart(() => import('./time-dialog.tsx'));
const ListDialog = lazyPart(() => import('./list-dialog.tsx'));

type Open = 'poll' | 'todo' | 'time' | undefined;

/** Things to insert that have a form of their own: polls, to-do lists and times. */
export function InsertMenu({ session }: { readonly session: ComposeSession }): ReactNode {
  const { navigation } = useApp();
  const [open, setOpen] = useState<Open>();
  const close = (isOpen: boolean): void => {
    if (!isOpen) setOpen(undefined);
  };
  const insert = (text: string): void => {
    setOpen(undefined);
    // The dialog returns the focus first.
    requestAnimationFrame(() => {
      session.text.focus();
      session.text.insert(text);
    });
  };
  return (
    <>
      <MoreMenu label={t('Insert')} icon={AddIcon} placement="top start">
        <MenuItem icon={PollIcon} onAction={() => setOpen('poll')}>
          {t('Poll')}
        </MenuItem>
        <MenuItem icon={TodoIcon} onAction={() => setOpen('todo')}>
          {t('To-do list')}
        </MenuItem>
        <MenuItem icon={ClockIcon} onAction={() => setOpen('time')}>
          {t('Time in the zone of each reader')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={HelpIcon} onAction={() => navigation.go({ view: 'message-formatting' })}>
          {t('Help with formatting')}
        </MenuItem>
      </MoreMenu>
      {open === 'time' && <TimeDialog onOpenChange={close} onInsert={insert} />}
      {(open === 'poll' || open === 'todo') && <ListDialog kind={open} session={session} onOpenChange={close} />}
    </>
  );
}
