import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { formatDateTime } from '../../base/i18n-formats.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { RecordIcon, StopIcon } from '../../design/icons.ts';
import { MAX_VOICE_SECONDS, VoiceRecorder } from './recorder.ts';
import styles from './voice-dialog.module.css';

interface VoiceDialogProps {
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onRecorded: (file: File) => void;
  /** The box has a text already, so the recording joins it. Otherwise it is a message. */
  readonly joinsText: boolean;
}

/** Records a voice message, and plays it before it is sent. */
export default function VoiceDialog({ onOpenChange, onRecorded, joinsText }: VoiceDialogProps): ReactNode {
  const [recorder] = useState(
    () => new VoiceRecorder(t('Voice message {time}', { time: formatDateTime(new Date()).replaceAll(/[:/\\]/g, '.') })),
  );
  useChanges(recorder.changes);
  useEffect(() => () => recorder.close(), [recorder]);
  const { state, recording, seconds } = recorder;
  const isRecording = state === 'recording';
  return (
    <Dialog
      title={t('Voice message')}
      size="small"
      isOpen
      onOpenChange={onOpenChange}
      footer={
        <>
          <Button onPress={() => onOpenChange(false)}>{t('Cancel')}</Button>
          {recording !== undefined && (
            <Button kind="primary" onPress={() => onRecorded(recording.file)}>
              {joinsText ? t('Add to the message') : t('Send')}
            </Button>
          )}
        </>
      }
    >
      {state === 'refused' && (
        <Banner kind="error">{t('The browser does not let the app use a microphone. Allow it for this site.')}</Banner>
      )}
      {recording !== undefined && (
        // biome-ignore lint/a11y/useMediaCaption: the user has just said it.
        <audio className={styles.player} controls src={recording.url} aria-label={t('Your recording')} />
      )}
      <div className={styles.state}>
        {isRecording ? (
          <Button icon={StopIcon} onPress={() => recorder.stop()}>
            {t('Stop')}
          </Button>
        ) : (
          <Button icon={RecordIcon} isPending={state === 'asking'} onPress={() => void recorder.start()}>
            {recording === undefined ? t('Record') : t('Record again')}
          </Button>
        )}
        {isRecording && (
          <>
            <span className={styles.live} aria-hidden="true" />
            <span className={styles.time}>
              {t('{time} of {limit}', { time: clock(seconds), limit: clock(MAX_VOICE_SECONDS) })}
            </span>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** `1:05` */
function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
