import { getBotApiKey, regenerateBotApiKey } from '@heddle/client/calls/operations.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { DownloadIcon, KeyIcon } from '../../design/icons.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { download, zuliprc } from '../own/api-key.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';

interface BotKeyProps {
  readonly bot: UserRecord;
}

/** The key with which a program acts as the bot. It appears on request. */
export function BotKey({ bot }: BotKeyProps): ReactNode {
  const { model, connection } = useApp();
  const [fetched, setFetched] = useState<string>();
  const action = useAction();
  // The model hears of a new key, also if another administrator made it.
  const key = fetched === undefined ? undefined : (model.bots.all.get(bot.id)?.apiKey ?? fetched);
  const show = () =>
    void action.run(async () => setFetched((await getBotApiKey(connection, { bot_id: bot.id })).api_key));
  const renew = async () => setFetched((await regenerateBotApiKey(connection, { bot_id: bot.id })).api_key);
  return (
    <div className={styles.setting}>
      <div>{t('API key')}</div>
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      {key === undefined ? (
        <div>
          <Button size="small" icon={KeyIcon} onPress={show} isPending={action.isPending}>
            {t('Show the key')}
          </Button>
        </div>
      ) : (
        <>
          <code className={styles.code}>{key}</code>
          <div className={styles.draftActions}>
            <CopyButton label={t('Copy the key')} text={key} />
            <Button size="small" icon={DownloadIcon} onPress={() => download(zuliprc(bot.email, key))}>
              {t('Download zuliprc')}
            </Button>
            <ConfirmButton size="small" label={t('New key')} title={t('Replace the key?')} run={renew}>
              {t('Programs with the old key stop working.')}
            </ConfirmButton>
          </div>
        </>
      )}
    </div>
  );
}
