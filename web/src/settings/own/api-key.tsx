import { fetchApiKey, regenerateApiKey } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Form, FormSection } from '../../design/form.tsx';
import { DownloadIcon } from '../../design/icons.ts';
import { TextField } from '../../design/text-field.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';

/** The key for programs that act as the user. It is shown after the password. */
export function ApiKey(): ReactNode {
  const { model, connection } = useApp();
  const { deliveryEmail, email } = model.account;
  const [password, setPassword] = useState('');
  const [key, setKey] = useState<string>();
  const action = useAction();
  const show = () =>
    void action.run(async () => {
      setKey((await fetchApiKey(connection, { username: deliveryEmail, password })).api_key);
      setPassword('');
    });
  const renew = async () => setKey((await regenerateApiKey(connection)).api_key);
  return (
    <FormSection title={t('API key')} description={t('With this key, a program can act as you. Keep it secret.')}>
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      {key === undefined ? (
        <Form onSubmit={show}>
          <div className={styles.bar}>
            <TextField
              label={t('Password')}
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={setPassword}
            />
            <Button type="submit" isDisabled={password === ''} isPending={action.isPending}>
              {t('Show the key')}
            </Button>
          </div>
        </Form>
      ) : (
        <>
          <code className={styles.code}>{key}</code>
          <div className={styles.draftActions}>
            <Button icon={DownloadIcon} onPress={() => download(zuliprc(email, key))}>
              {t('Download zuliprc')}
            </Button>
            <ConfirmButton label={t('New key')} title={t('Replace the key?')} run={renew}>
              {t('Programs with the old key stop working.')}
            </ConfirmButton>
          </div>
        </>
      )}
    </FormSection>
  );
}

/** The file that programs read. */
export function zuliprc(email: string, key: string): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${window.location.origin}\n`;
}

export function download(content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'zuliprc';
  link.click();
  URL.revokeObjectURL(url);
}
