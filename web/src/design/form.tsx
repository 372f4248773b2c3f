import { type FormEvent, type ReactNode, useId, useRef } from 'react';
import styles from './form.module.css';

export interface FormSectionProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** A part of a page of settings, with a heading. */
export function FormSection({ title, description, children }: FormSectionProps): ReactNode {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.header}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {description && <p className={styles.description}>{description}</p>}
      </header>
      <div className={styles.rows}>{children}</div>
    </section>
  );
}

/** Fields beside each other, if there is room. */
export function FormRow({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.row}>{children}</div>;
}

export interface SettingRowProps {
  label: ReactNode;
  description?: ReactNode;
  /** The control, at the end of the row: a button or a short field with a hidden label. */
  children: ReactNode;
}

/** A text with a control at its end, for settings that are not a `Switch`. */
export function SettingRow({ label, description, children }: SettingRowProps): ReactNode {
  return (
    <div className={styles.setting} data-setting>
      <div className={styles.texts}>
        <div>{label}</div>
        {description && <div className={styles.description}>{description}</div>}
      </div>
      <div className={styles.control}>{children}</div>
    </div>
  );
}

/** The buttons of a form: the main action last. */
export function FormActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.actions}>{children}</div>;
}

export interface FormProps {
  /** Until its promise resolves, the form cannot be submitted again. */
  onSubmit: () => void | Promise<void>;
  children: ReactNode;
  /** Connects a submit button outside of the form, for example in the footer of a dialog. */
  id?: string;
}

/** A form that Enter submits. */
export function Form({ onSubmit, children, id }: FormProps): ReactNode {
  const isSubmitting = useRef(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // Of a form with one field, Enter also submits while its button is pending.
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    try {
      await onSubmit();
    } finally {
      isSubmitting.current = false;
    }
  };
  return (
    <form id={id} className={styles.form} onSubmit={submit} noValidate>
      {children}
    </form>
  );
}
