import { channelOfNarrow, type Narrow } from '@heddle/client/model/messages/narrow.ts';
import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useShortcut } from '../base/keyboard-react.tsx';
import { useChanges } from '../base/use-changes.ts';
import { Button } from '../design/button.tsx';
import { DirectMessagesIcon, NewMessageIcon } from '../design/icons.ts';
import { LoginLink } from '../shown/login-link.tsx';
import { ComposeBox } from './box/compose-box.tsx';
import styles from './compose.module.css';
import { type ComposeRequest, composeStore } from './compose-store.ts';
import { useDrafts } from './drafts/drafts.ts';
import { ComposeSession } from './drafts/session.ts';
import { composeShortcuts } from './shortcuts.ts';
import type { ComposeTarget } from './target/target.ts';
import { withoutStalePlaceholders } from './uploads/uploads.ts';
import { uploadsOf } from './uploads/use-uploads.ts';

export interface ComposeProps {
  /** The open conversation. Undefined in views with messages of several. */
  readonly place: Place | undefined;
  /** What the feed shows. Its channel is the default of the picker. */
  readonly narrow?: Narrow;
  /** Whether a closed box shows buttons that open it. Keys and other parts of the app open it anyway. */
  readonly isInviting?: boolean;
}

/** Where the user writes. In a conversation it is open. Elsewhere it opens by buttons, keys and other parts of the app. */
export function Compose({ place, narrow, isInviting = true }: ComposeProps): ReactNode {
  const { model } = useApp();
  useChanges(composeStore.changes);
  const channelId = narrow === undefined ? undefined : channelOfNarrow(narrow);
  useShortcut(composeShortcuts.newTopic, () => composeStore.open(newMessage('topic', channelId)));
  useShortcut(composeShortcuts.newDirect, () => composeStore.open(newMessage('direct', undefined)));
  useLeaving(place);
  const { request } = composeStore;
  const isHere = place !== undefined && (request === undefined || (request.place && composeStore.isAt(place)));
  if (model.account.isSpectator) return isInviting ? <SpectatorNotice /> : null;
  if (isHere) return <Session key="docked" id={keyOf(place)} request={request ?? { place }} isDocked />;
  if (request === undefined) return isInviting ? <ClosedBar channelId={channelId} /> : null;
  const id = `request ${composeStore.opened}`;
  return <Session key={id} id={id} request={request} isDocked={false} shownChannelId={channelId} />;
}

function newMessage(kind: 'topic' | 'direct', channelId: number | undefined): ComposeRequest {
  return { place: undefined, kind, ...(channelId !== undefined && { channelId }) };
}

/** Going to another conversation closes a box that was opened for somewhere else. Its text stays a draft. */
function useLeaving(place: Place | undefined): void {
  const key = place === undefined ? undefined : keyOf(place);
  const previous = useRef(key);
  useEffect(() => {
    if (previous.current === key) return;
    previous.current = key;
    const wanted = composeStore.request?.place;
    if (wanted === undefined || keyOf(wanted) !== key) composeStore.close();
  }, [key]);
}

interface SessionProps {
  /** Another id is another session. The box of an open conversation keeps its buttons then, because many take long to make. */
  readonly id: string;
  readonly request: ComposeRequest;
  /** Whether it belongs to the open conversation, so that it has no picker and cannot be closed. */
  readonly isDocked: boolean;
  /** The channel of the feed. */
  readonly shownChannelId?: number | undefined;
}

interface CurrentSession {
  readonly id: string;
  readonly session: ComposeSession;
  /** The last request that the session knows, as `composeStore` counts them. */
  readonly handled: number;
}

function Session({ id, request, isDocked, shownChannelId }: SessionProps): ReactNode {
  const app = useApp();
  const drafts = useDrafts();
  const current = useRef<CurrentSession>(undefined);
  if (current.current?.id !== id) {
    const clean = (text: string): string => withoutStalePlaceholders(text, uploadsOf(app));
    const next = new ComposeSession({ drafts, ownId: app.model.ownId, clean }, request, fallbackOf(request));
    current.current = { id, session: next, handled: composeStore.opened };
  }
  const { session } = current.current;
  useEffect(() => {
    // A later request for the same conversation brings a text of its own, or only wants the focus.
    if (current.current?.handled === composeStore.opened) return;
    current.current = { id, session, handled: composeStore.opened };
    const { content, draftId, localDraftId } = request;
    if (content !== undefined || draftId !== undefined || localDraftId !== undefined) session.replaceText(request);
  });
  useEffect(() => {
    if (request.isOffered && request.channelId !== shownChannelId && session.text.isEmpty) composeStore.close();
  }, [request, shownChannelId, session]);
  useEffect(() => session.start(), [session]);
  useEffect(() => composeStore.taken(request));
  return <ComposeBox id={id} session={session} isDocked={isDocked} />;
}

function fallbackOf({ kind, channelId }: ComposeRequest): ComposeTarget {
  return kind === 'direct' ? { kind, userIds: [] } : { kind: 'topic', channelId, topic: '' };
}

function ClosedBar({ channelId }: { readonly channelId: number | undefined }): ReactNode {
  const { model } = useApp();
  const channel = channelId === undefined ? undefined : model.channels.get(channelId);
  return (
    <section className={styles.closed} aria-label={t('Compose')}>
      <Button
        icon={NewMessageIcon}
        shortcut={composeShortcuts.newTopic}
        onPress={() => composeStore.open(newMessage('topic', channelId))}
      >
        {channel === undefined ? (
          t('New message')
        ) : (
          <>
            <span className={styles.wideOnly}>{t('New topic in #{channel}', { channel: channel.name })}</span>
            <span className={styles.phoneOnly}>{t('New topic')}</span>
          </>
        )}
      </Button>
      <Button
        kind="quiet"
        icon={DirectMessagesIcon}
        shortcut={composeShortcuts.newDirect}
        onPress={() => composeStore.open(newMessage('direct', undefined))}
      >
        {t('Direct message')}
      </Button>
    </section>
  );
}

function SpectatorNotice(): ReactNode {
  return (
    <section className={styles.closed} aria-label={t('Compose')}>
      <p className={styles.notice}>{t('You are reading without an account.')}</p>
      <LoginLink>{t('Log in to write messages')}</LoginLink>
    </section>
  );
}
