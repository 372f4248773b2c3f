import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { organizationChanges, otherOrganizations } from '../base/organizations.ts';
import type { Route } from '../base/routes.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import {
  AddIcon,
  ChannelIcon,
  ChevronUpIcon,
  EmojiIcon,
  GroupIcon,
  InviteIcon,
  LogOutIcon,
  MuteIcon,
  OrganizationIcon,
  ProfileIcon,
  SettingsIcon,
} from '../design/icons.ts';
import { MenuButton, MenuItem, MenuSeparator } from '../design/menu.tsx';
import { VisuallyHidden } from '../design/visually-hidden.tsx';
import { LoginLink } from '../shown/login-link.tsx';
import { userName } from '../shown/names.ts';
import { StatusEmojiMark } from '../shown/status-mark.tsx';
import { UserAvatar } from '../shown/user-mark.tsx';
import { logOut } from './log-out.ts';
import styles from './own-account.module.css';
import { openQuietDialog, openStatusDialog } from './people-store.ts';
import { endText, quietStore } from './quiet-store.ts';

/** The own account at the end of the conversations, with the menu of everything that is about oneself or the organization. */
export function OwnAccount(): ReactNode {
  const app = useApp();
  const { model } = app;
  useChangesOf(model.users.changesOf, model.ownId);
  useChanges(model.permissions.changes);
  useChanges(quietStore.changes);
  useChanges(organizationChanges);
  if (model.account.isSpectator) {
    return (
      <p className={styles.bar}>
        <LoginLink className={styles.button}>{t('Log in')}</LoginLink>
      </p>
    );
  }
  const name = userName(model, model.ownId);
  const go = (route: Route) => () => app.navigation.go(route);
  const canInvite = model.permissions.invite('mail').allowed || model.permissions.invite('link').allowed;
  const { until } = quietStore;
  const trigger = (
    <AriaButton className={styles.button ?? ''}>
      <UserAvatar userId={model.ownId} size="s" hasPresence />
      <VisuallyHidden>{t('Your account: {name}', { name })}</VisuallyHidden>
      <span className={styles.name} dir="auto" aria-hidden="true">
        {name}
      </span>
      <StatusEmojiMark userId={model.ownId} />
      {until !== null && <MuteIcon className={styles.mark} role="img" aria-label={t('Notifications paused')} />}
      <ChevronUpIcon className={styles.chevron} aria-hidden="true" />
    </AriaButton>
  );
  return (
    <div className={styles.bar}>
      <MenuButton label={t('Your account')} trigger={trigger} placement="top start">
        <MenuItem icon={EmojiIcon} onAction={openStatusDialog}>
          {t('Set a status')}
        </MenuItem>
        {model.account.quietHours !== undefined && (
          <MenuItem
            icon={MuteIcon}
            onAction={openQuietDialog}
            {...(until !== null && { detail: t('Until {time}', { time: endText(until) }) })}
          >
            {until === null ? t('Pause notifications') : t('Notifications paused')}
          </MenuItem>
        )}
        <MenuItem icon={ProfileIcon} onAction={go({ view: 'user', userId: model.ownId })}>
          {t('Your profile')}
        </MenuItem>
        <MenuItem icon={SettingsIcon} onAction={go({ view: 'settings', section: '' })}>
          {t('Settings')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={ChannelIcon} onAction={go({ view: 'channels', tab: 'available' })}>
          {t('Browse channels')}
        </MenuItem>
        <MenuItem icon={OrganizationIcon} onAction={go({ view: 'organization', section: '' })}>
          {t('Organization')}
        </MenuItem>
        <MenuItem icon={GroupIcon} onAction={go({ view: 'groups', tab: 'your' })}>
          {t('User groups')}
        </MenuItem>
        {canInvite && (
          <MenuItem icon={InviteIcon} onAction={go({ view: 'invite' })}>
            {t('Invite people')}
          </MenuItem>
        )}
        <MenuSeparator />
        {otherOrganizations(model.ownId).map(({ name: other, url }) => (
          <MenuItem key={url} href={url} icon={OrganizationIcon} detail={url}>
            {other}
          </MenuItem>
        ))}
        <MenuItem icon={AddIcon} onAction={go({ view: 'settings', section: 'organizations' })}>
          {t('Your organizations')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={LogOutIcon} onAction={() => void logOut(app)}>
          {t('Log out')}
        </MenuItem>
      </MenuButton>
    </div>
  );
}
