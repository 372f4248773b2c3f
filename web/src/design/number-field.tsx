import type { ReactNode } from 'react';
import { Input } from 'react-aria-components/Input';
import {
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaNumberFieldProps,
} from 'react-aria-components/NumberField';
import { FieldLabel, FieldNotes, type FieldTexts, fieldStyles } from './field.tsx';

export interface NumberFieldProps extends FieldTexts, Omit<AriaNumberFieldProps, 'children' | 'className' | 'style'> {
  /** The unit, after the number. */
  unit?: string;
}

/** A field for a number in the form of the language. Arrow keys change it by one step. */
export function NumberField({ label, isLabelHidden, description, error, unit, ...props }: NumberFieldProps): ReactNode {
  return (
    <AriaNumberField {...props} isInvalid={props.isInvalid ?? Boolean(error)} className={fieldStyles.field ?? ''}>
      <FieldLabel label={label} {...(isLabelHidden && { isLabelHidden })} />
      <div className={fieldStyles.box}>
        <Input className={fieldStyles.input ?? ''} />
        {unit && <span aria-hidden="true">{unit}</span>}
      </div>
      <FieldNotes description={description} error={error} />
    </AriaNumberField>
  );
}
