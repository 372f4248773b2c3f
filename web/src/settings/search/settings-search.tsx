import type { Model } from '@heddle/client/model/model.ts';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import type { Route } from '../../base/routes.ts';
import { ORGANIZATION_SECTIONS, OWN_SECTIONS, settingsSearchShortcut } from '../../base/settings-sections.ts';
import { matcherOf } from '../../base/text-filter.ts';
import { SearchField } from '../../design/search-field.tsx';
import { RouteLink } from '../../shown/route-link.tsx';
import styles from '../settings.module.css';
import { wantSetting } from './found-setting.ts';
import { type IndexedSetting, ORGANIZATION_INDEX, OWN_INDEX } from './settings-index.ts';

const MAX_RESULTS = 30;

interface Result {
  readonly route: Extract<Route, { view: 'settings' | 'organization' }>;
  /** Where the setting is, in words. */
  readonly page: string;
  /** Undefined for the page itself. */
  readonly setting: IndexedSetting | undefined;
}

interface FieldProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Moves the focus to the first result. */
  readonly onLeave: () => void;
}

/** The field that searches all settings, of the account and of the organization. */
export function SettingsSearchField({ text, onText, onLeave }: FieldProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  useShortcut(settingsSearchShortcut, () => {
    if (field.current?.checkVisibility() !== true) return false;
    field.current.select();
    field.current.focus();
  });
  return (
    <SearchField
      label={t('Search all settings')}
      value={text}
      onChange={onText}
      inputRef={field}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown' || event.key === 'Enter') onLeave();
        else event.continuePropagation();
      }}
    />
  );
}

/** The pages and single settings that the text finds. */
export function SettingsResults({
  text,
  onChoose,
}: {
  readonly text: string;
  readonly onChoose: () => void;
}): ReactNode {
  const { model } = useApp();
  const list = useRef<HTMLUListElement>(null);
  const results = resultsFor(model, text);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    links[links.indexOf(event.target as HTMLAnchorElement) + step]?.focus();
    event.preventDefault();
  };
  return (
    <>
      <p role="status" className={results.length === 0 ? styles.noResults : styles.hiddenStatus}>
        {results.length === 0
          ? t('No setting matches.')
          : t('{count, plural, one {# setting} other {# settings}}', { count: results.length })}
      </p>

      <ul ref={list} className={styles.navList} aria-label={t('Found settings')} onKeyDown={onKeyDown} data-results>
        {results.map(({ route, page, setting }) => (
          <li key={`${route.view} ${route.section} ${setting === undefined ? '' : t(setting.label)}`}>
            <RouteLink
              to={route}
              className={styles.resultLink}
              onClick={() => {
                if (setting !== undefined) wantSetting(route.section, setting.label);
                onChoose();
              }}
            >
              <span>{setting === undefined ? page : t(setting.label)}</span>
              {setting !== undefined && <span className={styles.quiet}>{page}</span>}
            </RouteLink>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Pages first, then settings by their labels, then those by their descriptions. */
function resultsFor(model: Model, text: string): readonly Result[] {
  const matches = matcherOf(text);
  const all = [
    ...allOf('settings', OWN_SECTIONS, OWN_INDEX),
    ...allOf('organization', ORGANIZATION_SECTIONS, ORGANIZATION_INDEX),
  ];
  const rank = ({ page, setting }: Result): number => {
    if (setting === undefined) return matches(page) ? 0 : 3;
    if (matches(t(setting.label))) return 1;
    return setting.description !== undefined && matches(`${t(setting.label)} ${t(setting.description)}`) ? 2 : 3;
  };
  const found = all.filter(({ route }) => isShown(model, route)).map((result) => ({ result, rank: rank(result) }));
  return found
    .filter((one) => one.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_RESULTS)
    .map(({ result }) => result);
}

function allOf(
  view: 'settings' | 'organization',
  sections: Readonly<Record<string, { readonly label: IndexedSetting['label'] }>>,
  index: Readonly<Record<string, readonly IndexedSetting[] | undefined>>,
): readonly Result[] {
  return Object.entries(sections).flatMap(([section, { label }]): Result[] => {
    const common = { route: { view, section }, page: t(label) } as const;
    return [{ ...common, setting: undefined }, ...(index[section] ?? []).map((setting) => ({ ...common, setting }))];
  });
}

/** Some pages exist only for those who can use them. */
function isShown({ account }: Model, { view, section }: Result['route']): boolean {
  if (view !== 'organization') return true;
  if (section === 'import') return account.isOwner;
  return section !== 'data-exports-admin' || account.isAdministrator;
}
