import type { ReactNode, Ref } from 'react';
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import {
  SearchField as AriaSearchField,
  type SearchFieldProps as AriaSearchFieldProps,
} from 'react-aria-components/SearchField';
import { t } from '../base/i18n.ts';
import { FieldLabel, fieldStyles } from './field.tsx';
import { CloseIcon, SearchIcon } from './icons.ts';
import styles from './search-field.module.css';

export interface SearchFieldProps extends Omit<AriaSearchFieldProps, 'children' | 'className' | 'style'> {
  /** The name of the field, for screen readers. Also the placeholder if there is none. */
  label: string;
  placeholder?: string;
  inputRef?: Ref<HTMLInputElement>;
}

/** Filters or searches what is beside it. Escape clears it. */
export function SearchField({ label, placeholder = label, inputRef, ...props }: SearchFieldProps): ReactNode {
  return (
    <AriaSearchField {...props} className={`${fieldStyles.field} ${styles.search}`}>
      {({ isEmpty }) => (
        <>
          <FieldLabel label={label} isLabelHidden />
          <div className={fieldStyles.box}>
            <SearchIcon aria-hidden="true" />
            <Input className={fieldStyles.input ?? ''} placeholder={placeholder} ref={inputRef} />
            {!isEmpty && (
              <Button className={styles.clear ?? ''} aria-label={t('Clear search')}>
                <CloseIcon aria-hidden="true" />
              </Button>
            )}
          </div>
        </>
      )}
    </AriaSearchField>
  );
}
