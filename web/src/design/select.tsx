import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Select as AriaSelect, type SelectProps as AriaSelectProps, SelectValue } from 'react-aria-components/Select';
import { FieldLabel, FieldNotes, type FieldTexts, fieldStyles } from './field.tsx';
import { ChevronDownIcon } from './icons.ts';
import listStyles from './list-box.module.css';
import { type Option, OptionList } from './list-box.tsx';
import { Floating } from './popover.tsx';
import styles from './select.module.css';

export interface SelectProps<Key extends string>
  extends FieldTexts,
    Pick<AriaSelectProps<object>, 'isDisabled' | 'isRequired' | 'autoFocus' | 'placeholder' | 'name'> {
  options: readonly Option<Key>[];
  value: Key | null;
  onChange: (key: Key) => void;
}

/** One choice of a short list. For a long list, use `ComboBox`, which people can search. */
export function Select<Key extends string>({
  label,
  isLabelHidden,
  description,
  error,
  options,
  value,
  onChange,
  ...props
}: SelectProps<Key>): ReactNode {
  return (
    <AriaSelect
      {...props}
      value={value}
      onChange={(key) => onChange(key as Key)}
      isInvalid={Boolean(error)}
      className={fieldStyles.field ?? ''}
    >
      <FieldLabel label={label} {...(isLabelHidden && { isLabelHidden })} />
      <Button className={`${fieldStyles.box} ${styles.button}`}>
        <SelectValue className={styles.value ?? ''}>
          {({ selectedText, isPlaceholder, defaultChildren }) => (isPlaceholder ? defaultChildren : selectedText)}
        </SelectValue>
        <ChevronDownIcon aria-hidden="true" />
      </Button>
      <FieldNotes description={description} error={error} />
      <Floating className={listStyles.popover}>
        <OptionList options={options} hasChecks />
      </Floating>
    </AriaSelect>
  );
}
