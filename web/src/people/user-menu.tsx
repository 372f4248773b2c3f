import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges } from '../base/use-changes.ts';
import {
  CopyIcon,
  EditIcon,
  InviteIcon,
  LinkIcon,
  LogOutIcon,
  MentionIcon,
  MuteIcon,
  NotifyIcon,
  SettingsIcon,
  TopicIcon,
} from '../design/icons.ts';
import { MenuItem, MenuSeparator, MoreMenu } from '../design/menu.tsx';
import { logOut } from './log-out.ts';
import { peopleStore } from './people-store.ts';
import { copy, copyProfileLink, listMessagesOf, mention, mute, unmute } from './user-commands.ts';
import { addressOf } from './user-texts.ts';

interface Props {
  readonly user: UserRecord;
  /** Closes the card after an action that leads elsewhere. */
  readonly onDone: () => void;
}

/** What else one can do about a user. */
export function UserMenu({ user, onDone }: Props): ReactNode {
  const app = useApp();
  const { model } = app;
  useChanges(model.mutedUsers.changes);
  const isOwn = user.id === model.ownId;
  const isMuted = model.mutedUsers.has(user.id);
  const address = addressOf(user);
  const act = (run: () => void) => () => {
    onDone();
    run();
  };
  return (
    <MoreMenu label={t('More about {name}', { name: user.name })}>
      {(user.isActive || model.account.isSpectator) && (
        <MenuItem icon={TopicIcon} onAction={act(() => listMessagesOf(app, user.id))}>
          {t('List messages')}
        </MenuItem>
      )}
      {!model.account.isSpectator && user.isActive && (
        <MenuItem icon={MentionIcon} onAction={act(() => mention(user))}>
          {t('Mention')}
        </MenuItem>
      )}
      <MenuItem icon={LinkIcon} onAction={act(() => void copyProfileLink(app, user.id))}>
        {t('Copy link to profile')}
      </MenuItem>
      {address !== undefined && (
        <MenuItem icon={CopyIcon} onAction={act(() => void copy(address, t('Address copied')))}>
          {t('Copy email address')}
        </MenuItem>
      )}
      {user.isActive && !user.isSystemBot && !model.account.isSpectator && (
        <MenuItem
          icon={InviteIcon}
          onAction={act(() => peopleStore.openDialog({ kind: 'add-to-channel', userId: user.id }))}
        >
          {t('Add to a channel')}
        </MenuItem>
      )}
      {isOwn ? ownItems() : othersItems()}
    </MoreMenu>
  );

  function ownItems(): ReactNode {
    return (
      <>
        <MenuSeparator />
        <MenuItem icon={EditIcon} onAction={act(() => app.navigation.go({ view: 'settings', section: 'profile' }))}>
          {t('Edit profile')}
        </MenuItem>
        <MenuItem icon={LogOutIcon} onAction={act(() => void logOut(app))}>
          {t('Log out')}
        </MenuItem>
      </>
    );
  }

  function othersItems(): ReactNode {
    return (
      <>
        {!model.account.isSpectator && (
          <MenuItem
            icon={isMuted ? NotifyIcon : MuteIcon}
            onAction={act(() => void (isMuted ? unmute(app, user) : mute(app, user)))}
          >
            {isMuted ? t('Unmute') : t('Mute')}
          </MenuItem>
        )}
        {model.permissions.manageUser(user).allowed && !user.isSystemBot && (
          <MenuItem
            icon={SettingsIcon}
            onAction={act(() =>
              app.navigation.go({ view: 'organization', section: user.isBot ? 'bots' : 'users', tab: String(user.id) }),
            )}
          >
            {user.isBot ? t('Manage this bot') : t('Manage this person')}
          </MenuItem>
        )}
      </>
    );
  }
}
