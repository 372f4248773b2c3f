import { updateBot } from '@heddle/client/calls/operations.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { Button } from '../../design/button.tsx';
import { ComboBox } from '../../design/combo-box.tsx';
import { userName } from '../../shown/names.ts';
import { UserAvatar } from '../../shown/user-mark.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import styles from '../settings.module.css';

/** How many people the list shows. */
const MAX_PEOPLE = 30;

/** Who manages the bot. The owner and administrators can give it to somebody else. */
export function BotOwner({ bot }: { readonly bot: UserRecord }): ReactNode {
  const { model, connection } = useApp();
  const [chosenId, setChosenId] = useState<number>();
  const option = (id: number) => ({
    key: String(id),
    label: userName(model, id),
    icon: <UserAvatar userId={id} size="xs" />,
  });
  const shownId = chosenId ?? bot.botOwnerId;
  const accepts = (user: UserRecord) => user.isActive && !user.isBot;
  const hasChanged = chosenId !== undefined && chosenId !== bot.botOwnerId;
  const save = async () => {
    await updateBot(connection, { bot_id: bot.id, bot_owner_id: Number(chosenId) });
    setChosenId(undefined);
  };
  return (
    <div className={styles.setting}>
      <ComboBox
        label={t('Owner')}
        value={shownId === null ? null : option(shownId)}
        onChange={(key) => setChosenId(key === null ? undefined : Number(key))}
        search={(text) => model.users.search(text, { limit: MAX_PEOPLE, accepts }).map(({ id }) => option(id))}
        emptyText={t('Nobody has this name.')}
      />
      {hasChanged && (
        <div className={styles.draftActions}>
          <Button size="small" onPress={() => setChosenId(undefined)}>
            {t('Cancel')}
          </Button>
          <ConfirmButton
            size="small"
            kind="primary"
            label={t('Change the owner')}
            title={t('Give {name} to {owner}?', { name: bot.name, owner: userName(model, Number(chosenId)) })}
            isDanger={false}
            run={save}
          >
            {t('The bot gets a new API key, and programs with the old key stop working.')}
          </ConfirmButton>
        </div>
      )}
    </div>
  );
}
