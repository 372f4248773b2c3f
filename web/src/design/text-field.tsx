import type { HTMLInputAutoCompleteAttribute, ReactNode, Ref } from 'react';
import { Input } from 'react-aria-components/Input';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { excessOf } from '../base/excess.ts';
import { t } from '../base/i18n.ts';
import { formatNumber } from '../base/i18n-formats.ts';
import { classes } from './classes.ts';
import { FieldLabel, FieldNotes, type FieldTexts, fieldStyles } from './field.tsx';

interface Common extends FieldTexts, Omit<AriaTextFieldProps, 'children' | 'className' | 'style' | 'maxLength'> {
  placeholder?: string;
  /** The maximum length in Unicode characters. It is shown near the end, and a longer text is refused visibly, not cut. */
  limit?: number;
  autoComplete?: HTMLInputAutoCompleteAttribute;
}

export interface TextFieldProps extends Common {
  inputRef?: Ref<HTMLInputElement>;
  /** What stands before the text, for example an icon or `#`. */
  prefix?: string;
}

/** A field of one line. */
export function TextField({
  label,
  isLabelHidden,
  description,
  error,
  placeholder,
  limit,
  inputRef,
  prefix,
  ...props
}: TextFieldProps): ReactNode {
  const excess = excessOf(props.value ?? '', limit ?? Number.POSITIVE_INFINITY);
  return (
    <AriaTextField
      {...props}
      isInvalid={props.isInvalid ?? (excess > 0 || hasError(error))}
      className={fieldStyles.field ?? ''}
    >
      <FieldLabel label={label} {...(isLabelHidden && { isLabelHidden })} />
      <div className={fieldStyles.box}>
        {prefix && <span aria-hidden="true">{prefix}</span>}
        <Input className={fieldStyles.input ?? ''} placeholder={placeholder} ref={inputRef} />
      </div>
      <FieldNotes description={description} error={error} />
      <Count value={props.value} limit={limit} />
    </AriaTextField>
  );
}

export interface TextAreaProps extends Common {
  inputRef?: Ref<HTMLTextAreaElement>;
  /** The height in lines of an empty field. It grows with its text. */
  rows?: number;
}

/** A field of several lines, which grows with its text. */
export function TextArea({
  label,
  isLabelHidden,
  description,
  error,
  placeholder,
  limit,
  inputRef,
  rows = 3,
  ...props
}: TextAreaProps): ReactNode {
  const excess = excessOf(props.value ?? '', limit ?? Number.POSITIVE_INFINITY);
  return (
    <AriaTextField
      {...props}
      isInvalid={props.isInvalid ?? (excess > 0 || hasError(error))}
      className={fieldStyles.field ?? ''}
    >
      <FieldLabel label={label} {...(isLabelHidden && { isLabelHidden })} />
      <div className={classes(fieldStyles.box, fieldStyles.area)}>
        <AriaTextArea className={fieldStyles.input ?? ''} placeholder={placeholder} ref={inputRef} rows={rows} />
      </div>
      <FieldNotes description={description} error={error} />
      <Count value={props.value} limit={limit} />
    </AriaTextField>
  );
}

function hasError(error: ReactNode): boolean {
  return error !== undefined && error !== null && error !== false && error !== '';
}

/** The remaining characters, in the last tenth of the limit. */
function Count({ value = '', limit }: { value: string | undefined; limit: number | undefined }): ReactNode {
  if (limit === undefined || value.length < limit * 0.9) return null;
  const length = [...value].length;
  return (
    <span className={classes(fieldStyles.count, length > limit && fieldStyles.over)}>
      {t('{length} of {limit} characters', { length: formatNumber(length), limit: formatNumber(limit) })}
    </span>
  );
}
