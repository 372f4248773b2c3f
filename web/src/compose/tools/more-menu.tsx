import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { ContextMenu } from '../../design/context-menu.tsx';
import {
  AddIcon,
  ClockIcon,
  CodeIcon,
  FileIcon,
  FormulaIcon,
  GifIcon,
  HelpIcon,
  ListIcon,
  NumberedListIcon,
  PollIcon,
  QuoteIcon,
  RecordIcon,
  SpoilerIcon,
  StrikeIcon,
  TodoIcon,
  VideoIcon,
} from '../../design/icons.ts';
import { MenuItem, MenuSection } from '../../design/menu.tsx';
import { composeShortcuts } from '../shortcuts.ts';
import { spoiler, surround, toBullets, toCode, toFormula, toNumbers, toQuote } from '../text/markdown-edits.ts';
import { canRecord } from '../voice/recorder.ts';
import { applyEdit, type Tool } from './format-tools.tsx';
import type { ToolMenuProps } from './tool-dialogs.tsx';
import { insertVideoCall, videoServiceOf } from './video-call.ts';

interface MoreMenuProps extends ToolMenuProps {
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

/** The menu of the tools that have no button of their own. */
export default function MoreMenu({ at, onClose, ...props }: MoreMenuProps): ReactNode {
  return (
    <ContextMenu label={t('More tools')} at={at} onClose={onClose}>
      <MoreItems {...props} />
    </ContextMenu>
  );
}

/** A second call would put a second link into the text. */
let isCalling = false;

function MoreItems({ session, onOpen }: ToolMenuProps): ReactNode {
  const app = useApp();
  const { navigation, model } = app;
  const { text } = session;
  const call = async (): Promise<void> => {
    if (isCalling) return;
    isCalling = true;
    await insertVideoCall(app, session);
    isCalling = false;
  };
  return (
    <>
      <MenuSection heading={t('Formatting')}>
        {formats().map(({ icon, label, shortcut, edit }) => (
          <MenuItem
            key={label}
            icon={icon}
            onAction={() => requestAnimationFrame(() => applyEdit(text, edit))}
            {...(shortcut && { shortcut })}
          >
            {label}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSection heading={t('Insert')}>
        {session.replaceText !== undefined && (
          <>
            <MenuItem icon={PollIcon} onAction={() => onOpen({ kind: 'poll' })}>
              {t('Poll')}
            </MenuItem>
            <MenuItem icon={TodoIcon} onAction={() => onOpen({ kind: 'todo' })}>
              {t('To-do list')}
            </MenuItem>
          </>
        )}
        <MenuItem icon={ClockIcon} onAction={() => onOpen({ kind: 'time' })}>
          {t('Time in the zone of each reader')}
        </MenuItem>
        {canRecord() && (
          <MenuItem icon={RecordIcon} shortcut={composeShortcuts.voice} onAction={() => onOpen({ kind: 'voice' })}>
            {t('Voice message')}
          </MenuItem>
        )}
        {model.organization.settings.gif_picker && (
          <MenuItem icon={GifIcon} shortcut={composeShortcuts.gif} onAction={() => onOpen({ kind: 'gif' })}>
            {t('GIF')}
          </MenuItem>
        )}
        {videoServiceOf(model) !== undefined && (
          <MenuItem icon={VideoIcon} onAction={() => void call()}>
            {t('Add a video call')}
          </MenuItem>
        )}
        {model.savedSnippets.all.length > 0 && (
          <MenuItem icon={FileIcon} onAction={() => onOpen({ kind: 'snippets' })}>
            {t('Saved snippets')}
          </MenuItem>
        )}
        <MenuItem icon={AddIcon} onAction={() => onOpen({ kind: 'new-snippet' })}>
          {text.isEmpty ? t('New snippet') : t('Save the text as a snippet')}
        </MenuItem>
      </MenuSection>
      <MenuSection heading={t('Help')}>
        <MenuItem icon={HelpIcon} onAction={() => navigation.go({ view: 'message-formatting' })}>
          {t('Help with formatting')}
        </MenuItem>
      </MenuSection>
    </>
  );
}

/** The formats that have no button. Called while rendering, because the texts are in the language of the user. */
function formats(): readonly Tool[] {
  return [
    { icon: StrikeIcon, label: t('Strikethrough'), shortcut: composeShortcuts.strike, edit: surround('~~') },
    { icon: CodeIcon, label: t('Code'), shortcut: composeShortcuts.code, edit: toCode },
    { icon: QuoteIcon, label: t('Quote'), edit: toQuote },
    { icon: ListIcon, label: t('List'), edit: toBullets },
    { icon: NumberedListIcon, label: t('Numbered list'), edit: toNumbers },
    { icon: SpoilerIcon, label: t('Spoiler'), edit: spoiler(t('Title of the spoiler')) },
    { icon: FormulaIcon, label: t('Formula'), edit: toFormula },
  ];
}
