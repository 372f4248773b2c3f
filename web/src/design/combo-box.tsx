import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox as AriaComboBox, type ComboBoxProps as AriaComboBoxProps } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { ComboBoxInput } from './combo-box-input.tsx';
import { FieldLabel, FieldNotes, type FieldTexts, fieldStyles } from './field.tsx';
import { ChevronDownIcon } from './icons.ts';
import listStyles from './list-box.module.css';
import { type Option, OptionList } from './list-box.tsx';
import { Floating } from './popover.tsx';
import styles from './search-field.module.css';

export interface ComboBoxProps<Key extends string>
  extends FieldTexts,
    Pick<AriaComboBoxProps<object>, 'isDisabled' | 'isRequired' | 'autoFocus' | 'allowsCustomValue'> {
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
}

/** One choice of a long list, which the user searches. */
export function ComboBox<Key extends string>(props: ComboBoxProps<Key>): ReactNode {
  const {
    label,
    isLabelHidden,
    description,
    error,
    value,
    onChange,
    search,
    onInputChange,
    onEnter,
    placeholder,
    emptyText,
    ...others
  } = props;
  const [input, setInput] = useState(value?.label ?? '');
  // A new value from outside shows its own text.
  const [shownKey, setShownKey] = useState(value?.key);
  if (value?.key !== shownKey) {
    setShownKey(value?.key);
    if (value !== null) setInput(value.label);
  }
  // The text of the chosen option is no search: the list then shows all options.
  const options = search(input === value?.label ? '' : input);
  const shown = value !== null && !options.some(({ key }) => key === value.key) ? [value, ...options] : options;

  const type = (text: string) => {
    setInput(text);
    onInputChange?.(text);
    if (text === '' && value !== null) onChange(null);
  };
  const choose = (key: Key | null) => {
    const option = shown.find((each) => each.key === key);
    // Leaving the field without a choice restores the text, unless other texts are allowed.
    if (option !== undefined || !others.allowsCustomValue) setInput(option?.label ?? '');
    if (option !== undefined && key !== value?.key) onChange(option.key);
  };
  return (
    <AriaComboBox
      {...others}
      value={value?.key ?? null}
      onChange={(key) => choose(key as Key | null)}
      inputValue={input}
      onInputChange={type}
      defaultFilter={() => true}
      menuTrigger="focus"
      allowsEmptyCollection={!others.allowsCustomValue}
      isInvalid={Boolean(error)}
      className={fieldStyles.field ?? ''}
    >
      <FieldLabel label={label} {...(isLabelHidden && { isLabelHidden })} />
      <Group className={fieldStyles.box ?? ''}>
        <ComboBoxInput
          className={fieldStyles.input ?? ''}
          placeholder={placeholder}
          keepsText={others.allowsCustomValue}
          onEnter={onEnter}
        />
        <Button className={styles.clear ?? ''}>
          <ChevronDownIcon aria-hidden="true" />
        </Button>
      </Group>
      <FieldNotes description={description} error={error} />
      <Floating className={listStyles.popover}>
        <OptionList options={shown} hasChecks {...(emptyText !== undefined && { emptyText })} />
      </Floating>
    </AriaComboBox>
  );
}
