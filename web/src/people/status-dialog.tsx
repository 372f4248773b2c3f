import { updateOwnStatus, updateSettings } from '@heddle/client/calls/operations.ts';
import type { StatusEmoji } from '@heddle/client/model/people/statuses.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatDateTime } from '../base/i18n-formats.ts';
import { useChanges } from '../base/use-changes.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Select } from '../design/select.tsx';
import { Switch } from '../design/switch.tsx';
import { TextField } from '../design/text-field.tsx';
import { EmojiGlyph } from '../emoji/emoji-glyph.tsx';
import { problemText } from '../shown/problem-text.ts';
import { showProblem } from './problem.ts';
import styles from './status.module.css';
import {
  durationName,
  MAX_STATUS_LENGTH,
  STATUS_PRESETS,
  type StatusPreset,
  statusParameters,
} from './status-choices.ts';
import { endOf, STATUS_DURATIONS, type StatusDuration } from './status-duration.ts';
import { StatusEmojiButton } from './status-emoji-button.tsx';
import { setStatusEnd, statusEnd } from './status-end.ts';

/** Sets the own status and whether others see the own presence. */
export function StatusDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { model, connection } = useApp();
  const own = model.statuses.of(model.ownId);
  const [text, setText] = useState(own?.text ?? '');
  const [emoji, setEmoji] = useState<StatusEmoji | null>(own?.emoji ?? null);
  const [end] = useState(() => statusEnd(model.ownId, own));
  // `kept` is the end that the status has already.
  const [duration, setDuration] = useState<StatusDuration | 'kept'>(end === undefined ? 'never' : 'kept');
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isTooLong = [...text.trim()].length > MAX_STATUS_LENGTH;

  async function save(status: { text: string; emoji: StatusEmoji | null }): Promise<void> {
    setPending(true);
    setProblem(undefined);
    try {
      await updateOwnStatus(connection, statusParameters(status));
      setStatusEnd(model.ownId, status, duration === 'kept' ? end : endOf(duration, new Date()));
      onClose();
    } catch (error) {
      setProblem(problemText(error));
      setPending(false);
    }
  }

  return (
    <Dialog
      title={t('Set a status')}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      size="small"
      footer={
        <>
          {own !== undefined && (
            <Button onPress={() => void save({ text: '', emoji: null })} isDisabled={isPending}>
              {t('Clear status')}
            </Button>
          )}
          <Button
            kind="primary"
            isPending={isPending}
            isDisabled={isTooLong}
            onPress={() => void save({ text: text.trim(), emoji })}
          >
            {t('Save')}
          </Button>
        </>
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isTooLong && !isPending) void save({ text: text.trim(), emoji });
        }}
      >
        {problem !== undefined && <Banner kind="error">{problem}</Banner>}
        <div className={styles.field}>
          <StatusEmojiButton emoji={emoji} onChange={setEmoji} />
          <TextField
            label={t('Status')}
            isLabelHidden
            placeholder={t('What are you doing?')}
            value={text}
            onChange={setText}
            limit={MAX_STATUS_LENGTH}
            autoFocus
          />
        </div>
        <Presets
          onChoose={(preset) => {
            setText(t(preset.text));
            setEmoji(preset.emoji);
            setDuration(preset.duration);
          }}
        />
        <Select
          label={t('Clear automatically')}
          description={
            duration === 'never' ? undefined : t('This browser clears it at that time, or when you open the app later.')
          }
          value={duration}
          onChange={setDuration}
          options={[
            ...(end === undefined ? [] : [{ key: 'kept' as const, label: formatDateTime(end) }]),
            ...STATUS_DURATIONS.map((key) => ({ key, label: durationName(key) })),
          ]}
        />
        <PresenceSwitch />
      </form>
    </Dialog>
  );
}

function Presets({ onChoose }: { readonly onChoose: (preset: StatusPreset) => void }): ReactNode {
  return (
    <ul className={styles.presets} aria-label={t('Common statuses')}>
      {STATUS_PRESETS.map((preset) => (
        <li key={preset.text}>
          <button type="button" className={styles.preset} onClick={() => onChoose(preset)}>
            <EmojiGlyph emoji={preset.emoji} />
            {t(preset.text)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Takes effect at once, as switches do. */
function PresenceSwitch(): ReactNode {
  const { model, connection } = useApp();
  useChanges(model.account.changes);
  const isVisible = model.account.settings.presence_enabled;
  return (
    <Switch
      isSelected={isVisible}
      onChange={(presence_enabled) => void updateSettings(connection, { presence_enabled }).catch(showProblem)}
      description={t('If this is off, you are invisible: you appear offline.')}
    >
      {t('Show others when I am active')}
    </Switch>
  );
}
