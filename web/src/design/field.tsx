import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { classes } from './classes.ts';
import styles from './field.module.css';

/** What every field has. */
export interface FieldTexts {
  /** The name of the field, above it. */
  label: string;
  /** Shows the label to screen readers only, if the place makes it clear. */
  isLabelHidden?: boolean;
  /** A hint below the field. */
  description?: ReactNode;
  /** What is wrong, and how to mend it. Also set `isInvalid`. */
  error?: ReactNode;
}

/** The label of a field, for components of this folder. */
export function FieldLabel({ label, isLabelHidden }: Pick<FieldTexts, 'label' | 'isLabelHidden'>): ReactNode {
  return <Label className={classes(styles.label, isLabelHidden && styles.hidden)}>{label}</Label>;
}

/** The hint and the error of a field, for components of this folder. */
export function FieldNotes({ description, error }: Pick<FieldTexts, 'description' | 'error'>): ReactNode {
  return (
    <>
      {description !== undefined && (
        <Text slot="description" className={styles.description}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error}>{error}</FieldError>
    </>
  );
}

/** The class names that all fields share. */
export const fieldStyles = styles;
