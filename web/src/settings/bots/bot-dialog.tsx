import { deactivateBot, reactivateUser, updateBot } from '@heddle/client/calls/operations.ts';
import type { Role } from '@heddle/client/calls/types.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import { BOT_TYPES } from '@heddle/client/model/permissions/permissions.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { Dialog } from '../../design/dialog.tsx';
import { userName } from '../../shown/names.ts';
import { pictureOf } from '../../shown/picture.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { SelectSetting, TextSetting } from '../controls.tsx';
import { CopyButton } from '../copy-button.tsx';
import { ImageSetting } from '../image-setting.tsx';
import { ROLE_NAMES } from '../invite/roles.ts';
import { refusalText } from '../reasons.ts';
import styles from '../settings.module.css';
import { BotKey } from './bot-key.tsx';
import { BotOwner } from './bot-owner.tsx';
import { botTypeName, formatOptions } from './bot-texts.ts';

interface BotDialogProps {
  readonly botId: number;
  readonly onClose: () => void;
}

/** Everything that the owner of a bot or an administrator can change about it. */
export function BotDialog({ botId, onClose }: BotDialogProps): ReactNode {
  const { model, connection } = useApp();
  useChangesOf(model.users.changesOf, botId);
  useChanges(model.bots.changes);
  useChanges(model.permissions.changes);
  const bot = model.users.get(botId);
  if (bot === undefined) return null;
  const refusal = refusalText(model, model.permissions.manageBot(bot));
  return (
    <Dialog title={bot.name} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <p className={styles.quiet}>
        {botTypeName(bot.botType)} · {bot.email}
      </p>
      {refusal !== undefined && <p className={styles.quiet}>{refusal}</p>}
      <TextSetting
        label={t('Name')}
        value={bot.name}
        isRequired
        refusal={refusal}
        save={(full_name) => updateBot(connection, { bot_id: botId, full_name })}
      />
      <ImageSetting
        label={t('Picture')}
        name={bot.name}
        id={botId}
        src={pictureOf(bot)}
        refusal={refusal}
        upload={(file) => updateBot(connection, { bot_id: botId, file })}
      />
      {refusal === undefined && <Management bot={bot} />}
    </Dialog>
  );
}

function Management({ bot }: { readonly bot: UserRecord }): ReactNode {
  const { model, connection } = useApp();
  const { name } = bot;
  const isAdministrator = model.account.isAdministrator;
  if (!bot.isActive) {
    return (
      <div className={styles.bar}>
        <ConfirmButton
          label={t('Reactivate')}
          title={t('Reactivate {name}?', { name })}
          isDanger={false}
          run={() => reactivateUser(connection, { user_id: bot.id })}
        >
          {t('Programs can act as the bot again. If its owner is deactivated, you become the owner.')}
        </ConfirmButton>
      </div>
    );
  }
  return (
    <>
      <BotOwner bot={bot} />
      {isAdministrator && <BotRole bot={bot} />}
      <Service bot={bot} />
      <BotKey bot={bot} />
      <div className={styles.bar}>
        <ConfirmButton
          label={t('Deactivate')}
          title={t('Deactivate {name}?', { name })}
          kind="danger"
          run={() => deactivateBot(connection, { bot_id: bot.id })}
        >
          {t('Its key stops working at once. Its messages stay, and you can reactivate it.')}
        </ConfirmButton>
      </div>
    </>
  );
}

function BotRole({ bot }: { readonly bot: UserRecord }): ReactNode {
  const { model, connection } = useApp();
  const roles = ROLE_NAMES.filter(([role]) => role === bot.role || model.permissions.giveRole(bot, role).allowed);
  return (
    <SelectSetting
      label={t('Role')}
      value={String(bot.role)}
      options={roles.map(([role, label]) => ({ key: String(role), label: t(label) }))}
      save={(key) => updateBot(connection, { bot_id: bot.id, role: Number(key) as Role })}
    />
  );
}

/** Where the server sends the messages to an outgoing webhook bot. */
function Service({ bot }: { readonly bot: UserRecord }): ReactNode {
  const { model, connection } = useApp();
  const service = model.bots.all.get(bot.id)?.services[0];
  if (bot.botType !== BOT_TYPES.outgoingWebhook || service === undefined) return null;
  return (
    <>
      <TextSetting
        label={t('URL of the service')}
        type="url"
        value={service.base_url}
        isRequired
        save={(service_payload_url) => updateBot(connection, { bot_id: bot.id, service_payload_url })}
      />
      <SelectSetting
        label={t('Format')}
        value={String(service.interface)}
        options={formatOptions()}
        save={(key) => updateBot(connection, { bot_id: bot.id, service_interface: Number(key) })}
      />
      <div className={styles.setting}>
        <div>{t('Token of the service')}</div>
        <code className={styles.code}>{service.token}</code>
        <span className={styles.quiet}>
          {t('Each request contains it, so that the service knows that {name} sent it.', {
            name: userName(model, bot.id),
          })}
        </span>
        <div>
          <CopyButton label={t('Copy the token')} text={service.token} />
        </div>
      </div>
    </>
  );
}
