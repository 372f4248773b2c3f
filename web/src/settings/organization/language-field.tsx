import type { ReactNode } from 'react';
import { ComboBox } from '../../design/combo-box.tsx';
import { languagesFor } from './code-languages.ts';

interface LanguageFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  readonly onChange: (language: string) => void;
  readonly isDisabled?: boolean;
}

/** The language of code blocks: a common one, or any other name. */
export function LanguageField({ value, onChange, ...props }: LanguageFieldProps): ReactNode {
  return (
    <ComboBox
      {...props}
      allowsCustomValue
      value={value === '' ? null : { key: value, label: value }}
      onChange={(key) => onChange(key ?? '')}
      onInputChange={onChange}
      search={(text) => languagesFor(text).map((name) => ({ key: name, label: name }))}
    />
  );
}
