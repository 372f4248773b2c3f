import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup';
import { t } from '../base/i18n.ts';
import { ComboField } from './combo-field.tsx';
import { ComboInput } from './combo-input.tsx';
import type { FieldTexts } from './field.tsx';
import { CloseIcon } from './icons.ts';
import type { Option } from './list-box.tsx';
import styles from './multi-picker.module.css';
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
  /** Where the list opens if there is room. The default is `bottom`. */
  listSide?: 'top' | 'bottom';
}

/**
 * Several choices of a long list, such as people, groups and channels. Choices are tags before the text. Backspace in an empty
 * field removes the last one. The arrow keys move between tags, and Delete removes the focused one.
 */
export function MultiPicker<Key extends string>(props: MultiPickerProps<Key>): ReactNode {
  const {
    value,
    onChange,
    search,
    onEnterEmpty,
    placeholder,
    emptyText,
    isDisabled = false,
    autoFocus,
    listSide,
    ...texts
  } = props;
  const [input, setInput] = useState('');
  const [news, setNews] = useState('');
  const chosen = new Set<string>(value.map(({ key }) => key));
  const options = search(input).filter(({ key }) => !chosen.has(key));

  const add = (option: Option<Key>) => {
    setInput('');
    setNews(t('{name} was added', { name: option.label }));
    onChange([...value, option]);
  };
  const remove = (keys: ReadonlySet<unknown>) => {
    const removed = value.filter(({ key }) => keys.has(key));
    setNews(t('{name} was removed', { name: removed.map((each) => each.label).join(', ') }));
    onChange(value.filter(({ key }) => !keys.has(key)));
  };
  const onKey = ({ key }: KeyboardEvent) => {
    const last = value.at(-1);
    if (key === 'Backspace' && input === '' && last !== undefined) remove(new Set([last.key]));
  };
  return (
    <ComboField {...texts} boxClassName={styles.box}>
      {({ id, box, describedBy }) => (
        <>
          {value.length > 0 && <Tags label={texts.label} value={value} onRemove={isDisabled ? undefined : remove} />}
          <ComboInput
            id={id}
            label={texts.label}
            describedBy={describedBy}
            anchor={box}
            text={input}
            isSearch={input.trim() !== ''}
            onText={setInput}
            options={options}
            onChoose={add}
            onLeave={() => setInput('')}
            onEnter={(chosen) => chosen === undefined && input === '' && onEnterEmpty?.()}
            onKey={onKey}
            staysOpen
            emptyText={emptyText}
            placeholder={value.length === 0 ? placeholder : undefined}
            isDisabled={isDisabled}
            isInvalid={Boolean(texts.error)}
            autoFocus={autoFocus}
            listSide={listSide}
            className={styles.input}
          />
          <VisuallyHidden>
            <span role="status">{news}</span>
          </VisuallyHidden>
        </>
      )}
    </ComboField>
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
