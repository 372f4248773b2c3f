import { isContradictory } from '@heddle/client/model/messages/contradictory.ts';
import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatList } from '../base/i18n-formats.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { SearchIcon } from '../design/icons.ts';
import { routeOfNarrow } from '../shown/names.ts';
import { misunderstood } from './query.ts';
import styles from './search.module.css';
import { openSearch } from './search-store.ts';
import { contradictionText, termText } from './term-texts.ts';

/** A search that found nothing, with what to change. */
export function NoMatches({ terms }: { terms: Narrow }): ReactNode {
  const { model, navigation } = useApp();
  const go = (narrow: Narrow) => () => navigation.go(routeOfNarrow(narrow));
  const isRestricted = terms.some(({ operator }) => PLACES.has(operator));
  const words = terms.flatMap(({ operator, operand }) => (operator === 'search' ? misunderstood(String(operand)) : []));
  const removable = terms.length > 1 ? terms : [];
  return (
    <EmptyState
      icon={SearchIcon}
      title={t('No message matches')}
      action={
        <div className={styles.tries}>
          {removable.map((term) => (
            <Button key={JSON.stringify(term)} size="small" onPress={go(terms.filter((one) => one !== term))}>
              {t('Without “{condition}”', { condition: termText(model, term) })}
            </Button>
          ))}
          {!isRestricted && !model.account.isSpectator && (
            <Button size="small" onPress={go([{ operator: 'channels', operand: 'public' }, ...terms])}>
              {t('Search all public channels')}
            </Button>
          )}
          <Button size="small" icon={SearchIcon} onPress={() => openSearch(terms)}>
            {t('Change the search')}
          </Button>
        </div>
      }
    >
      {words.length > 0 && (
        <p>{t('Not understood as a condition, so searched as text: {words}.', { words: formatList(words) })}</p>
      )}
      {adviceOn(terms, isRestricted)}
    </EmptyState>
  );
}

function adviceOn(terms: Narrow, isRestricted: boolean): string {
  if (isContradictory(terms)) return contradictionText();
  return isRestricted
    ? t('All conditions must hold for a message. Try fewer of them, or other words.')
    : t('This searched the messages that you received. Public channels can have more.');
}

/** Conditions that already say where to search. */
const PLACES = new Set(['channel', 'channels', 'dm', 'dm-including', 'is', 'id']);
