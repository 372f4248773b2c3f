import { type CSSProperties, type ReactNode, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { changeSubscription } from './channel-settings.ts';
import styles from './topic-actions.module.css';

interface Props {
  readonly channelId: number;
  readonly onClose: () => void;
}

/** Colours that are easy to tell apart on light and dark ground. */
const COLOURS = [
  '#d9485f',
  '#e2711d',
  '#c79a00',
  '#7fa331',
  '#2f9e62',
  '#1f9a94',
  '#2b8fc7',
  '#3f6fd8',
  '#6a5bd0',
  '#9a4fc4',
  '#c74a9c',
  '#8a8f98',
  '#f2a3ae',
  '#f5b98a',
  '#e8cf6f',
  '#bcd48a',
  '#8fd3ad',
  '#8bd0cc',
  '#95c9e8',
  '#a3baf0',
  '#b9b0ec',
  '#cfa8e6',
  '#e8a6cf',
  '#7a5c45',
] as const;

/** Lets the user choose their colour of a channel. */
export default function ColourDialog({ channelId, onClose }: Props): ReactNode {
  const app = useApp();
  const channel = app.model.channels.get(channelId);
  const [colour, setColour] = useState(channel?.settings?.color ?? COLOURS[0]);
  if (channel === undefined) return null;
  const save = () => {
    onClose();
    if (colour !== channel.settings?.color) void changeSubscription(app, channelId, 'color', colour);
  };
  return (
    <Dialog
      title={t('Colour of #{name}', { name: channel.name })}
      isOpen
      onOpenChange={onClose}
      size="small"
      isDismissable
      footer={
        <>
          <Button onPress={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" onPress={save}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <fieldset className={styles.colours}>
        <legend className={styles.legend}>{t('Only you see this colour.')}</legend>
        {COLOURS.map((each) => (
          <label key={each} className={styles.colour} style={{ '--channel': each } as CSSProperties}>
            <input
              type="radio"
              name="colour"
              aria-label={each}
              checked={colour.toLowerCase() === each}
              onChange={() => setColour(each)}
            />
          </label>
        ))}
      </fieldset>
      <label className={styles.ownColour}>
        {t('Another colour')}
        <input type="color" value={colour} onChange={({ target }) => setColour(target.value)} />
      </label>
    </Dialog>
  );
}
