import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { FormSection } from '../../design/form.tsx';
import { CheckIcon } from '../../design/icons.ts';
import styles from '../settings.module.css';
import { useOrganization } from './use-organization.ts';

/** How people can log in. The operator of the server decides it for all organizations. */
export function LoginMethods(): ReactNode {
  const { settings } = useOrganization();
  const methods = Object.entries(settings.authentication_methods ?? {}).filter(([, { enabled }]) => enabled);
  return (
    <FormSection title={t('Ways to log in')} description={t('The operator of the server sets them.')}>
      <ul className={styles.list} aria-label={t('Ways to log in')}>
        {methods.map(([name]) => (
          <li key={name} className={styles.item}>
            <CheckIcon aria-hidden="true" className={styles.icon} />
            <span className={styles.itemTexts}>{name === 'Email' ? t('Email address and password') : name}</span>
          </li>
        ))}
      </ul>
    </FormSection>
  );
}
