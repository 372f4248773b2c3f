import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatDateTime, formatNumber } from '../../base/i18n-formats.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { useBackCloses } from '../../base/overlay-history.ts';
import { IconButton } from '../../design/icon-button.tsx';
import {
  BackIcon,
  CloseIcon,
  DownloadIcon,
  ExternalLinkIcon,
  NextIcon,
  ZoomInIcon,
  ZoomOutIcon,
} from '../../design/icons.ts';
import { FIT, NEXT_MEDIA, PREVIOUS_MEDIA, ZOOM_IN, ZOOM_OUT } from '../lightbox-shortcuts.ts';
import type { LightboxTarget } from '../lightbox-target.ts';
import { conversationMedia, type ShownMedia } from './conversation-media.ts';
import styles from './lightbox.module.css';
import { FilmStage, PictureStage, type StageHandle } from './stage.tsx';
import { ZOOM_STEP_FACTOR } from './zoom.ts';

interface Props {
  readonly target: LightboxTarget;
  readonly onClose: () => void;
}

/** The pictures and films of a conversation, one at a time, above everything. */
export default function Lightbox({ target, onClose }: Props): ReactNode {
  const { model, navigation } = useApp();
  // What was there when it opened. New messages do not shift it.
  const [media] = useState(() => {
    const { route } = navigation;
    return conversationMedia(model, route.view === 'narrow' ? route.narrow : undefined, target);
  });
  const [index, setIndex] = useState(() => {
    const found = media.findIndex(({ messageId, href }) => messageId === target.messageId && href === target.href);
    return Math.max(0, found);
  });
  const item = media[index];
  const move = useCallback(
    (by: number) => setIndex((now) => Math.min(media.length - 1, Math.max(0, now + by))),
    [media],
  );
  const stage = useRef<StageHandle>(null);
  useBackCloses(true, onClose);
  if (item === undefined) return null;
  return (
    <ModalOverlay isOpen onOpenChange={(isOpen) => !isOpen && onClose()} className={styles.overlay ?? ''}>
      <Modal className={styles.modal ?? ''}>
        <Dialog className={styles.dialog ?? ''} aria-label={item.name} data-keyboard-scope="dialog">
          <Keys stage={stage} move={move} />
          <Bar item={item} index={index} count={media.length} stage={stage} onClose={onClose} />
          {item.kind === 'image' ? (
            <PictureStage key={index} item={item} onSwipe={move} onDismiss={onClose} handle={stage} />
          ) : (
            <FilmStage key={index} item={item} />
          )}
          {media.length > 1 && (
            <>
              <div className={styles.previous}>
                <IconButton
                  icon={BackIcon}
                  label={t('Previous picture')}
                  shortcut={PREVIOUS_MEDIA}
                  placement="right"
                  isDisabled={index === 0}
                  onPress={() => move(-1)}
                />
              </div>
              <div className={styles.next}>
                <IconButton
                  icon={NextIcon}
                  label={t('Next picture')}
                  shortcut={NEXT_MEDIA}
                  placement="left"
                  isDisabled={index === media.length - 1}
                  onPress={() => move(1)}
                />
              </div>
            </>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface Controls {
  readonly stage: { readonly current: StageHandle | null };
}

/** Handles the keys while the lightbox is open. */
function Keys({ stage, move }: Controls & { readonly move: (by: number) => void }): ReactNode {
  // A film with the focus uses the arrows itself.
  const unlessFilm = (by: number) => (event: KeyboardEvent) => {
    if (event.target instanceof HTMLVideoElement) return false;
    move(by);
    return true;
  };
  useShortcut(NEXT_MEDIA, unlessFilm(1));
  useShortcut(PREVIOUS_MEDIA, unlessFilm(-1));
  useShortcut(ZOOM_IN, () => stage.current?.zoom(ZOOM_STEP_FACTOR));
  useShortcut(ZOOM_OUT, () => stage.current?.zoom(1 / ZOOM_STEP_FACTOR));
  useShortcut(FIT, () => stage.current?.fit());
  return null;
}

interface BarProps extends Controls {
  readonly item: ShownMedia;
  readonly index: number;
  readonly count: number;
  readonly onClose: () => void;
}

/** What is shown, who sent it and when, and what one can do with it. */
function Bar({ item, index, count, stage, onClose }: BarProps): ReactNode {
  const { model } = useApp();
  const { messageId, name, href, kind } = item;
  const about = useMemo(() => {
    const record = messageId === undefined ? undefined : model.cache.messages.get(messageId);
    if (record === undefined) return undefined;
    const sender = model.users.get(record.senderId)?.name ?? record.senderName;
    return t('{sender}, {time}', { sender, time: formatDateTime(new Date(record.timestamp * 1000)) });
  }, [model, messageId]);
  const position = t('{number} of {count}', { number: formatNumber(index + 1), count: formatNumber(count) });
  return (
    <header className={styles.bar}>
      <div className={styles.about}>
        <strong className={styles.name}>{name}</strong>
        <span className={styles.details}>{[about, count > 1 && position].filter(Boolean).join(' · ')}</span>
      </div>
      {kind === 'image' && (
        <div className={styles.zoom}>
          <IconButton
            icon={ZoomOutIcon}
            label={t('Zoom out')}
            shortcut={ZOOM_OUT}
            placement="bottom"
            onPress={() => stage.current?.zoom(1 / ZOOM_STEP_FACTOR)}
          />
          <IconButton
            icon={ZoomInIcon}
            label={t('Zoom in')}
            shortcut={ZOOM_IN}
            placement="bottom"
            onPress={() => stage.current?.zoom(ZOOM_STEP_FACTOR)}
          />
        </div>
      )}
      <a className={styles.link} href={href} download="" aria-label={t('Download')} title={t('Download')}>
        <DownloadIcon aria-hidden="true" />
      </a>
      <a
        className={styles.link}
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        aria-label={t('Open the original')}
        title={t('Open the original')}
      >
        <ExternalLinkIcon aria-hidden="true" />
      </a>
      <IconButton icon={CloseIcon} label={t('Close')} placement="bottom" onPress={onClose} />
    </header>
  );
}
