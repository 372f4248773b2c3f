import { type ReactNode, useRef } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { AddIcon, ClockIcon, FileIcon, HelpIcon, PollIcon, TodoIcon, VideoIcon } from '../../design/icons.ts';
import { MenuItem, MenuSection, MoreMenu } from '../../design/menu.tsx';
import type { LiveSession } from '../drafts/live-sessions.ts';
import { applyEdit, moreFormats } from './format-tools.tsx';
import type { OpenedTool } from './tool-dialogs.tsx';
import { insertVideoCall, videoServiceOf } from './video-call.ts';

interface MoreToolsProps {
  readonly session: LiveSession;
  readonly onOpen: (tool: OpenedTool) => void;
}

/** The menu of the tools that have no button of their own. */
export function MoreTools(props: MoreToolsProps): ReactNode {
  const isCalling = useRef(false);
  return (
    <MoreMenu label={t('More tools')} placement="top start">
      <MoreItems {...props} isCalling={isCalling} />
    </MoreMenu>
  );
}

/** It is made when the menu opens. */
function MoreItems({ session, onOpen, isCalling }: MoreToolsProps & { readonly isCalling: { current: boolean } }) {
  const app = useApp();
  const { navigation, model } = app;
  const { text } = session;
  const call = async (): Promise<void> => {
    if (isCalling.current) return;
    isCalling.current = true;
    await insertVideoCall(app, session);
    isCalling.current = false;
  };
  return (
    <>
      <MenuSection heading={t('Formatting')}>
        {moreFormats().map(({ icon, label, shortcut, edit }) => (
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
