import { memo, type ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChangesOf } from '../../base/use-changes.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { BotIcon, DirectMessagesIcon } from '../../design/icons.ts';
import { userName } from '../../shown/names.ts';
import { StatusEmojiMark } from '../../shown/status-mark.tsx';
import { UserAvatar } from '../../shown/user-mark.tsx';
import { writeTo } from '../user-commands.ts';
import { isGuest } from '../user-texts.ts';
import styles from './sidebar.module.css';

/** A person of the list. It renders again when this person changes. */
export const PersonRow = memo(function PersonRow({ userId }: { readonly userId: number }): ReactNode {
  const app = useApp();
  const { model } = app;
  useChangesOf(model.users.changesOf, userId);
  const user = model.users.get(userId);
  const name = userName(model, userId);
  return (
    <div className={styles.person}>
      <UserAvatar userId={userId} size="s" hasPresence />
      <span className={styles.name} dir="auto">
        {userId === model.ownId ? t('{name} (you)', { name }) : name}
      </span>
      <StatusEmojiMark userId={userId} />
      {user !== undefined && isGuest(user) && <span className={styles.mark}>{t('Guest')}</span>}
      {user?.isBot && <BotIcon className={styles.icon} role="img" aria-label={t('Bot')} />}
      <span className={styles.write}>
        <IconButton
          icon={DirectMessagesIcon}
          label={t('Write to {name}', { name })}
          size="small"
          placement="left"
          excludeFromTabOrder
          onPress={() => writeTo(app, userId)}
        />
      </span>
    </div>
  );
});
