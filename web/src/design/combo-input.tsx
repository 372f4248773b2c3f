import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { t } from '../base/i18n.ts';
import { classes } from './classes.ts';
import { fieldStyles } from './field.tsx';
import { CheckIcon } from './icons.ts';
import styles from './list-box.module.css';
import type { Option } from './list-box.tsx';
import { ifPointerMoved } from './pointer-moved.ts';
import { Floating } from './popover.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

/** How many options the page keys pass. */
const PAGE_SIZE_OPTIONS = 8;

export interface ComboInputProps<Key extends string> {
  readonly id: string;
  /** The name of the list. The field has a label element. */
  readonly label: string;
  readonly describedBy: string | undefined;
  /** What the list stands beside. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly text: string;
  /** Whether the text is a search, of which Enter chooses the first option. */
  readonly isSearch: boolean;
  readonly onText: (text: string) => void;
  readonly options: readonly Option<Key>[];
  readonly onChoose: (option: Option<Key>) => void;
  /** The user closed the list or left the field without a choice. */
  readonly onLeave: () => void;
  /** Hears Enter after the field has handled it. */
  readonly onEnter?: ((chosen: Option<Key> | undefined) => void) | undefined;
  /** Hears the other keys. */
  readonly onKey?: (event: KeyboardEvent<HTMLInputElement>) => void;
  /** Whether a text that is not an option is a value. */
  readonly keepsText?: boolean;
  /** Whether the list stays open after a choice. */
  readonly staysOpen?: boolean;
  /** The option with a check. `null` if none has one now, and undefined if none ever has. */
  readonly checkedKey?: Key | null;
  readonly emptyText?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly isDisabled?: boolean;
  readonly isInvalid?: boolean;
  readonly autoFocus?: boolean | undefined;
  readonly className?: string | undefined;
  /** Where the list opens if there is room. */
  readonly listSide?: 'top' | 'bottom' | undefined;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
}

/**
 * A text field with a list of options (a combo box), for components of this folder. The focus stays in the field. The arrow keys make an
 * option active, and Enter, Tab or a click choose it. Enter after typing chooses the first option if none is active.
 *
 * This replaces React Aria's combo box, which hides everything else from screen readers while its list is open. Here, Enter chooses the
 * option that screen readers announced last.
 */
export function ComboInput<Key extends string>(props: ComboInputProps<Key>): ReactNode {
  const { text, onText, options, onChoose, onLeave, onEnter, onKey, keepsText = false, isDisabled = false } = props;
  const listId = useId();
  const [isWanted, setWanted] = useState(false);
  const [active, setActive] = useActive(options, text);
  const isOpen = isWanted && !isDisabled && (options.length > 0 || !keepsText);

  const choose = (option: Option<Key>) => {
    if (option.isDisabled) return;
    if (!props.staysOpen) setWanted(false);
    // The neighbour follows, so that an arrow key is not needed for each of several choices.
    const index = options.indexOf(option);
    setActive(props.staysOpen && text === '' ? (options[index + 1] ?? options[index - 1]) : undefined);
    onChoose(option);
  };
  const move = (index: number, step: 1 | -1) => {
    let next = Math.min(options.length - 1, Math.max(0, index));
    while (options[next]?.isDisabled) next += step;
    if (options[next] !== undefined) setActive(options[next]);
  };
  const leave = () => {
    setWanted(false);
    setActive(undefined);
    onLeave();
  };
  /** Whether the key was for the list. */
  const handle = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const index = active === undefined ? -1 : options.indexOf(active);
    switch (key) {
      case 'ArrowDown':
        setWanted(true);
        move(isOpen ? index + 1 : 0, 1);
        return true;
      case 'ArrowUp':
        setWanted(true);
        move(isOpen && index >= 0 ? index - 1 : options.length - 1, -1);
        return true;
      case 'PageDown':
        if (isOpen) move(index + PAGE_SIZE_OPTIONS, 1);
        return isOpen;
      case 'PageUp':
        if (isOpen) move(index - PAGE_SIZE_OPTIONS, -1);
        return isOpen;
      case 'Home':
      case 'End':
        // Without an active option, the keys move in the text.
        if (!isOpen || active === undefined || shiftKey) return false;
        if (key === 'Home') move(0, 1);
        else move(options.length - 1, -1);
        return true;
      case 'ArrowLeft':
      case 'ArrowRight':
        setActive(undefined);
        return false;
      case 'Escape':
        if (isOpen) leave();
        return isOpen;
      case 'Tab':
        if (isOpen && active !== undefined) choose(active);
        return false;
      default:
        return false;
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      const first = props.isSearch ? options.find((option) => !option.isDisabled) : undefined;
      const chosen = isOpen ? (active ?? first) : undefined;
      if (isOpen || onEnter !== undefined) event.preventDefault();
      if (chosen !== undefined) choose(chosen);
      else if (isOpen && keepsText) setWanted(false);
      onEnter?.(chosen);
    } else if (handle(event)) {
      // Nothing around the field handles the key as well: Escape would close a dialog.
      event.preventDefault();
      event.stopPropagation();
    } else onKey?.(event);
  };
  return (
    <>
      <input
        ref={props.inputRef}
        id={props.id}
        type="text"
        role="combobox"
        className={classes(fieldStyles.input, props.className)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active !== undefined ? optionId(listId, options.indexOf(active)) : undefined}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid || undefined}
        placeholder={props.placeholder}
        value={text}
        disabled={isDisabled}
        onChange={({ target }) => {
          setWanted(true);
          onText(target.value);
        }}
        onKeyDown={onKeyDown}
        // A field that says something already often has the focus only because its dialog opened.
        onFocus={() => text === '' && setWanted(true)}
        onClick={() => setWanted(true)}
        onBlur={leave}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the caller decides, for example in a dialog that opened for this field.
        autoFocus={props.autoFocus}
      />
      <VisuallyHidden>
        <span role="status">
          {isOpen && t('{count, plural, one {# option} other {# options}}', { count: options.length })}
        </span>
      </VisuallyHidden>
      {isOpen && (
        <List
          {...props}
          id={listId}
          active={active}
          onActive={setActive}
          onChoose={choose}
          onClose={() => setWanted(false)}
        />
      )}
    </>
  );
}

function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** The active option, if the list has it and the text is the same as when it became active. */
function useActive<Key extends string>(
  options: readonly Option<Key>[],
  text: string,
): [Option<Key> | undefined, (option: Option<Key> | undefined) => void] {
  const [active, setActive] = useState<{ readonly text: string; readonly key: Key | undefined }>();
  // A choice empties the text, and what it made active stays so.
  const isCurrent = active !== undefined && active.text === text;
  const option = isCurrent ? options.find(({ key }) => key === active.key) : undefined;
  return [option, (next) => setActive({ text, key: next?.key })];
}

interface ListProps<Key extends string>
  extends Pick<
    ComboInputProps<Key>,
    'label' | 'anchor' | 'options' | 'onChoose' | 'checkedKey' | 'emptyText' | 'listSide'
  > {
  readonly id: string;
  readonly active: Option<Key> | undefined;
  readonly onActive: (option: Option<Key>) => void;
  readonly onClose: () => void;
}

/** The list is a landmark of its own at the end of the document, so it is not cut off, and screen readers find it. */
function List<Key extends string>(props: ListProps<Key>): ReactNode {
  const { id, label, anchor, options, active, emptyText, onClose } = props;
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  const openedAt = useRef(0);
  useLayoutEffect(() => {
    openedAt.current = topOf(anchor);
  }, [anchor]);
  // React Aria closes the list when something around the field scrolls. That can have happened before the list opened.
  const closeIfMoved = () => {
    if (topOf(anchor) !== openedAt.current) onClose();
  };
  return (
    <>
      {createPortal(
        // The attribute keeps the list usable while a dialog hides the rest of the page.
        <section ref={setLandmark} aria-label={t('Options for {label}', { label })} data-react-aria-top-layer="true" />,
        document.body,
      )}
      {landmark !== null && (
        <Floating
          isNonModal
          isOpen
          onOpenChange={closeIfMoved}
          triggerRef={anchor}
          UNSTABLE_portalContainer={landmark}
          className={styles.popover}
          placement={`${props.listSide ?? 'bottom'} start`}
        >
          {options.length === 0 ? (
            <div className={styles.list}>
              <div className={styles.empty}>{emptyText ?? t('Nothing found')}</div>
            </div>
          ) : (
            <Options {...props} id={id} active={active} />
          )}
        </Floating>
      )}
    </>
  );
}

function topOf({ current }: RefObject<HTMLElement | null>): number {
  return current?.getBoundingClientRect().top ?? 0;
}

function Options<Key extends string>({ id, label, options, active, ...props }: ListProps<Key>): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const activeIndex = active === undefined ? -1 : options.indexOf(active);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${activeIndex}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [activeIndex]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      className={styles.list}
      onMouseDown={(event) => event.preventDefault()}
    >
      {options.map((option, index) => (
        <OptionRow
          key={option.key}
          id={optionId(id, index)}
          index={index}
          option={option}
          heading={option.group === options[index - 1]?.group ? undefined : option.group}
          isActive={index === activeIndex}
          onActive={() => props.onActive(option)}
          onChoose={() => props.onChoose(option)}
          {...(props.checkedKey !== undefined && { isChecked: props.checkedKey === option.key })}
        />
      ))}
    </div>
  );
}

interface OptionRowProps {
  readonly id: string;
  readonly index: number;
  readonly option: Option;
  readonly heading: string | undefined;
  readonly isActive: boolean;
  /** Undefined in lists without checks. */
  readonly isChecked?: boolean;
  readonly onActive: () => void;
  readonly onChoose: () => void;
}

function OptionRow({ id, index, option, heading, isActive, isChecked, onActive, onChoose }: OptionRowProps): ReactNode {
  return (
    <>
      {heading !== undefined && (
        <div role="presentation" className={styles.heading}>
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus. */}
      <div
        id={id}
        role="option"
        aria-selected={isChecked ?? isActive}
        aria-disabled={option.isDisabled || undefined}
        data-index={index}
        data-focus-visible={isActive || undefined}
        data-focused={isActive || undefined}
        data-selected={isChecked || undefined}
        data-disabled={option.isDisabled || undefined}
        className={styles.option}
        onMouseMove={isActive || option.isDisabled ? undefined : ifPointerMoved(onActive)}
        onClick={onChoose}
      >
        {option.icon}
        <span className={styles.texts}>
          <span className={styles.label}>{option.label}</span>
          {option.detail && <span className={styles.detail}>{option.detail}</span>}
        </span>
        {isChecked !== undefined && <CheckIcon aria-hidden="true" className={styles.check} />}
      </div>
    </>
  );
}
