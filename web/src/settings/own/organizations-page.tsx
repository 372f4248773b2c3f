import { type ReactNode, useMemo, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { organizationChanges, otherOrganizations } from '../../base/organizations.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Form, FormSection } from '../../design/form.tsx';
import { TextField } from '../../design/text-field.tsx';
import styles from '../settings.module.css';
import {
  addOrganizations,
  addressPassing,
  forgetPassed,
  organizationAt,
  passedOrganizations,
  removeOrganization,
} from './organizations.ts';

interface OrganizationsPageProps {
  /** What the link to this page passes on. */
  readonly passed?: string | undefined;
}

/** The other organizations of the user, for the menu. */
export function OrganizationsPage({ passed }: OrganizationsPageProps): ReactNode {
  const { model } = useApp();
  const { ownId, organization } = model;
  useChanges(organizationChanges);
  const known = otherOrganizations(ownId);
  const [address, setAddress] = useState('');
  const [isRefused, setRefused] = useState(false);
  const add = () => {
    const found = organizationAt(address);
    setRefused(found === undefined);
    if (found === undefined) return;
    if (!known.some(({ url }) => url === found.url)) addOrganizations(ownId, [found]);
    setAddress('');
  };
  const all = [{ name: organization.settings.name, url: window.location.origin }, ...known];
  return (
    <FormSection
      title={t('Your organizations')}
      description={t('The menu of your account opens them. The list is only in this browser, and no server gets it.')}
    >
      <Passed passed={passed} />
      <Form onSubmit={add}>
        <div className={styles.bar}>
          <TextField
            label={t('Address of another organization')}
            // not translated: an address
            placeholder="chat.example.com"
            value={address}
            onChange={setAddress}
            inputMode="url"
            autoComplete="off"
            isInvalid={isRefused}
            {...(isRefused && { error: t('This is no address of another organization.') })}
          />
          <Button type="submit" isDisabled={address.trim() === ''}>
            {t('Add')}
          </Button>
        </div>
      </Form>
      <ul className={styles.list} aria-label={t('Your organizations')}>
        {known.map((one) => (
          <li key={one.url} className={styles.item}>
            <div className={styles.itemTexts}>
              <a href={one.url}>{one.name}</a>
              <div className={styles.quiet}>{one.url}</div>
              <a href={addressPassing(all, one)}>{t('Take this list there')}</a>
            </div>
            <Button
              size="small"
              kind="quiet"
              aria-label={t('Remove {name}', { name: one.name })}
              onPress={() => removeOrganization(ownId, one)}
            >
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
    </FormSection>
  );
}

/** Offers what another app passed on. The user decides, because anyone can make such a link. */
function Passed({ passed }: OrganizationsPageProps): ReactNode {
  const { model, navigation } = useApp();
  const known = otherOrganizations(model.ownId);
  const given = useMemo(() => passedOrganizations(passed), [passed]);
  const [isOver, setOver] = useState(false);
  const offered = given.filter(({ name, url }) => !known.some((one) => one.url === url && one.name === name));
  if (isOver || offered.length === 0) return null;
  const end = () => {
    forgetPassed();
    setOver(true);
    navigation.replace({ view: 'settings', section: 'organizations' });
  };
  const accept = () => {
    addOrganizations(model.ownId, offered);
    end();
  };
  return (
    <Banner action={<Button onPress={accept}>{t('Add to the menu')}</Button>} onDismiss={end}>
      {t('The app that led you here has these organizations in its list. Add only those that you know.')}
      <ul className={styles.reasons}>
        {offered.map(({ name, url }) => (
          <li key={url}>{`${name} (${url})`}</li>
        ))}
      </ul>
    </Banner>
  );
}
