import type { ReactNode } from 'react';
import {
  RadioGroup as AriaRadioGroup,
  type RadioGroupProps as AriaRadioGroupProps,
  Radio,
} from 'react-aria-components/RadioGroup';
import styles from './choice.module.css';
import { FieldLabel, FieldNotes, type FieldTexts, fieldStyles } from './field.tsx';

export interface RadioOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly description?: ReactNode;
  readonly isDisabled?: boolean;
  /** A button beside the choice, for example to try it. */
  readonly action?: ReactNode;
}

export interface RadioGroupProps<Value extends string>
  extends FieldTexts,
    Omit<AriaRadioGroupProps, 'children' | 'className' | 'style' | 'value' | 'defaultValue' | 'onChange'> {
  options: readonly RadioOption<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
}

/** One choice of a few that are all visible. */
export function RadioGroup<Value extends string>({
  label,
  isLabelHidden,
  description,
  error,
  options,
  onChange,
  ...props
}: RadioGroupProps<Value>): ReactNode {
  return (
    <AriaRadioGroup
      {...props}
      onChange={(value) => onChange(value as Value)}
      isInvalid={Boolean(error)}
      className={`${fieldStyles.field} ${styles.group}`}
    >
      <FieldLabel label={label} {...(isLabelHidden && { isLabelHidden })} />
      {options.map((option) =>
        option.action === undefined ? (
          <Choice key={option.value} {...option} />
        ) : (
          <div key={option.value} className={styles.withAction}>
            <Choice {...option} />
            {option.action}
          </div>
        ),
      )}
      <FieldNotes description={description} error={error} />
    </AriaRadioGroup>
  );
}

function Choice({ value, label, description, isDisabled = false }: RadioOption<string>): ReactNode {
  return (
    <Radio value={value} isDisabled={isDisabled} className={styles.choice ?? ''}>
      <span className={`${styles.box} ${styles.round}`} aria-hidden="true" />
      <span className={styles.texts}>
        <span>{label}</span>
        {description !== undefined && <span className={styles.description}>{description}</span>}
      </span>
    </Radio>
  );
}
