import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatList } from '../../base/i18n-formats.ts';
import type { ShareRoute } from '../../base/routes.ts';
import { forgetShared, NOTHING_SHARED, readShared, type Shared } from '../../base/shared.ts';
import { useChanges } from '../../base/use-changes.ts';
import { composeStore } from '../../compose/compose-store.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { NewMessageIcon, ShareIcon } from '../../design/icons.ts';
import { ColumnHeader } from '../../frame/frame-header.tsx';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { placeName, routeOfPlace } from '../../shown/names.ts';
import { DirectMark } from '../../shown/user-mark.tsx';
import { permissionToWrite } from '../../shown/writing-refusals.ts';
import styles from './share.module.css';

/** How many of the newest conversations the view offers. */
const MAX_OFFERED_CONVERSATIONS = 12;

/** Another app shares a text or files. The user chooses a conversation, and sees both in the box for messages. */
export default function ShareView({ route }: { readonly route: ShareRoute }): ReactNode {
  const { model, navigation } = useApp();
  const { recent } = model.cache;
  useChanges(recent.changes);
  useChanges(model.permissions.changes);
  useEffect(() => void recent.load(), [recent]);
  const shared = useShared(route);
  const title = <ColumnHeader column="main" title={t('Share')} />;
  if (shared === undefined) return title;
  const isLost = route.what === 'files';
  if (shared.text === '' && shared.files.length === 0 && !isLost) {
    return (
      <>
        {title}
        <EmptyState icon={ShareIcon} title={t('Nothing to share')}>
          {t('Choose this app when you share something from another one.')}
        </EmptyState>
      </>
    );
  }
  const choose = (place: Place | undefined): void => {
    navigation.replace(place === undefined ? { view: 'inbox' } : routeOfPlace(model, place));
    composeStore.open({ place });
    // The conversation can have a draft already.
    if (shared.text !== '') composeStore.insert(shared.text);
    if (shared.files.length > 0) composeStore.addFiles(shared.files);
    if (!model.account.isSpectator) void forgetShared();
  };
  const offered = recent
    .list()
    .filter(({ place }) => permissionToWrite(model, place).allowed)
    .slice(0, MAX_OFFERED_CONVERSATIONS);
  return (
    <>
      {title}
      <div className={styles.page}>
        {isLost && (
          <Banner kind="warning">
            {t('The files did not reach the app. Choose a conversation, and attach them there.')}
          </Banner>
        )}
        {summaryOf(shared) !== '' && <p className={styles.shared}>{summaryOf(shared)}</p>}
        <h2>{t('Where do you want to share this?')}</h2>
        <ul className={styles.list} aria-label={t('Recent conversations')}>
          {offered.map(({ place }) => (
            <li key={keyOf(place)}>
              <button type="button" className={styles.choice} onClick={() => choose(place)}>
                {place.kind === 'topic' ? (
                  <ChannelMark channel={model.channels.get(place.channelId)} />
                ) : (
                  <DirectMark userIds={place.userIds} />
                )}
                <span className={styles.name}>{placeName(model, place)}</span>
              </button>
            </li>
          ))}
        </ul>
        <Button icon={NewMessageIcon} onPress={() => choose(undefined)}>
          {t('Another conversation')}
        </Button>
      </div>
    </>
  );
}

function summaryOf({ text, files }: Shared): string {
  const names = formatList(files.map(({ name }) => name));
  return [text, names].filter((part) => part !== '').join('\n');
}

/** Undefined until it is known what the worker keeps. */
function useShared({ what, text }: ShareRoute): Shared | undefined {
  const [kept, setKept] = useState<Shared>();
  useEffect(() => {
    let isMounted = true;
    void readShared()
      .catch(() => NOTHING_SHARED)
      .then((found) => isMounted && setKept(found));
    return () => {
      isMounted = false;
    };
  }, []);
  return what === 'kept' ? kept : { text, files: [] };
}
