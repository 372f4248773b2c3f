import { type ReactNode, useRef, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { type Message, t } from '../base/i18n.ts';
import type { Route } from '../base/routes.ts';
import { IconButton } from '../design/icon-button.tsx';
import { BackIcon, type Icon } from '../design/icons.ts';
import { ColumnHeader } from '../frame/frame-header.tsx';
import { RouteLink } from '../shown/route-link.tsx';
import { useFoundSetting } from './search/found-setting.ts';
import { SettingsResults, SettingsSearchField } from './search/settings-search.tsx';
import styles from './settings.module.css';

interface PageProps {
  readonly title: string;
  readonly icon?: Icon;
  /** Where the back button leads. */
  readonly back?: Route;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A view with a header and content that scrolls. */
export function Page({ title, icon: PageIcon, back, actions, children }: PageProps): ReactNode {
  const { navigation } = useApp();
  const leading =
    back !== undefined ? (
      <IconButton icon={BackIcon} label={t('Back')} placement="bottom" onPress={() => navigation.go(back)} />
    ) : (
      PageIcon && <PageIcon aria-hidden="true" className={styles.icon} />
    );
  return (
    <>
      <ColumnHeader column="main" leading={leading} title={title} actions={actions} hasOwnBack={back !== undefined} />
      <div className={styles.scroller}>
        <div className={styles.page}>{children}</div>
      </div>
    </>
  );
}

export interface Section {
  /** The name in the URL. */
  readonly id: string;
  readonly label: string;
  readonly icon: Icon;
  readonly content: ReactNode;
}

export type PageOfSection = Pick<Section, 'icon' | 'content'>;

/** The pages with their names, in the order of the names. */
export function sectionsOf<Id extends string>(
  names: Readonly<Record<Id, { readonly label: Message }>>,
  pages: Readonly<Partial<Record<Id, PageOfSection>>>,
): readonly Section[] {
  return (Object.keys(names) as Id[]).flatMap((id) => {
    const page = pages[id];
    return page === undefined ? [] : [{ id, label: t(names[id].label), ...page }];
  });
}

interface SectionsProps {
  readonly title: string;
  readonly icon: Icon;
  readonly sections: readonly Section[];
  /** Empty for the list alone, which a narrow screen shows first. */
  readonly current: string;
  readonly routeOf: (section: string) => Route;
  /** Links to views outside of these pages, below the list. */
  readonly others?: readonly { readonly label: string; readonly icon: Icon; readonly route: Route }[];
}

/** Pages with a list beside them. A narrow screen shows either the list or a page. */
export function Sections({ title, icon: PageIcon, sections, current, routeOf, others = [] }: SectionsProps): ReactNode {
  const { navigation } = useApp();
  const [text, setText] = useState('');
  const nav = useRef<HTMLElement>(null);
  const detail = useRef<HTMLDivElement>(null);
  const [first] = sections;
  const shown = sections.find(({ id }) => id === current) ?? first;
  const isList = current === '';
  useFoundSetting(detail, shown?.id);
  const focusFirst = () => nav.current?.querySelector<HTMLElement>('ul a')?.focus();
  const leading = (
    <>
      <span className={isList ? styles.never : styles.back}>
        <IconButton icon={BackIcon} label={t('Back')} placement="bottom" onPress={() => navigation.go(routeOf(''))} />
      </span>
      <PageIcon aria-hidden="true" className={styles.icon} />
    </>
  );
  return (
    <div className={styles.sections} data-shows={isList ? 'list' : 'page'}>
      <ColumnHeader
        column="main"
        leading={leading}
        title={isList || !shown ? title : shown.label}
        hasOwnBack={!isList}
      />
      <div className={styles.columns}>
        <nav ref={nav} className={styles.nav} aria-label={title}>
          <div className={styles.navSearch}>
            <SettingsSearchField text={text} onText={setText} onLeave={focusFirst} />
          </div>
          {text.trim() !== '' ? (
            <SettingsResults text={text} onChoose={() => setText('')} />
          ) : (
            <ul className={styles.navList}>
              {sections.map(({ id, label, icon: SectionIcon }) => (
                <li key={id}>
                  <RouteLink to={routeOf(id)} isCurrent={id === shown?.id} className={styles.navLink}>
                    <SectionIcon aria-hidden="true" />
                    {label}
                  </RouteLink>
                </li>
              ))}
              {others.map(({ label, icon: OtherIcon, route }) => (
                <li key={label}>
                  <RouteLink to={route} className={styles.navLink}>
                    <OtherIcon aria-hidden="true" />
                    {label}
                  </RouteLink>
                </li>
              ))}
            </ul>
          )}
        </nav>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and pages that one may only read have nothing else to focus. */}
        <div ref={detail} className={styles.detail} key={shown?.id} tabIndex={0}>
          <div className={styles.page}>{shown?.content}</div>
        </div>
      </div>
    </div>
  );
}
