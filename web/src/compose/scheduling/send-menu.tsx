import { memo, type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatDateTime } from '../../base/i18n-formats.ts';
import { lazyPart } from '../../base/lazy-part.tsx';
import { loadedCode } from '../../base/load-code.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { ScheduleIcon } from '../../design/icons.ts';
import { MenuButton, MenuItem, MenuSeparator } from '../../design/menu.tsx';
import type { ComposeSession } from '../drafts/session.ts';
import { type Preset, presetsAt } from './presets.ts';

const ScheduleDialog = lazyPart(() => import('./schedule-dialog.tsx'));

interface SendMenuProps {
  readonly session: ComposeSession;
  readonly isDisabled: boolean;
  /** Whether the text is a command of the app, which is no message. */
  readonly isCommand: boolean;
}

/** Sends the message at another time. */
export const SendMenu = memo(function SendMenu({ session, isDisabled, isCommand }: SendMenuProps): ReactNode {
  const app = useApp();
  const [isChoosing, setChoosing] = useState(false);
  const [presets, setPresets] = useState<readonly Preset[]>([]);
  const names = presetNames();
  const sendAt = async (at: Date) => {
    const { sendLater } = await loadedCode(() => import('./schedule-dialog.tsx'));
    await sendLater(app, session, at);
  };
  return (
    <>
      <MenuButton
        label={t('Send later')}
        placement="top end"
        trigger={<IconButton icon={ScheduleIcon} label={t('Send later')} isDisabled={isDisabled} />}
        onOpenChange={(isOpen) => isOpen && setPresets(presetsAt(new Date()))}
      >
        {presets.map(({ key, at }) => (
          <MenuItem
            key={key}
            isDisabled={isCommand}
            detail={isCommand ? t('The text is a command, not a message.') : formatDateTime(at)}
            onAction={() => void sendAt(at)}
          >
            {names[key]}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem isDisabled={isCommand} onAction={() => setChoosing(true)}>
          {t('Another time…')}
        </MenuItem>
      </MenuButton>
      {isChoosing && (
        <ScheduleDialog
          onOpenChange={setChoosing}
          onChoose={(at) => {
            setChoosing(false);
            void sendAt(at);
          }}
        />
      )}
    </>
  );
});

function presetNames(): Readonly<Record<Preset['key'], string>> {
  return {
    'later today': t('This morning'),
    afternoon: t('This afternoon'),
    tomorrow: t('Tomorrow morning'),
    'tomorrow afternoon': t('Tomorrow afternoon'),
    monday: t('Monday morning'),
  };
}
