import { getIntegrations } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { matcherOf } from '../../base/text-filter.ts';
import { useKept } from '../../base/use-kept.ts';
import { Banner } from '../../design/banner.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { Select } from '../../design/select.tsx';
import { Spinner } from '../../design/spinner.tsx';
import { RouteLink } from '../../shown/route-link.tsx';
import settings from '../settings.module.css';
import { useLoaded } from '../use-loaded.ts';
import { byCategory, categoryName, type Integration } from './integration.ts';
import { IntegrationView } from './integration-view.tsx';
import styles from './integrations.module.css';

/** The key of the choice that is no category. */
const ALL = 'all';

interface IntegrationsPageProps {
  /** The name of the integration that the page shows. Undefined: the gallery of all. */
  readonly tab?: string | undefined;
}

/** Services that can post messages here: a gallery, and a page for each. */
export function IntegrationsPage({ tab }: IntegrationsPageProps): ReactNode {
  const { connection } = useApp();
  const { value, problem } = useLoaded('integrations', () => getIntegrations(connection));
  const latest = useRef<string>(undefined);
  useEffect(() => {
    if (tab !== undefined) latest.current = tab;
  }, [tab]);
  if (value === undefined) {
    return (
      <div className={settings.notice}>
        {problem === undefined ? <Spinner label={t('Loading')} /> : <Banner kind="error">{problem}</Banner>}
      </div>
    );
  }
  const shown = value.integrations.find(({ name }) => name === tab);
  if (shown !== undefined) return <IntegrationView key={shown.name} integration={shown} language={value.language} />;
  return (
    <Gallery
      integrations={value.integrations}
      language={value.language}
      latest={latest}
      isUnknown={tab !== undefined}
    />
  );
}

interface GalleryProps {
  readonly integrations: readonly Integration[];
  /** The tag of the language of the summaries. */
  readonly language: string;
  /** The name of the integration from which the user comes back. */
  readonly latest: { readonly current: string | undefined };
  /** Whether the link names an integration that the server does not have. */
  readonly isUnknown: boolean;
}

function Gallery({ integrations, language, latest, isUnknown }: GalleryProps): ReactNode {
  const [text, setText] = useKept('integrations search', '');
  const [category, setCategory] = useKept('integrations category', ALL);
  // The user comes back to the same place.
  useEffect(() => {
    const { current } = latest;
    if (current !== undefined) document.getElementById(idOf(current))?.focus();
  }, [latest]);
  const matches = matcherOf(text);
  const found = integrations.filter(
    (one) =>
      (category === ALL || one.category === category) &&
      matches(`${one.title} ${one.name} ${categoryName(one.category)} ${one.summary}`),
  );
  const options = byCategory(integrations).map(([key]) => ({ key, label: categoryName(key) }));
  return (
    <>
      {isUnknown && (
        <div className={settings.notice}>
          <Banner kind="warning">{t('This server has no such integration.')}</Banner>
        </div>
      )}
      <p className={styles.intro}>
        {t('Other services can post messages here. Choose one, and follow the steps on its page.')}
      </p>
      <div className={settings.bar}>
        <SearchField label={t('Search integrations')} value={text} onChange={setText} />
        <div className={styles.category}>
          <Select
            label={t('Category')}
            isLabelHidden
            options={[{ key: ALL, label: t('All categories') }, ...options]}
            value={category}
            onChange={setCategory}
          />
        </div>
      </div>
      <p className={settings.quiet} role="status">
        {found.length === 0
          ? t('No integration has these words. Any program that sends JSON can use “Slack-compatible” or “JSON”.')
          : t('{count, plural, one {# integration} other {# integrations}}', { count: found.length })}
      </p>
      {byCategory(found).map(([key, ofCategory]) => (
        <section key={key} aria-label={categoryName(key)}>
          <h2 className={styles.heading}>{categoryName(key)}</h2>
          <ul className={styles.cards}>
            {ofCategory.map(({ name, title, summary }) => (
              <li key={name}>
                <RouteLink
                  id={idOf(name)}
                  to={{ view: 'settings', section: 'integrations', tab: name }}
                  className={styles.card}
                >
                  <span className={styles.name}>{title}</span>
                  <span className={settings.quiet} lang={language}>
                    {summary}
                  </span>
                </RouteLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function idOf(name: string): string {
  return `integration-${name}`;
}
