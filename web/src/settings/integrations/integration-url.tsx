import { directPlace, topicPlace } from '@heddle/client/model/messages/places.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import type { Route } from '../../base/routes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { FormSection } from '../../design/form.tsx';
import { SendIcon } from '../../design/icons.ts';
import { routeOfChannel, routeOfPlace } from '../../shown/names.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { CopyButton } from '../copy-button.tsx';
import { useAction } from '../saving.ts';
import settings from '../settings.module.css';
import { type Integration, pathOf, sendTestMessage } from './integration.ts';
import type { Bot, Place } from './integration-setup.tsx';
import styles from './integrations.module.css';

interface IntegrationUrlProps {
  readonly integration: Integration;
  readonly setup: Bot & Place;
}

/** The URL for the service, and a message that shows how it looks. */
export function IntegrationUrl({ integration, setup }: IntegrationUrlProps): ReactNode {
  const { connection } = useApp();
  const url = `${connection.url}${pathOf(integration.name, setup)}`;
  return (
    <>
      <FormSection title={t('URL')} description={t('It contains the key of the bot. Treat it like a password.')}>
        <code className={styles.url}>{url}</code>
        <div>
          <CopyButton label={t('Copy the URL')} text={url} />
        </div>
      </FormSection>
      <TestMessage key={url} integration={integration} setup={setup} />
    </>
  );
}

function TestMessage({ integration, setup }: IntegrationUrlProps): ReactNode {
  const { connection } = useApp();
  const action = useAction();
  const { title, name } = integration;
  return (
    <FormSection
      title={t('Test message')}
      description={t('The bot posts an example of what {title} sends.', { title })}
    >
      {setup.secret !== '' && <p className={settings.quiet}>{t('The test does not check the secret.')}</p>}
      <div>
        <Button
          icon={SendIcon}
          isPending={action.isPending}
          onPress={() => void action.run(() => sendTestMessage(connection, name, setup))}
        >
          {t('Send a test message')}
        </Button>
      </div>
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      {action.isDone && <Sent setup={setup} />}
    </FormSection>
  );
}

function Sent({ setup }: Pick<IntegrationUrlProps, 'setup'>): ReactNode {
  const { model } = useApp();
  const { channelId, topic, botId } = setup;
  const route: Route =
    channelId === undefined
      ? routeOfPlace(model, directPlace([botId], model.ownId))
      : topic === undefined
        ? routeOfChannel(channelId)
        : routeOfPlace(model, topicPlace(channelId, topic.trim()));
  return (
    <Banner kind="success" action={<RouteLink to={route}>{t('Show it')}</RouteLink>}>
      {t('The bot has posted the message.')}
    </Banner>
  );
}
