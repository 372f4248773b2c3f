import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import { BOT_TYPES } from '@heddle/client/model/permissions/permissions.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useEntryState, useListPlace } from '../../base/list-place.ts';
import { matcherOf } from '../../base/text-filter.ts';
import { useChanges } from '../../base/use-changes.ts';
import { useDerived } from '../../base/use-derived.ts';
import { Button } from '../../design/button.tsx';
import { classes } from '../../design/classes.ts';
import { AddIcon } from '../../design/icons.ts';
import { SearchField } from '../../design/search-field.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { VirtualList } from '../../design/virtual-list.tsx';
import { PersonLink } from '../../people/person-link.tsx';
import { userName } from '../../shown/names.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { refusalText } from '../reasons.ts';
import styles from '../settings.module.css';
import { BotDialog } from './bot-dialog.tsx';
import { botTypeName } from './bot-texts.ts';
import { CreateBot } from './create-bot.tsx';

/** The height of a row in pixels. */
const ROW_HEIGHT_PIXELS = 56;

interface BotsPageProps {
  readonly scope: 'own' | 'all';
  /** The bot whose dialog is open at first. */
  readonly shownId?: number | undefined;
}

/** Bots of the user, or of the organization. Creates and manages them. */
export function BotsPage({ scope, shownId }: BotsPageProps): ReactNode {
  const { model } = useApp();
  const place = useListPlace('bots');
  const [text, setText] = useEntryState('text', '');
  const [isActive, setActive] = useEntryState('active', true);
  const [managedId, setManagedId] = useState(shownId);
  const [isCreating, setCreating] = useState(false);
  useChanges(model.permissions.changes);
  const bots = useDerived([model.users.changes], () => {
    const matches = matcherOf(text);
    const isListed = (bot: UserRecord) =>
      bot.isBot &&
      !bot.isSystemBot &&
      bot.isActive === isActive &&
      (scope === 'all' || bot.botOwnerId === model.ownId) &&
      matches(bot.name);
    const collator = new Intl.Collator();
    return [...model.users.all.values()].filter(isListed).sort((a, b) => collator.compare(a.name, b.name));
  }, [model, scope, isActive, text]);
  const canCreate = Object.values(BOT_TYPES).some((type) => model.permissions.createBot(type).allowed);
  return (
    <>
      <div className={styles.bar}>
        <SearchField label={t('Filter bots')} value={text} onChange={setText} />
        <Segmented
          label={t('Which bots')}
          options={[
            { key: 'active', label: t('Active') },
            { key: 'deactivated', label: t('Deactivated') },
          ]}
          value={isActive ? 'active' : 'deactivated'}
          onChange={(key) => setActive(key === 'active')}
        />
        <Button icon={AddIcon} kind="primary" isDisabled={!canCreate} onPress={() => setCreating(true)}>
          {t('Create a bot')}
        </Button>
      </div>
      {!canCreate && (
        <p className={styles.quiet}>{refusalText(model, model.permissions.createBot(BOT_TYPES.incomingWebhook))}</p>
      )}
      {scope === 'own' && (
        <p className={styles.quiet}>
          <RouteLink to={{ view: 'settings', section: 'integrations' }}>{t('All integrations')}</RouteLink>
        </p>
      )}
      <VirtualList
        place={place}
        className={styles.tallRows ?? ''}
        label={scope === 'own' ? t('Your bots') : t('Bots')}
        kind="grid"
        count={bots.length}
        keyOf={(index) => bots[index]?.id ?? index}
        rowHeight={ROW_HEIGHT_PIXELS}
        renderRow={({ index }) => <Row bot={bots[index]} hasOwner={scope === 'all'} onManage={setManagedId} />}
        empty={<p className={styles.quiet}>{emptyText(isActive, text)}</p>}
      />
      {isCreating && (
        <CreateBot
          onClose={() => setCreating(false)}
          onCreated={(botId) => {
            setCreating(false);
            setManagedId(botId);
          }}
        />
      )}
      {managedId !== undefined && <BotDialog botId={managedId} onClose={() => setManagedId(undefined)} />}
    </>
  );
}

function emptyText(isActive: boolean, text: string): string {
  if (text !== '') return t('No bot has this name.');
  return isActive ? t('There are no bots yet.') : t('No bot is deactivated.');
}

interface RowProps {
  readonly bot: UserRecord | undefined;
  readonly hasOwner: boolean;
  readonly onManage: (botId: number) => void;
}

function Row({ bot, hasOwner, onManage }: RowProps): ReactNode {
  const { model } = useApp();
  if (bot === undefined) return null;
  const owner = hasOwner && bot.botOwnerId !== null && t('of {name}', { name: userName(model, bot.botOwnerId) });
  return (
    <div className={styles.row}>
      <div className={styles.rowTexts}>
        <PersonLink userId={bot.id} />
        <div className={classes(styles.quiet, styles.underName)}>
          {[botTypeName(bot.botType), owner, bot.email].filter(Boolean).join(' · ')}
        </div>
      </div>
      {model.permissions.manageBot(bot).allowed && (
        <Button
          size="small"
          kind="quiet"
          aria-label={t('Manage {name}', { name: bot.name })}
          onPress={() => onManage(bot.id)}
        >
          {t('Manage')}
        </Button>
      )}
    </div>
  );
}
