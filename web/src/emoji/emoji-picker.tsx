import { type ReactNode, type RefObject, Suspense, use, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { HoldKeys } from '../base/lazy-part.tsx';
import { useChanges } from '../base/use-changes.ts';
import { Popover, type PopoverProps } from '../design/popover.tsx';
import { Spinner } from '../design/spinner.tsx';
import { ErrorBoundary } from '../frame/error-boundary.tsx';
import type { PickedEmoji } from './emoji.ts';
import styles from './emoji-picker.module.css';
import { loadEmojiTable } from './emoji-table.ts';
import { PickerGrid } from './picker-grid.tsx';
import { recentEmoji, rememberEmoji, rememberedTone, rememberTone } from './recent-emoji.ts';

export interface EmojiPickerProps {
  /** @param staysOpen the user wants to choose more (Shift) */
  readonly onPick: (emoji: PickedEmoji, staysOpen: boolean) => void;
  /** Offers skin tones. They work in texts only: reactions and statuses need a name, and tones have none. */
  readonly hasTones?: boolean;
}

/** Searches and shows all emoji. The field of the search has the focus. */
export default function EmojiPicker({ onPick, hasTones = false }: EmojiPickerProps): ReactNode {
  return (
    <div className={styles.picker}>
      <ErrorBoundary resetKey="emoji">
        <Suspense
          fallback={
            <>
              <Spinner label={t('Loading')} />
              <HoldKeys />
            </>
          }
        >
          <LoadedPicker onPick={onPick} hasTones={hasTones} />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

function LoadedPicker({ onPick, hasTones }: Required<EmojiPickerProps>): ReactNode {
  const { model } = useApp();
  useChanges(model.emoji.changes);
  const table = use(loadEmojiTable(model));
  // The order stays while the picker is open.
  const [recent] = useState(() => recentEmoji(model.ownId));
  const pick = (emoji: PickedEmoji, staysOpen: boolean) => {
    rememberEmoji(model.ownId, emoji);
    onPick(emoji, staysOpen);
  };
  const [tone, setTone] = useState(() => (hasTones ? rememberedTone(model.ownId) : undefined));
  const chooseTone = (chosen: number | undefined) => {
    setTone(chosen);
    rememberTone(model.ownId, chosen);
  };
  return (
    <PickerGrid
      sources={{ table, custom: model.emoji, recent }}
      onPick={pick}
      tone={tone}
      onTone={hasTones ? chooseTone : undefined}
    />
  );
}

export interface EmojiPopoverProps extends EmojiPickerProps, Pick<PopoverProps, 'placement'> {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** What it opens beside. */
  readonly triggerRef: RefObject<Element | null>;
}

/** The picker beside a button. It closes after a choice. */
export function EmojiPopover({
  isOpen,
  onOpenChange,
  triggerRef,
  placement,
  onPick,
  hasTones,
}: EmojiPopoverProps): ReactNode {
  return (
    <Popover
      label={t('Emoji')}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      triggerRef={triggerRef}
      placement={placement ?? 'top end'}
      isFlush
    >
      <EmojiPicker
        hasTones={hasTones ?? false}
        onPick={(emoji, staysOpen) => {
          if (!staysOpen) onOpenChange(false);
          onPick(emoji, staysOpen);
        }}
      />
    </Popover>
  );
}
