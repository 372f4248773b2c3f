import { conditionsOf, type Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { HitCount } from '@heddle/client/model/messages/relevant-hits.ts';
import { type ReactNode, useRef } from 'react';
import { useApp, useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatNumber } from '../../base/i18n-formats.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { useChanges } from '../../base/use-changes.ts';
import { useResponse } from '../../base/use-response.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { SearchIcon } from '../../design/icons.ts';
import { Segmented } from '../../design/segmented.tsx';
import { ColumnHeader } from '../../frame/frame-header.tsx';
import {
  canRank,
  isByRelevance,
  openSearch,
  orderChanges,
  searchShortcut,
  setByRelevance,
  sortShortcut,
} from '../../search/search-store.ts';
import { TermChips } from '../../search/term-chips.tsx';
import { narrowText } from '../../search/term-texts.ts';
import { routeOfNarrow } from '../../shown/names.ts';
import styles from './results-header.module.css';

interface ResultsHeaderProps {
  readonly narrow: Narrow;
  readonly leading: ReactNode;
  readonly hasDetails: boolean;
}

/** What a search looks for, how much it found, and in which order. */
export default function ResultsHeader({ narrow, leading, hasDetails }: ResultsHeaderProps): ReactNode {
  const { model, navigation } = useApp();
  const terms = conditionsOf(narrow);
  const change = useRef<HTMLButtonElement>(null);
  const go = (left: Narrow) => navigation.go(left.length === 0 ? { view: 'feed' } : routeOfNarrow(left));
  return (
    <>
      <ColumnHeader
        column="main"
        leading={leading}
        title={
          <span className={styles.terms}>
            <button
              ref={change}
              type="button"
              className={styles.change}
              aria-label={t('Change the search: {search}', { search: narrowText(model, narrow) })}
              onClick={() => openSearch(terms)}
            />
            <TermChips terms={terms} onRemove={go} onLeave={() => change.current?.focus()} />
          </span>
        }
        hasDetails={hasDetails}
        actions={
          <IconButton
            icon={SearchIcon}
            label={t('Search')}
            shortcut={searchShortcut}
            placement="bottom"
            onPress={() => openSearch(terms)}
          />
        }
      />
      <div className={styles.bar}>
        <p role="status" className={styles.count}>
          <Count narrow={narrow} />
        </p>
        {canRank(narrow) && <Order narrow={narrow} />}
      </div>
    </>
  );
}

/** The number of results. The server counts them only if the app has not loaded all of them. */
function Count({ narrow }: { readonly narrow: Narrow }): ReactNode {
  const { cache } = useModel();
  const window = cache.windows.of(narrow);
  useChanges(window.changes);
  if (window.state !== 'ready') return null;
  if (window.foundOldest && window.foundNewest) return hitsText({ count: window.ids.length, isComplete: true });
  // The number of another search must not stay until the response.
  return <CountOfServer key={JSON.stringify(conditionsOf(narrow))} narrow={narrow} />;
}

function CountOfServer({ narrow }: { readonly narrow: Narrow }): ReactNode {
  const { cache } = useModel();
  const { value } = useResponse('hits', () => cache.countHits(narrow));
  return value && hitsText(value);
}

function hitsText({ count, isComplete }: HitCount): string {
  if (isComplete) return t('{count, plural, one {# result} other {# results}}', { count });
  return t('{count} or more results', { count: formatNumber(count) });
}

function Order({ narrow }: { readonly narrow: Narrow }): ReactNode {
  useChanges(orderChanges);
  const isOn = isByRelevance(narrow);
  useShortcut(sortShortcut, () => setByRelevance(narrow, !isOn));
  return (
    <Segmented
      label={t('Order of the results')}
      value={isOn ? 'relevance' : 'date'}
      onChange={(order) => setByRelevance(narrow, order === 'relevance')}
      options={[
        { key: 'date', label: t('By date') },
        { key: 'relevance', label: t('By relevance') },
      ]}
    />
  );
}
