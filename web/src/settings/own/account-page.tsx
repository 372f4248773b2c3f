import { deactivateOwnUser, updateSettings } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Form, FormActions, FormSection, SettingRow } from '../../design/form.tsx';
import { TextField } from '../../design/text-field.tsx';
import { roleName } from '../../people/user-texts.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { TextSetting } from '../controls.tsx';
import { refusalText } from '../reasons.ts';
import { useAction } from '../saving.ts';
import { ApiKey } from './api-key.tsx';
import { Privacy } from './privacy.tsx';

/** Address, password, privacy, sessions, API key, and the end of the account. */
export function AccountPage(): ReactNode {
  const { model } = useApp();
  useChanges(model.account.changes);
  const own = model.users.get(model.ownId);
  return (
    <>
      <FormSection title={t('Account')}>
        <Address />
        <SettingRow label={t('Role')}>{own && roleName(own)}</SettingRow>
        <SettingRow label={t('Sessions')} description={t('The browsers in which you are logged in.')}>
          <RouteLink to={{ view: 'settings', section: 'sessions' }}>{t('Show sessions')}</RouteLink>
        </SettingRow>
      </FormSection>
      {model.organization.settings.password_auth_enabled && <Password />}
      <Privacy />
      <ApiKey />
      <Deactivation />
    </>
  );
}

function Address(): ReactNode {
  const { model, connection } = useApp();
  useChanges(model.permissions.changes);
  const save = async (email: string) => {
    await updateSettings(connection, { email });
    toasts.show({ text: t('Open the link in the mail to {email} to confirm the new address.', { email }) });
  };
  return (
    <TextSetting
      label={t('Email address')}
      value={model.account.deliveryEmail}
      isRequired
      refusal={refusalText(model, model.permissions.changeOwn('address'))}
      save={save}
    />
  );
}

function Password(): ReactNode {
  const { model, connection } = useApp();
  const [before, setBefore] = useState('');
  const [after, setAfter] = useState('');
  const action = useAction();
  const minimum = model.organization.passwordRules.min_length;
  const isComplete = before !== '' && after.length >= minimum;
  const submit = async () => {
    if (!isComplete) return;
    const request = () => updateSettings(connection, { old_password: before, new_password: after });
    if (!(await action.run(request))) return;
    setBefore('');
    setAfter('');
    toasts.show({ text: t('The password was changed. Other sessions were ended.') });
  };
  return (
    <FormSection title={t('Password')}>
      <Form onSubmit={submit}>
        <TextField
          label={t('Current password')}
          type="password"
          autoComplete="current-password"
          value={before}
          onChange={setBefore}
        />
        <TextField
          label={t('New password')}
          type="password"
          autoComplete="new-password"
          description={t('At least {minimum} characters.', { minimum })}
          value={after}
          onChange={setAfter}
        />
        {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
        <FormActions>
          <Button type="submit" isDisabled={!isComplete} isPending={action.isPending}>
            {t('Change password')}
          </Button>
        </FormActions>
      </Form>
    </FormSection>
  );
}

function Deactivation(): ReactNode {
  const { connection } = useApp();
  const run = async () => {
    await deactivateOwnUser(connection);
    window.location.assign('/login/');
  };
  return (
    <FormSection title={t('Deactivate the account')}>
      <div>
        <ConfirmButton label={t('Deactivate my account')} title={t('Deactivate your account?')} kind="danger" run={run}>
          {t('You are logged out at once, and only an administrator can reactivate the account. Your messages stay.')}
        </ConfirmButton>
      </div>
    </FormSection>
  );
}
