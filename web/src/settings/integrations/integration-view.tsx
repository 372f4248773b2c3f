import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { FormSection } from '../../design/form.tsx';
import { BackIcon } from '../../design/icons.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { CopyButton } from '../copy-button.tsx';
import settings from '../settings.module.css';
import type { Integration } from './integration.ts';
import { type Bot, IntegrationSetup, type Place } from './integration-setup.tsx';
import { IntegrationUrl } from './integration-url.tsx';
import styles from './integrations.module.css';

interface IntegrationViewProps {
  readonly integration: Integration;
  /** The tag of the language of its summary and steps. */
  readonly language: string;
}

/** Everything about one integration: its bot, its URL, the steps at the service, a test message, and its events. */
export function IntegrationView({ integration, language }: IntegrationViewProps): ReactNode {
  const { title, summary, steps, template } = integration;
  const [place, setPlace] = useState<Place>({ channelId: undefined, topic: undefined, secret: '' });
  const [bot, setBot] = useState<Bot>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <header className={styles.header}>
        <RouteLink to={{ view: 'settings', section: 'integrations' }} className={styles.back}>
          <BackIcon aria-hidden="true" />
          {t('All integrations')}
        </RouteLink>
        <h2 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        <p lang={language}>{summary}</p>
      </header>
      <IntegrationSetup integration={integration} place={place} onPlace={setPlace} bot={bot} onBot={setBot} />
      {bot !== undefined && <IntegrationUrl integration={integration} setup={{ ...bot, ...place }} />}
      <FormSection title={t('Steps at the other service')}>
        <ol className={styles.steps} lang={language}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {template !== '' && (
          <div className={settings.setting}>
            <div>{t('Text to paste there')}</div>
            <pre className={styles.template}>{template}</pre>
            <div>
              <CopyButton label={t('Copy the text')} text={template} />
            </div>
          </div>
        )}
      </FormSection>
      <Events integration={integration} />
    </>
  );
}

function Events({ integration }: Pick<IntegrationViewProps, 'integration'>): ReactNode {
  const { events, ignored_events: ignored } = integration;
  if (events.length === 0 && ignored.length === 0) return null;
  return (
    <FormSection title={t('Events')}>
      {events.length > 0 && (
        <details>
          <summary>{t('Events with a message')}</summary>
          <p className={settings.quiet}>
            {t('Choose some of them with {only} or {exclude} in the URL.', {
              only: '&only_events=["…"]',
              exclude: '&exclude_events=["…"]',
            })}
          </p>
          <ul className={styles.events}>
            {events.map((name) => (
              <li key={name}>
                <code className={settings.code}>{name}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {ignored.length > 0 && (
        <details>
          <summary>{t('Events without a message')}</summary>
          <dl className={styles.ignored}>
            {ignored.map(({ name, reason }) => (
              <div key={name}>
                <dt>
                  <code className={settings.code}>{name}</code>
                </dt>
                <dd className={settings.quiet} lang="en">
                  {reason}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </FormSection>
  );
}
