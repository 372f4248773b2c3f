import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components/Modal';
import { t } from '../base/i18n.ts';
import { useBackCloses } from '../base/overlay-history.ts';
import styles from './command-box.module.css';
import { IconButton } from './icon-button.tsx';
import { CloseIcon } from './icons.ts';
import { Kbd } from './kbd.tsx';
import { ifPointerMoved } from './pointer-moved.ts';

export interface CommandOption {
  /** Unique. It also tells React which option stays. */
  readonly key: string;
  readonly label: ReactNode;
  /** Beside the label, quieter. */
  readonly detail?: ReactNode;
  readonly icon?: ReactNode;
  /** The heading above the options of one group, which stand together. */
  readonly group?: string;
  /** Keys that do the same, in the form of shortcuts. */
  readonly keys?: string;
}

export interface CommandBoxProps<Option extends CommandOption> {
  /** The name of the dialog and of the field. */
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  options: readonly Option[];
  onChoose: (option: Option) => void;
  /** Enter without options. */
  onEnter?: () => void;
  onClose: () => void;
  /** Handles a key before the box. Returns whether it did. */
  onKey?: (event: KeyboardEvent<HTMLInputElement>) => boolean;
  /** What stands before the field, such as chosen conditions. */
  before?: ReactNode;
  /** What the list says if it is empty. */
  emptyText?: string;
  /** A hint below the list. */
  footer?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

/** A field in the middle of the screen with options below it, for search and commands. The keyboard stays in the field. */
export function CommandBox<Option extends CommandOption>(props: CommandBoxProps<Option>): ReactNode {
  useBackCloses(true, props.onClose);
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(isOpen) => !isOpen && props.onClose()}
      isDismissable
      className={styles.overlay ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog aria-label={props.label} className={styles.dialog ?? ''}>
          <Content {...props} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Content<Option extends CommandOption>(props: CommandBoxProps<Option>): ReactNode {
  const {
    label,
    placeholder,
    text,
    onText,
    options,
    onChoose,
    onEnter,
    onKey,
    onClose,
    before,
    emptyText,
    footer,
    inputRef,
  } = props;
  const id = useId();
  const [active, setActive] = useActive(options, text);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (onKey?.(event)) return event.preventDefault();
    const chosen = options[active];
    switch (event.key) {
      case 'ArrowDown':
        setActive((active + 1) % Math.max(1, options.length));
        break;
      case 'ArrowUp':
        setActive((active - 1 + options.length) % Math.max(1, options.length));
        break;
      case 'Enter':
        if (chosen !== undefined) onChoose(chosen);
        else onEnter?.();
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return (
    <>
      <div className={styles.field}>
        {before}
        <input
          ref={inputRef}
          className={styles.input}
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${id}-${active}` : undefined}
          placeholder={placeholder}
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          // biome-ignore lint/a11y/noAutofocus: the user opened the box to type into it.
          autoFocus
        />
        <span className={styles.close}>
          <IconButton icon={CloseIcon} label={t('Close')} onPress={onClose} hasTooltip={false} excludeFromTabOrder />
        </span>
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={label} className={styles.list}>
        {options.map((option, index) => (
          <OptionRow
            key={option.key}
            id={`${id}-${index}`}
            index={index}
            option={option}
            heading={option.group === options[index - 1]?.group ? undefined : option.group}
            isActive={index === active}
            onActive={() => setActive(index)}
            onChoose={() => onChoose(option)}
          />
        ))}
      </div>
      {options.length === 0 && emptyText !== undefined && <p className={styles.empty}>{emptyText}</p>}
      {footer !== undefined && <div className={styles.footer}>{footer}</div>}
    </>
  );
}

/** The active option. Another text begins at the first one. */
function useActive(options: readonly CommandOption[], text: string): [number, (index: number) => void] {
  const [active, setActive] = useState({ text, index: 0 });
  // At once, because the same text can come back.
  if (active.text !== text) setActive({ text, index: 0 });
  return [Math.min(active.index, Math.max(0, options.length - 1)), (index) => setActive({ text, index })];
}

interface OptionRowProps {
  id: string;
  index: number;
  option: CommandOption;
  heading: string | undefined;
  isActive: boolean;
  onActive: () => void;
  onChoose: () => void;
}

function OptionRow({ id, index, option, heading, isActive, onActive, onChoose }: OptionRowProps): ReactNode {
  const { label, detail, icon, keys } = option;
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
        aria-selected={isActive}
        data-index={index}
        className={styles.option}
        // The field keeps the focus.
        onPointerDown={(event) => event.preventDefault()}
        onPointerMove={isActive ? undefined : ifPointerMoved(onActive)}
        onClick={onChoose}
      >
        <span className={styles.icon}>{icon}</span>
        <span className={styles.label}>{label}</span>
        {detail !== undefined && <span className={styles.detail}>{detail}</span>}
        {keys !== undefined && <Kbd keys={keys} isHint />}
      </div>
    </>
  );
}
