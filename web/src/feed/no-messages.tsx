import { isApiError } from '@heddle/client/calls/errors.ts';
import { isContradictory } from '@heddle/client/model/messages/contradictory.ts';
import type { Anchor } from '@heddle/client/model/messages/message-pages.ts';
import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import { channelOfNarrow, conditionsOf, type Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { ErrorIcon, PrivateIcon } from '../design/icons.ts';
import { NoResults } from '../search/no-results.tsx';
import { openSearch } from '../search/search-store.ts';
import { LoginLink } from '../shown/login-link.tsx';
import { problemText, serverTextChanges } from '../shown/problem-text.ts';

interface NoMessagesProps {
  readonly window: MessageWindow;
  readonly narrow: Narrow;
  /** Where the list opens. */
  readonly anchor: Anchor;
}

/** Why a list has no messages: they could not be loaded, the user may not read them, or there are none. */
export default function NoMessages({ window, narrow, anchor }: NoMessagesProps): ReactNode {
  const model = useModel();
  const channelId = channelOfNarrow(narrow);
  useChangesOf(model.channels.changesOf, channelId ?? 0);
  useChanges(serverTextChanges);
  const isHidden = channelId !== undefined && !isReadable(model, channelId);
  // The server refuses spectators what may exist for members.
  const isRefused = window.state === 'failed' && isApiError(window.error);
  if (model.account.isSpectator && (isHidden || isRefused)) {
    return (
      <EmptyState icon={PrivateIcon} title={t('Log in to read this')} action={<LoginLink>{t('Log in')}</LoginLink>}>
        {t('Only some channels can be read without an account.')}
      </EmptyState>
    );
  }
  if (isHidden) {
    return (
      <EmptyState icon={PrivateIcon} title={t('You cannot read this channel')}>
        {t('It does not exist, or it is private. Somebody who can see it has to add you.')}
      </EmptyState>
    );
  }
  if (window.state === 'failed' && !isContradictory(narrow)) {
    if (isApiError(window.error, 'BAD_NARROW')) return <BadSearch narrow={narrow} error={window.error} />;
    return (
      <EmptyState
        icon={ErrorIcon}
        title={t('These messages cannot be shown')}
        action={<Button onPress={() => void window.open(anchor)}>{t('Try again')}</Button>}
      >
        {problemText(window.error)}
      </EmptyState>
    );
  }
  return <NoResults narrow={narrow} />;
}

/** A link or an older version of the app asks for what the server does not know. To try it again changes nothing. */
function BadSearch({ narrow, error }: { readonly narrow: Narrow; readonly error: unknown }): ReactNode {
  return (
    <EmptyState
      icon={ErrorIcon}
      title={t('These messages cannot be shown')}
      action={<Button onPress={() => openSearch(conditionsOf(narrow))}>{t('Change the search')}</Button>}
    >
      {problemText(error)}
    </EmptyState>
  );
}

function isReadable({ channels, permissions }: Model, channelId: number): boolean {
  const channel = channels.get(channelId);
  return channel !== undefined && permissions.channels.contentAccess(channel) !== 'none';
}
