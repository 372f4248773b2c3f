import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { t } from '../base/i18n.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { SearchIcon } from '../design/icons.ts';
import { ifPointerMoved } from '../design/pointer-moved.ts';
import { type Emoji, keyOfEmoji, type PickedEmoji } from './emoji.ts';
import { EmojiGlyph } from './emoji-glyph.tsx';
import styles from './emoji-picker.module.css';
import { PickerCategories } from './picker-categories.tsx';
import { PickerFooter } from './picker-footer.tsx';
import {
  type Cell,
  emojiAt,
  firstCell,
  neighbour,
  type PickerRow,
  type PickerSources,
  pickerRows,
} from './picker-rows.ts';
import { sectionName } from './section-names.ts';

interface Props {
  readonly sources: PickerSources;
  /** The index of the skin tone. Undefined: none. */
  readonly tone: number | undefined;
  /** Without it, there are no tones to choose. */
  readonly onTone?: ((tone: number | undefined) => void) | undefined;
  readonly onPick: (emoji: PickedEmoji, staysOpen: boolean) => void;
}

/** Pixels. Fingers need larger targets. */
const COARSE = { columns: 7, cell: 44 } as const;
const FINE = { columns: 9, cell: 36 } as const;
const HEADING_HEIGHT_PIXELS = 28;

/**
 * The field of the search with the grid below. The focus stays in the field: arrow keys move through the grid, Enter
 * chooses.
 */
export function PickerGrid({ sources, tone, onTone, onPick }: Props): ReactNode {
  const [query, setQuery] = useState('');
  const [size] = useState(() => (window.matchMedia('(pointer: coarse)').matches ? COARSE : FINE));
  const { table, custom, recent } = sources;
  const rows = useMemo(
    () => pickerRows({ table, custom: { active: custom.active }, recent }, query, size.columns),
    [table, custom.active, recent, query, size],
  );
  const [moved, setMoved] = useState<{ readonly rows: readonly PickerRow[]; readonly cell: Cell }>();
  // Another search begins at its best result.
  const cell = moved?.rows === rows ? moved.cell : firstCell(rows);
  const active = emojiAt(rows, cell);
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'heading' ? HEADING_HEIGHT_PIXELS : size.cell),
    overscan: 3,
  });
  const pick = (emoji: Emoji, staysOpen: boolean) => {
    const toned = tone === undefined ? undefined : table.byCode.get(emoji.code)?.tones?.[tone];
    const { type, code, name } = emoji;
    onPick({ type, code, name, text: type === 'unicode_emoji' && toned ? toned : `:${name}:` }, staysOpen);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      pick(active, event.shiftKey);
      return;
    }
    const isMove = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    // Beside the text, the keys move in the grid. Inside it, they move the cursor.
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const atEnd = selectionStart === value.length && selectionEnd === value.length;
    const isSide = (event.key === 'ArrowRight' && atEnd) || (event.key === 'ArrowLeft' && atEnd && cell?.column !== 0);
    if ((!isMove && !isSide) || cell === undefined || event.shiftKey) return;
    event.preventDefault();
    const next = neighbour(rows, cell, event.key);
    setMoved({ rows, cell: next });
    virtualizer.scrollToIndex(next.row, { align: 'auto' });
  };
  const goTo = (section: string | number) => {
    const index = rows.findIndex((row) => row.kind === 'heading' && row.section === section);
    if (index < 0) return;
    virtualizer.scrollToIndex(index, { align: 'start' });
    setMoved({ rows, cell: { row: index + 1, column: 0 } });
  };
  const move = (to: Cell) => setMoved({ rows, cell: to });
  const cellId = (row: number, column: number) => `${id}-${row}-${column}`;
  return (
    <>
      <div className={styles.search}>
        <SearchIcon aria-hidden="true" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the user opened the picker to search in it.
          autoFocus
          type="text"
          role="combobox"
          aria-label={t('Search emoji')}
          aria-expanded={rows.length > 0}
          aria-haspopup="grid"
          aria-controls={`${id}-grid`}
          aria-autocomplete="list"
          aria-activedescendant={cell === undefined ? undefined : cellId(cell.row, cell.column)}
          placeholder={t('Search emoji')}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      {query === '' && <PickerCategories rows={rows} onChoose={goTo} />}
      <div ref={scroller} className={styles.scroller} tabIndex={-1}>
        {rows.length === 0 && <EmptyState title={t('No emoji matches')}>{t('Try another word.')}</EmptyState>}
        {/* biome-ignore lint/a11y/useSemanticElements: a table cannot be virtual. */}
        <div
          role="grid"
          id={`${id}-grid`}
          aria-label={t('Emoji')}
          aria-rowcount={rows.length}
          aria-colcount={size.columns}
          className={styles.grid}
          style={{ height: virtualizer.getTotalSize(), width: size.columns * size.cell }}
        >
          {virtualizer.getVirtualItems().map(({ index, start, size: height }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const position = { top: start, height };
            return (
              // biome-ignore lint/a11y/useSemanticElements: a table cannot be virtual.
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field of the search.
              <div key={index} role="row" aria-rowindex={index + 1} className={styles.row} style={position}>
                <RowCells row={row} index={index} size={size} cell={cell} cellId={cellId} onPick={pick} onMove={move} />
              </div>
            );
          })}
        </div>
      </div>
      <PickerFooter
        emoji={active}
        label={active && table.byCode.get(active.code)?.label}
        {...(onTone && { tone, onTone })}
      />
    </>
  );
}

interface RowCellsProps {
  readonly row: PickerRow;
  readonly index: number;
  readonly size: typeof COARSE | typeof FINE;
  /** The cell that Enter would choose. */
  readonly cell: Cell | undefined;
  readonly cellId: (row: number, column: number) => string;
  readonly onPick: (emoji: Emoji, staysOpen: boolean) => void;
  readonly onMove: (cell: Cell) => void;
}

function RowCells({ row, index, size, cell, cellId, onPick, onMove }: RowCellsProps): ReactNode {
  if (row.kind === 'heading') {
    return (
      // biome-ignore lint/a11y/useSemanticElements: a table cannot be virtual.
      // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field of the search.
      <div role="rowheader" aria-colspan={size.columns} className={styles.heading}>
        {sectionName(row.section)}
      </div>
    );
  }
  return row.emoji.map((emoji, column) => (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be virtual.
    <div
      key={keyOfEmoji(emoji)}
      id={cellId(index, column)}
      role="gridcell"
      tabIndex={-1}
      aria-label={emoji.name}
      aria-selected={index === cell?.row && column === cell.column}
      className={styles.cell}
      style={{ width: size.cell, height: size.cell }}
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={ifPointerMoved(() => onMove({ row: index, column }))}
      onClick={(event) => onPick(emoji, event.shiftKey)}
      onKeyDown={(event) => event.key === 'Enter' && onPick(emoji, event.shiftKey)}
    >
      <EmojiGlyph emoji={emoji} />
    </div>
  ));
}
