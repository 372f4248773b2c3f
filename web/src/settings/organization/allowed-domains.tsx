import { addDomain, changeDomain, removeDomain } from '@heddle/client/calls/operations.ts';
import type { Domain } from '@heddle/client/calls/types.ts';
import { type ReactNode, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Checkbox } from '../../design/checkbox.tsx';
import { Form, FormSection } from '../../design/form.tsx';
import { TextField } from '../../design/text-field.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { SwitchSetting } from '../controls.tsx';
import { Refusal } from '../read-only.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';
import { useOrganization } from './use-organization.ts';

/** The domains of addresses that can join, if the organization restricts them. */
export function AllowedDomains(): ReactNode {
  const { model, settings, refusal } = useOrganization();
  const { domains } = model.organization;
  const reason = refusal('emails_restricted_to_domains');
  const description = settings.emails_restricted_to_domains
    ? t('Only addresses of these domains can join.')
    : t('The list takes effect when joining is restricted to it.');
  return (
    <FormSection title={t('Allowed domains')} description={description}>
      {domains.length > 0 && (
        <ul className={styles.list} aria-label={t('Allowed domains')}>
          {domains.map((domain) => (
            <Row key={domain.domain} domain={domain} refusal={reason} isLast={domains.length === 1} />
          ))}
        </ul>
      )}
      {reason === undefined ? <AddDomain /> : <Refusal text={reason} />}
    </FormSection>
  );
}

interface RowProps {
  readonly domain: Domain;
  readonly refusal: string | undefined;
  readonly isLast: boolean;
}

function Row({ domain: { domain, allow_subdomains: hasSubdomains }, refusal, isLast }: RowProps): ReactNode {
  const { connection, settings } = useOrganization();
  const endsRestriction = isLast && settings.emails_restricted_to_domains;
  return (
    <li className={styles.item}>
      <div className={styles.itemTexts}>
        <div>{domain}</div>
        <SwitchSetting
          label={t('Also subdomains of {domain}', { domain })}
          value={hasSubdomains}
          refusal={refusal}
          save={(allow_subdomains) => changeDomain(connection, { domain, allow_subdomains })}
        />
      </div>
      {refusal === undefined && (
        <ConfirmButton
          size="small"
          kind="quiet"
          label={t('Remove')}
          title={t('Remove {name}?', { name: domain })}
          run={() => removeDomain(connection, { domain })}
        >
          {endsRestriction
            ? t('It is the last domain. After that, addresses of all domains can join.')
            : t('People with these addresses cannot join any more. Existing accounts stay.')}
        </ConfirmButton>
      )}
    </li>
  );
}

function AddDomain(): ReactNode {
  const { connection } = useOrganization();
  const [domain, setDomain] = useState('');
  const [hasSubdomains, setSubdomains] = useState(false);
  const action = useAction();
  const submit = async () => {
    const text = domain.trim();
    const request = () => addDomain(connection, { domain: text, allow_subdomains: hasSubdomains });
    if (text !== '' && (await action.run(request))) setDomain('');
  };
  return (
    <Form onSubmit={submit}>
      <div className={styles.bar}>
        <TextField
          label={t('New domain')}
          value={domain}
          onChange={setDomain}
          // not translated: an example of a domain
          placeholder="example.com"
        />
        <Checkbox isSelected={hasSubdomains} onChange={setSubdomains}>
          {t('Also subdomains')}
        </Checkbox>
        <Button type="submit" isDisabled={domain.trim() === ''} isPending={action.isPending}>
          {t('Add domain')}
        </Button>
      </div>
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
    </Form>
  );
}
