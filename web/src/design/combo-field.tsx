import { type ReactNode, type RefObject, useId, useRef } from 'react';
import { classes } from './classes.ts';
import { type FieldTexts, fieldStyles } from './field.tsx';

/** What the label, the box and the notes of a field need of each other. */
export interface ComboFieldIds {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly box: RefObject<HTMLDivElement | null>;
}

export interface ComboFieldProps extends FieldTexts {
  readonly boxClassName?: string | undefined;
  readonly children: (ids: ComboFieldIds) => ReactNode;
}

/** The label, the box and the notes of a field with a list of options, for components of this folder. */
export function ComboField(props: ComboFieldProps): ReactNode {
  const { label, isLabelHidden, description, error, boxClassName, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const notes = { description: `${id}description`, error: `${id}error` };
  const describedBy = [description !== undefined && notes.description, error && notes.error].filter(Boolean).join(' ');
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id} className={classes(fieldStyles.label, isLabelHidden && fieldStyles.hidden)}>
        {label}
      </label>
      <div ref={box} className={classes(fieldStyles.box, boxClassName)}>
        {children({ id, box, describedBy: describedBy === '' ? undefined : describedBy })}
      </div>
      {description !== undefined && (
        <span id={notes.description} className={fieldStyles.description}>
          {description}
        </span>
      )}
      {error && (
        <span id={notes.error} className={fieldStyles.error}>
          {error}
        </span>
      )}
    </div>
  );
}
