import { type ReactNode, useRef, useState } from 'react';
import { t } from '../base/i18n.ts';
import { ComboField } from './combo-field.tsx';
import { ComboInput } from './combo-input.tsx';
import type { FieldTexts } from './field.tsx';
import { ChevronDownIcon } from './icons.ts';
import type { Option } from './list-box.tsx';
import styles from './search-field.module.css';

export interface ComboBoxProps<Key extends string> extends FieldTexts {
  /** The chosen option. */
  value: Option<Key> | null;
  onChange: (key: Key | null) => void;
  /** The best options for what the user typed, at most about fifty. An empty text asks for the first ones. */
  search: (text: string) => readonly Option<Key>[];
  /** Hears what the user types, for example if other texts than options are allowed. */
  onInputChange?: (text: string) => void;
  /** Hears Enter after the field has handled it. */
  onEnter?: () => void;
  placeholder?: string;
  emptyText?: string;
  /** Whether a text that is not an option is a value. */
  allowsCustomValue?: boolean;
  isDisabled?: boolean;
  autoFocus?: boolean;
  /** Where the list opens if there is room. The default is `bottom`. */
  listSide?: 'top' | 'bottom';
}

/** One choice of a long list, which the user searches. */
export function ComboBox<Key extends string>(props: ComboBoxProps<Key>): ReactNode {
  const { value, onChange, search, onInputChange, onEnter, placeholder, emptyText, ...others } = props;
  const { allowsCustomValue = false, isDisabled = false, autoFocus, listSide, ...texts } = others;
  const field = useRef<HTMLInputElement>(null);
  const [input, setInput] = useState(value?.label ?? '');
  // A new value from outside shows its own text.
  const [shownKey, setShownKey] = useState(value?.key);
  if (value?.key !== shownKey) {
    setShownKey(value?.key);
    if (value !== null) setInput(value.label);
  }
  // The text of the chosen option is no search: the list then shows all options.
  const isSearch = input.trim() !== '' && input !== value?.label;
  const found = search(isSearch ? input : '');
  const lacksValue = value !== null && !isSearch && !found.some(({ key }) => key === value.key);
  const options = lacksValue ? [value, ...found] : found;

  const type = (text: string) => {
    setInput(text);
    onInputChange?.(text);
    if (text === '' && value !== null) onChange(null);
  };
  const choose = ({ key, label }: Option<Key>) => {
    setInput(label);
    if (key !== value?.key) onChange(key);
  };
  // Leaving the field without a choice restores the text, unless other texts are allowed.
  const leave = () => {
    if (!allowsCustomValue) setInput(value?.label ?? '');
  };
  return (
    <ComboField {...texts}>
      {({ id, box, describedBy }) => (
        <>
          <ComboInput
            inputRef={field}
            id={id}
            label={texts.label}
            describedBy={describedBy}
            anchor={box}
            text={input}
            isSearch={isSearch && !allowsCustomValue}
            onText={type}
            options={options}
            onChoose={choose}
            onLeave={leave}
            onEnter={onEnter}
            keepsText={allowsCustomValue}
            checkedKey={value?.key ?? null}
            emptyText={emptyText}
            placeholder={placeholder}
            isDisabled={isDisabled}
            isInvalid={Boolean(texts.error)}
            autoFocus={autoFocus}
            listSide={listSide}
          />
          <button
            type="button"
            className={styles.clear}
            aria-label={t('Show options')}
            tabIndex={-1}
            disabled={isDisabled}
            // The field keeps the focus, and a click on it opens the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              field.current?.focus();
              field.current?.click();
            }}
          >
            <ChevronDownIcon aria-hidden="true" />
          </button>
        </>
      )}
    </ComboField>
  );
}
