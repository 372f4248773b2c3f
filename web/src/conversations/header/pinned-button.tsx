import { type ReactNode, useEffect, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useModel } from '../../base/app.tsx';
import { msg, t } from '../../base/i18n.ts';
import { ariaKeysOf, defineShortcut } from '../../base/keyboard.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { lazyPart } from '../../base/lazy-part.tsx';
import { useChangesOf } from '../../base/use-changes.ts';
import { PinIcon } from '../../design/icons.ts';
import { Tooltip } from '../../design/tooltip.tsx';
import styles from './header.module.css';

const PinnedDialog = lazyPart(() => import('./pinned-dialog.tsx'));

export const pinnedShortcut = defineShortcut({
  id: 'conversations.pinned',
  keys: ['B'],
  label: msg('Pinned messages'),
  group: 'navigation',
});

interface Props {
  readonly channelId: number;
  readonly topic: string | undefined;
}

/** How many messages are pinned here. It opens their list, and is not there without any. */
export function PinnedButton({ channelId, topic }: Props): ReactNode {
  const { pinned } = useModel().cache;
  useEffect(() => pinned.observe(channelId), [pinned, channelId]);
  useChangesOf(pinned.changesOf, channelId);
  const [isOpen, setOpen] = useState(false);
  const count = pinned.of(channelId, topic).length;
  useShortcut(pinnedShortcut, () => setOpen(true), { when: count > 0 });
  const label = t('{count, plural, one {# pinned message} other {# pinned messages}}', { count });
  return (
    <>
      {count > 0 && (
        <Tooltip text={label} shortcut={pinnedShortcut} placement="bottom">
          <Button
            className={styles.count ?? ''}
            aria-label={label}
            aria-haspopup="dialog"
            aria-keyshortcuts={ariaKeysOf(pinnedShortcut)}
            onPress={() => setOpen(true)}
          >
            <PinIcon aria-hidden="true" />
            <span aria-hidden="true">{count}</span>
          </Button>
        </Tooltip>
      )}
      {isOpen && <PinnedDialog channelId={channelId} topic={topic} onClose={() => setOpen(false)} />}
    </>
  );
}
