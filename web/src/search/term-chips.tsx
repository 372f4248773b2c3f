import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { Ref } from 'react';
import { type KeyboardEvent, type ReactNode, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { CloseIcon } from '../design/icons.ts';
import styles from './search.module.css';
import { termText } from './term-texts.ts';

export interface TermChipsHandle {
  /** Gives the focus to the last chip. Returns false without chips. */
  focusLast(): boolean;
}

interface TermChipsProps {
  readonly terms: Narrow;
  readonly onRemove: (terms: Narrow) => void;
  /** Gets the focus behind the last chip, and when the last chip is removed. */
  readonly onLeave?: () => void;
  readonly handle?: Ref<TermChipsHandle>;
}

/** The conditions of a search, each with a button that removes it. The arrow keys move between them. Delete and Backspace remove one. */
export function TermChips({ terms, onRemove, onLeave, handle }: TermChipsProps): ReactNode {
  const model = useModel();
  const container = useRef<HTMLSpanElement>(null);
  /** The chip that gets the focus after the removal of another. */
  const next = useRef<number>(undefined);
  const buttons = () => [...(container.current?.querySelectorAll('button') ?? [])];
  const focus = (index: number): boolean => {
    const button = buttons()[index];
    button?.focus();
    return button !== undefined;
  };
  useImperativeHandle(handle, () => ({ focusLast: () => focus(terms.length - 1) }));
  useLayoutEffect(() => {
    if (next.current === undefined) return;
    if (!focus(Math.min(next.current, terms.length - 1))) onLeave?.();
    next.current = undefined;
  });
  const remove = (index: number) => {
    next.current = index;
    onRemove(terms.filter((_, at) => at !== index));
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    switch (event.key) {
      case 'ArrowLeft':
        focus(index - 1);
        break;
      case 'ArrowRight':
        if (!focus(index + 1)) onLeave?.();
        break;
      case 'Backspace':
      case 'Delete':
        remove(index);
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return (
    <span ref={container} className={styles.chips}>
      {terms.map((term, index) => {
        const text = termText(model, term);
        return (
          <span key={JSON.stringify(term)} className={styles.pill}>
            <span className={styles.pillText}>{text}</span>
            <button
              type="button"
              className={styles.remove}
              aria-label={t('Remove the condition: {condition}', { condition: text })}
              onClick={() => remove(index)}
              onKeyDown={(event) => onKeyDown(event, index)}
            >
              <CloseIcon aria-hidden="true" />
            </button>
          </span>
        );
      })}
    </span>
  );
}
