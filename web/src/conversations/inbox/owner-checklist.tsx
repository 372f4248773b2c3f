import { getImport, getInvites, getSessions, markOnboardingStepAsRead } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useId } from 'react';
import { useApp } from '../../base/app.tsx';
import { start } from '../../base/early.ts';
import { t } from '../../base/i18n.ts';
import type { Route } from '../../base/routes.ts';
import { toasts } from '../../base/toasts.ts';
import { useChanges } from '../../base/use-changes.ts';
import { useResponse } from '../../base/use-response.ts';
import { Button } from '../../design/button.tsx';
import { ResolvedIcon } from '../../design/icons.ts';
import { VisuallyHidden } from '../../design/visually-hidden.tsx';
import { isLocalHost } from '../../shown/local-host.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { CHECKLIST_STEP } from './checklist-step.ts';
import styles from './owner-checklist.module.css';

interface Item {
  readonly key: string;
  readonly label: string;
  readonly about: string;
  /** Where the owner does it. Undefined if it happens elsewhere. */
  readonly to?: Route;
  /** Undefined until the server has responded. */
  readonly isDone: boolean | undefined;
}

const PHONE_SYSTEMS = ['Android', 'iOS'];

/** What the owner of a new organization does first. Each step ticks itself. */
export function OwnerChecklist(): ReactNode {
  const { model, connection } = useApp();
  const titleId = useId();
  const items = useItems();
  const done = items.filter(({ isDone }) => isDone).length;
  const dismiss = async () => {
    try {
      await markOnboardingStepAsRead(connection, { onboarding_step: CHECKLIST_STEP });
    } catch {
      toasts.show({ text: t('The first steps cannot be hidden now. Try again.'), kind: 'error' });
    }
  };
  return (
    <section className={styles.checklist} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {t('First steps for {organization}', { organization: model.organization.settings.name })}
        </h2>
        <span className={styles.count} role="status">
          {t('{done} of {all} done', { done, all: items.length })}
        </span>
        <Button size="small" kind="quiet" onPress={() => void dismiss()}>
          {t('Hide the first steps')}
        </Button>
      </div>
      <ul className={styles.items}>
        {items.map(({ key, label, about, to, isDone }) => (
          <li key={key} className={styles.item} data-done={isDone ?? false}>
            {isDone ? (
              <ResolvedIcon aria-hidden="true" className={styles.done} />
            ) : (
              <span className={styles.open} aria-hidden="true" />
            )}
            <div>
              {to === undefined ? <span>{label}</span> : <RouteLink to={to}>{label}</RouteLink>}
              {isDone && <VisuallyHidden> {t('Done')}</VisuallyHidden>}
              {!isDone && <div className={styles.about}>{about}</div>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function useItems(): readonly Item[] {
  const { model, connection } = useApp();
  const { organization, channels, users, ownId } = model;
  useChanges(organization.changes);
  useChanges(channels.orderChanges);
  useChanges(users.changes);
  const others = [...users.all.values()].filter(({ isBot, isActive, id }) => !isBot && isActive && id !== ownId).length;
  // The responses can differ when a person has joined.
  const { value } = useResponse(others, async () => {
    const [offer, invited, used] = await Promise.allSettled([
      getImport(connection),
      getInvites(connection),
      getSessions(connection),
    ]);
    // A step whose request has failed is open.
    return {
      offer: responseOf(offer),
      hasInvited: (responseOf(invited)?.invites ?? []).length > 0,
      hasPhone: (responseOf(used)?.sessions ?? []).some(isOnPhone),
    };
  });
  const offer = value?.offer;
  const canImport = offer !== undefined && (offer.refusal === null || offer.import !== null);
  return [
    {
      key: 'picture',
      label: t('Add a picture'),
      about: t('People see it when they log in or join.'),
      to: { view: 'organization', section: 'organization-profile' },
      isDone: organization.settings.icon_source === 'U',
    },
    {
      key: 'channel',
      label: t('Create your first channel'),
      about: t('One for each team or project.'),
      to: { view: 'channels', tab: 'new' },
      // The channels of a new organization have no creator.
      isDone: [...channels.all.values()].some(({ creatorId }) => creatorId !== null),
    },
    {
      key: 'invite',
      label: t('Invite people'),
      about: t('By mail, or with a link.'),
      to: { view: 'invite' },
      isDone: others > 0 ? true : value?.hasInvited,
    },
    ...(canImport
      ? [
          {
            key: 'import',
            label: offer.import === null ? t('Move your team here') : t('Show the import'),
            about: t('Move from Slack, Mattermost, Zulip or Rocket.Chat'),
            to: { view: 'organization', section: 'import' } as const,
            isDone: offer.import?.state === 'done',
          },
        ]
      : []),
    { key: 'phone', label: t('Use it on your phone'), about: phoneText(), isDone: value?.hasPhone },
  ];
}

function responseOf<Value>(result: PromiseSettledResult<Value>): Value | undefined {
  return result.status === 'fulfilled' ? result.value : undefined;
}

function isOnPhone({ system }: { readonly system: string | null }): boolean {
  return system !== null && PHONE_SYSTEMS.includes(system);
}

function phoneText(): string {
  const address = start.serverUrl;
  if (isLocalHost(new URL(address).hostname))
    return t('{address} is a local address. A phone elsewhere cannot reach it.', { address });
  return t('Open {address} in the browser of your phone, log in, and add it to the home screen.', { address });
}
