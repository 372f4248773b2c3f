import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox as AriaComboBox } from 'react-aria-components/ComboBox';
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup';
import { t } from '../shell/i18n.ts';
import { classes } from './classes.ts';
import { ComboBoxInput } from './combo-box-input.tsx';
import { type FieldTexts, fieldStyles } from './field.tsx';
import { CloseIcon } from './icons.ts';
import listStyles from './list-box.module.css';
import { type Option, OptionList } from './list-box.tsx';
import styles from './multi-picker.module.css';
import { Floating } from './popover.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

export interface MultiPickerProps<Key extends string> extends FieldTexts {
  /** What is chosen, in the order of the tags. */
  value: readonly Option<Key>[];
  onChange: (value: readonly Option<Key>[]) => void;
  /** The best options for what the user typed, at most about fifty. An empty text asks for the first ones. */
  search: (text: string) => readonly Option<Key>[];
  /** Hears Enter in the empty field, which chooses nothing. */
  onEnterEmpty?: () => void;
  placeholder?: string;
  emptyText?: string;
  isDisabled?: boolean;
  autoFocus?: boolean;
}

/**
 * Several choices of a long list, such as people, groups and channels. Choices are tags before the text. Backspace in an empty
 * field removes the last one. The arrow keys move between tags, and Delete removes the focused one.
 */
export function MultiPicker<Key extends string>(props: MultiPickerProps<Key>): ReactNode {
  const {
    label,
    isLabelHidden,
    description,
    error,
    value,
    onChange,
    search,
    onEnterEmpty,
    placeholder,
    emptyText,
    isDisabled = false,
    autoFocus,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const [input, setInput] = useState('');
  const [news, setNews] = useState('');
  const chosen = new Set<string>(value.map(({ key }) => key));
  const options = search(input).filter(({ key }) => !chosen.has(key));

  const add = (key: string) => {
    const option = options.find((each) => each.key === key);
    if (option === undefined) return;
    setInput('');
    setNews(t('{name} was added', { name: option.label }));
    onChange([...value, option]);
  };
  const remove = (keys: ReadonlySet<unknown>) => {
    const removed = value.filter(({ key }) => keys.has(key));
    setNews(t('{name} was removed', { name: removed.map((each) => each.label).join(', ') }));
    onChange(value.filter(({ key }) => !keys.has(key)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = value.at(-1);
    if (event.key === 'Backspace' && input === '' && last !== undefined) remove(new Set([last.key]));
  };

  const id = useId();
  const ids = { label: `${id}label`, description: `${id}description`, error: `${id}error` };
  const describedBy = [description !== undefined && ids.description, error && ids.error].filter(Boolean).join(' ');
  return (
    <div className={fieldStyles.field}>
      <label id={ids.label} htmlFor={id} className={classes(fieldStyles.label, isLabelHidden && fieldStyles.hidden)}>
        {label}
      </label>
      <div ref={box} className={classes(fieldStyles.box, styles.box)}>
        {value.length > 0 && <Tags label={label} value={value} onRemove={isDisabled ? undefined : remove} />}
        <AriaComboBox
          id={id}
          aria-labelledby={ids.label}
          {...(describedBy !== '' && { 'aria-describedby': describedBy })}
          // The field is about one more choice, so it has no value of its own.
          value={null}
          onChange={(key) => (key === null ? setInput('') : add(String(key)))}
          inputValue={input}
          onInputChange={setInput}
          defaultFilter={() => true}
          menuTrigger="focus"
          allowsEmptyCollection
          isDisabled={isDisabled}
          isInvalid={Boolean(error)}
          className={styles.combo ?? ''}
        >
          <ComboBoxInput
            className={classes(fieldStyles.input, styles.input)}
            placeholder={value.length === 0 ? placeholder : undefined}
            onKeyDown={onKeyDown}
            onEnter={(text) => text === '' && onEnterEmpty?.()}
            autoFocus={autoFocus}
          />
          <Floating triggerRef={box} className={listStyles.popover} placement="bottom start">
            <OptionList options={options} {...(emptyText !== undefined && { emptyText })} />
          </Floating>
        </AriaComboBox>
      </div>
      <VisuallyHidden>
        <span role="status">{news}</span>
      </VisuallyHidden>
      {description !== undefined && (
        <span id={ids.description} className={fieldStyles.description}>
          {description}
        </span>
      )}
      {error && (
        <span id={ids.error} className={fieldStyles.error}>
          {error}
        </span>
      )}
    </div>
  );
}

interface TagsProps {
  label: string;
  value: readonly Option[];
  onRemove: ((keys: ReadonlySet<unknown>) => void) | undefined;
}

function Tags({ label, value, onRemove }: TagsProps): ReactNode {
  return (
    <TagGroup
      aria-label={t('Chosen: {label}', { label })}
      className={styles.tags ?? ''}
      {...(onRemove && { onRemove })}
    >
      <TagList className={styles.tags ?? ''}>
        {value.map((option) => (
          <Tag key={option.key} id={option.key} textValue={option.label} className={styles.tag ?? ''}>
            {option.icon}
            <span className={styles.text}>{option.label}</span>
            {onRemove && (
              <Button
                slot="remove"
                className={styles.remove ?? ''}
                aria-label={t('Remove {name}', { name: option.label })}
              >
                <CloseIcon aria-hidden="true" />
              </Button>
            )}
          </Tag>
        ))}
      </TagList>
    </TagGroup>
  );
}
