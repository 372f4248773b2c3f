import { directPlace, type Place, topicPlace } from '@heddle/client/model/messages/places.ts';
import type { DraftTarget } from '@heddle/client/model/own/drafts.ts';
import type { ReactNode } from 'react';
import { type App, useApp, useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatShort } from '../../base/i18n-formats.ts';
import { toasts } from '../../base/toasts.ts';
import { useChanges } from '../../base/use-changes.ts';
import { useMinute } from '../../base/use-minute.ts';
import { composeStore } from '../../compose/compose-store.ts';
import { useDrafts } from '../../compose/drafts/drafts.ts';
import type { DraftEntry } from '../../compose/drafts/drafts-sync.ts';
import { Button } from '../../design/button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { DeleteIcon, DraftIcon, EditIcon } from '../../design/icons.ts';
import { ColumnHeader } from '../../frame/frame-header.tsx';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { channelName, routeOfChannel, routeOfPlace } from '../../shown/names.ts';
import { Entry, PlaceTitle } from './entry.tsx';
import styles from './lists.module.css';

/** The messages that the user began and did not send. */
export function DraftsView(): ReactNode {
  const drafts = useDrafts();
  useChanges(drafts.changes);
  const entries = drafts.list();
  return (
    <>
      <ColumnHeader
        column="main"
        leading={<DraftIcon aria-hidden="true" className={styles.icon} />}
        title={t('Drafts')}
      />
      {entries.length === 0 ? (
        <EmptyState icon={DraftIcon} title={t('No drafts')}>
          {t('What you write is kept here until you send it.')}
        </EmptyState>
      ) : (
        <ul className={styles.list} aria-label={t('Drafts')}>
          {entries.map((entry) => (
            <Draft key={entry.localId ?? `server ${entry.serverId}`} entry={entry} />
          ))}
        </ul>
      )}
    </>
  );
}

function Draft({ entry }: { entry: DraftEntry }): ReactNode {
  const app = useApp();
  const drafts = useDrafts();
  const edited = new Date(entry.editedAt);
  const remove = () => {
    const restore = drafts.discardEntry(entry);
    toasts.show({ text: t('The draft was deleted.'), action: { label: t('Undo'), run: restore } });
  };
  return (
    <Entry
      title={<TargetTitle target={entry.target} />}
      time={<time dateTime={edited.toISOString()}>{formatShort(edited, new Date(useMinute()))}</time>}
      actions={
        <>
          <Button size="small" icon={EditIcon} onPress={() => openDraft(app, entry)}>
            {t('Continue')}
          </Button>
          <IconButton icon={DeleteIcon} label={t('Delete')} size="small" onPress={remove} />
        </>
      }
    >
      <p className={styles.source}>{entry.content}</p>
    </Entry>
  );
}

/** The conversation of the draft, if the user has chosen one completely. */
function placeOf(target: DraftTarget, ownId: number): Place | undefined {
  if (target.kind === 'direct' && target.userIds.length > 0) return directPlace(target.userIds, ownId);
  return target.kind === 'channel' && target.topic !== '' ? topicPlace(target.channelId, target.topic) : undefined;
}

function TargetTitle({ target }: { target: DraftTarget }): ReactNode {
  const model = useModel();
  useChanges(model.channels.orderChanges);
  const place = placeOf(target, model.ownId);
  if (place !== undefined) return <PlaceTitle place={place} />;
  if (target.kind !== 'channel') return <span className={styles.name}>{t('No recipient yet')}</span>;
  return (
    <>
      <ChannelMark channel={model.channels.get(target.channelId)} />
      <span className={styles.name}>{channelName(model, target.channelId)}</span>
    </>
  );
}

/** Opens the draft where it belongs, so that the user sees the conversation. */
function openDraft({ model, navigation }: App, { localId, serverId, target, content }: DraftEntry): void {
  const place = placeOf(target, model.ownId);
  const ids = {
    ...(localId !== undefined && { localDraftId: localId }),
    ...(serverId !== undefined && { draftId: serverId }),
  };
  if (place !== undefined) navigation.go(routeOfPlace(model, place));
  else if (target.kind === 'channel') navigation.go(routeOfChannel(target.channelId));
  const chosen = target.kind === 'channel' ? { channelId: target.channelId } : {};
  const kind = target.kind === 'direct' ? 'direct' : 'topic';
  composeStore.open({ place, content, ...ids, ...(place === undefined && { kind, ...chosen }) });
}
