import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
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
  ShareIcon,
  ZoomInIcon,
  ZoomOutIcon,
} from '../../design/icons.ts';
import { canShare, shareFile } from '../../shown/sharing.ts';
import { FIT, NEXT_MEDIA, PREVIOUS_MEDIA, ZOOM_IN, ZOOM_OUT } from '../lightbox-shortcuts.ts';
import type { LightboxTarget } from '../lightbox-target.ts';
import { type ShownMedia, useConversationMedia } from './conversation-media.ts';
import styles from './lightbox.module.css';
import { FilmStage, PictureStage, type StageHandle } from './stage.tsx';
import { Strip } from './strip.tsx';
import { ZOOM_STEP_FACTOR } from './zoom.ts';

interface Props {
  readonly target: LightboxTarget;
  readonly onClose: () => void;
}

/** So many pictures before its end, the next page is loaded. */
const MIN_PICTURES_AHEAD = 10;

/** The pictures and films of a conversation, one at a time, above everything. */
export default function Lightbox({ target, onClose }: Props): ReactNode {
  const { media, isComplete, loadOlder, loadNewer } = useConversationMedia(target);
  const [chosen, choose] = useState({ messageId: target.messageId, href: target.href });
  const index = media.findIndex(({ messageId, href }) => messageId === chosen.messageId && href === chosen.href);
  const item = media[index];
  const moveTo = useCallback(
    (wanted: number) => {
      const next = media[Math.min(media.length - 1, Math.max(0, wanted))];
      if (next !== undefined) choose({ messageId: next.messageId, href: next.href });
    },
    [media],
  );
  const move = useCallback((by: number) => moveTo(index + by), [moveTo, index]);
  // Each page can bring it nearer to the end, or change nothing.
  useEffect(() => {
    if (index < MIN_PICTURES_AHEAD) loadOlder();
    if (index >= media.length - MIN_PICTURES_AHEAD) loadNewer();
  });
  const stage = useRef<StageHandle>(null);
  useBackCloses(true, onClose);
  // The message of another picture that the user has moved to was deleted or moved.
  const isGone = item === undefined;
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  if (item === undefined) return null;
  const key = `${item.messageId} ${item.href}`;
  return (
    <ModalOverlay isOpen onOpenChange={(isOpen) => !isOpen && onClose()} className={styles.overlay ?? ''}>
      <Modal className={styles.modal ?? ''}>
        <Dialog className={styles.dialog ?? ''} aria-label={item.name} data-keyboard-scope="dialog">
          <Keys stage={stage} move={move} />
          <Bar
            item={item}
            position={isComplete && media.length > 1 ? positionText(index, media.length) : undefined}
            stage={stage}
            onClose={onClose}
          />
          {item.kind === 'image' ? (
            <PictureStage key={key} item={item} onSwipe={move} onDismiss={onClose} handle={stage} />
          ) : (
            <FilmStage key={key} item={item} />
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
              <Strip media={media} index={index} onChoose={moveTo} />
            </>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function positionText(index: number, count: number): string {
  return t('{number} of {count}', { number: formatNumber(index + 1), count: formatNumber(count) });
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
  /** Undefined if it is the only one, or as long as the others are not known. */
  readonly position: string | undefined;
  readonly onClose: () => void;
}

/** What is shown, who sent it and when, and what one can do with it. */
function Bar({ item, position, stage, onClose }: BarProps): ReactNode {
  const { model } = useApp();
  const { messageId, name, href, kind } = item;
  const about = useMemo(() => {
    const record = messageId === undefined ? undefined : model.cache.messages.get(messageId);
    if (record === undefined) return undefined;
    const sender = model.users.get(record.senderId)?.name ?? record.senderName;
    return t('{sender}, {time}', { sender, time: formatDateTime(new Date(record.timestamp * 1000)) });
  }, [model, messageId]);
  return (
    <header className={styles.bar}>
      <div className={styles.about}>
        <strong className={styles.name}>{name}</strong>
        <span className={styles.details}>{[about, position].filter(Boolean).join(' · ')}</span>
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
      {canShare() && (
        <IconButton icon={ShareIcon} label={t('Share')} placement="bottom" onPress={() => void shareFile(href, name)} />
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
