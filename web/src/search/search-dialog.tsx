import { isContradictory } from '@heddle/client/model/messages/contradictory.ts';
import { type Narrow, narrowOfPlace, type Term } from '@heddle/client/model/messages/narrow.ts';
import { directPlace } from '@heddle/client/model/messages/places.ts';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { type App, useApp, useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatDateTime } from '../base/i18n-formats.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import { CommandBox, type CommandOption } from '../design/command-box.tsx';
import {
  DeleteIcon,
  FileIcon,
  FilterIcon,
  HistoryIcon,
  MentionIcon,
  SearchIcon,
  StarIcon,
  TopicIcon,
} from '../design/icons.ts';
import { ChannelMark } from '../shown/channel-mark.tsx';
import { channelName, directName, routeOfNarrow, routeOfPlace, userName } from '../shown/names.ts';
import { UserAvatar } from '../shown/user-mark.tsx';
import { type FoundFile, useFoundFiles } from './find-files.ts';
import { completedTerms, readQuery, textOfTerm } from './query.ts';
import { forgetSearches, recentSearches } from './recent-searches.ts';
import styles from './search.module.css';
import { closeSearch } from './search-store.ts';
import { submitSearch } from './submit.ts';
import { headingOf, placeholderFor, type Suggestion, suggestionsFor, withTerm } from './suggestions.ts';
import { TermChips, type TermChipsHandle } from './term-chips.tsx';
import { contradictionText } from './term-texts.ts';

interface Option extends CommandOption {
  readonly suggestion: Suggestion;
}

/** The search: conditions as pills, a text, and suggestions for both. */
export default function SearchDialog({ terms: initial }: { terms: Narrow }): ReactNode {
  const app = useApp();
  const { model } = app;
  const withoutText = initial.filter(({ operator }) => operator !== 'search');
  const [terms, setTerms] = useState<Narrow>(withoutText);
  const [text, setText] = useState(() => textOf(initial));
  const [recent, setRecent] = useState(() => recentSearches(model.ownId));
  const field = useRef<HTMLInputElement>(null);
  const chips = useRef<TermChipsHandle>(null);
  useTopics(terms);
  const names = useMemo(
    () => ({
      channelIdOf: (name: string) => model.channels.byName(name)?.id,
      userIdOf(name: string) {
        const [only, another] = model.users.byName(name);
        return another === undefined ? (only?.id ?? model.users.byAddress(name)?.id) : undefined;
      },
    }),
    [model],
  );
  const change = (value: string) => {
    const completed = completedTerms(value, names);
    if (completed !== undefined) setTerms((before) => [...before, ...completed.terms]);
    setText(completed?.rest ?? value);
  };
  const submit = () => {
    const read = readQuery(text, names);
    void submitSearch(app, [...terms, ...read.terms], read.rest);
  };
  const choose = ({ suggestion }: Option) => {
    switch (suggestion.kind) {
      case 'search':
        return submit();
      case 'recent':
        return void submitSearch(app, suggestion.narrow, '');
      case 'person':
        closeSearch();
        return app.navigation.go(routeOfPlace(model, directPlace([suggestion.userId], model.ownId)));
      case 'file':
        return void openFile(app, suggestion.file);
      case 'forget':
        forgetSearches(model.ownId);
        setRecent([]);
        break;
      case 'operator':
        setText(suggestion.insert);
        break;
      case 'term':
        setTerms(withTerm(terms, suggestion.term));
        setText(suggestion.rest === '' ? '' : `${suggestion.rest} `);
    }
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>): boolean => {
    const isAtStart = event.currentTarget.selectionStart === 0 && event.currentTarget.selectionEnd === 0;
    const last = terms.at(-1);
    if (event.key === 'Backspace' && isAtStart && last !== undefined) {
      setTerms(terms.slice(0, -1));
      return true;
    }
    if (event.key === 'ArrowLeft' && isAtStart && chips.current?.focusLast()) return true;
    // With conditions and no text, Enter searches instead of adding another condition.
    if (event.key === 'Enter' && text.trim() === '' && terms.length > 0 && !hasMoved.current) {
      submit();
      return true;
    }
    hasMoved.current =
      event.key === 'ArrowDown' || event.key === 'ArrowUp' || (hasMoved.current && event.key === 'Enter');
    return false;
  };
  const hasMoved = useRef(false);
  // With conditions, the user looks for messages.
  const files = useFoundFiles(terms.length === 0 ? text : '');
  const suggestions = suggestionsFor(model, text, terms, { recent: terms.length === 0 ? recent : [], files });
  return (
    <CommandBox<Option>
      label={t('Search')}
      placeholder={placeholderFor(model, terms)}
      text={text}
      onText={change}
      options={suggestions.map((suggestion) => optionOf(suggestion))}
      onChoose={choose}
      onEnter={submit}
      onKey={onKey}
      onClose={closeSearch}
      inputRef={field}
      before={
        <>
          <SearchIcon aria-hidden="true" className={styles.icon} />
          <TermChips terms={terms} onRemove={setTerms} onLeave={() => field.current?.focus()} handle={chips} />
        </>
      }
      emptyText={isContradictory(terms) ? contradictionText() : t('Press Enter to search.')}
      footer={
        <>
          {t('Conditions begin with a word such as “sender:” or “has:”. A minus sign excludes.')}{' '}
          <a href={app.navigation.hashOf({ view: 'search-operators' })} onClick={closeSearch}>
            {t('All conditions')}
          </a>
        </>
      }
    />
  );
}

/** The words that the messages must contain, and conditions that are no pills. */
function textOf(terms: Narrow): string {
  return terms
    .filter(({ operator }) => operator === 'search')
    .map((term) => textOfTerm(term, String(term.operand)))
    .join(' ');
}

/** Loads the topics of the chosen channel. */
function useTopics(terms: Narrow): void {
  const { model } = useApp();
  const operand = terms.find(({ operator, negated }) => operator === 'channel' && !negated)?.operand;
  const channelId = typeof operand === 'number' ? operand : undefined;
  const { topics, recent } = model.cache;
  useChangesOf(topics.changesOf, channelId ?? 0);
  useChanges(recent.changes);
  useEffect(() => {
    if (channelId === undefined) void recent.load();
    else return topics.observe(channelId);
  }, [topics, recent, channelId]);
}

function optionOf(suggestion: Suggestion): Option {
  const { key } = suggestion;
  const common = { key, suggestion, group: headingOf(suggestion) };
  switch (suggestion.kind) {
    case 'search':
      return {
        ...common,
        icon: <SearchIcon aria-hidden="true" />,
        label: t('Messages with “{text}”', { text: suggestion.text }),
      };
    case 'person':
      return {
        ...common,
        icon: <UserAvatar userId={suggestion.userId} size="xs" />,
        label: <UserText userId={suggestion.userId} />,
      };
    case 'file':
      return {
        ...common,
        icon: <FileIcon aria-hidden="true" />,
        label: suggestion.file.name,
        detail: <FileDetail file={suggestion.file} />,
      };
    case 'forget':
      return { ...common, icon: <DeleteIcon aria-hidden="true" />, label: t('Forget these searches') };
    case 'operator':
      return {
        ...common,
        icon: <FilterIcon aria-hidden="true" />,
        label: <code>{suggestion.insert}</code>,
        detail: suggestion.text,
      };
    case 'recent':
      return { ...common, icon: <HistoryIcon aria-hidden="true" />, label: suggestion.text };
    case 'term':
      return {
        ...common,
        icon: <TermMark term={suggestion.term} />,
        label: suggestion.text,
        detail: <TermDetail term={suggestion.term} />,
      };
  }
}

function UserText({ userId }: { readonly userId: number }): ReactNode {
  return userName(useModel(), userId);
}

/** Who sent the file, and when. */
function FileDetail({ file: { senderId, timestamp } }: { readonly file: FoundFile }): ReactNode {
  const model = useModel();
  const date = formatDateTime(new Date(timestamp * 1000));
  if (senderId === undefined) return date;
  return `${userName(model, senderId)} · ${date}`;
}

/** Shows the message that links to the file, or the file if there is none. */
async function openFile({ model, navigation }: App, { messageId, path }: FoundFile): Promise<void> {
  closeSearch();
  const place = messageId === undefined ? undefined : await model.cache.findPlace(messageId).catch(() => undefined);
  if (place === undefined || messageId === undefined) {
    window.open(path, '_blank', 'noopener');
    return;
  }
  navigation.go(routeOfNarrow([...narrowOfPlace(place, model.ownId), { operator: 'near', operand: messageId }]));
}

function TermMark({ term: { operator, operand } }: { term: Term }): ReactNode {
  const { model } = useApp();
  const id = typeof operand === 'number' ? operand : typeof operand === 'object' ? operand.at(-1) : undefined;
  const isPerson = operator === 'sender' || operator === 'dm' || operator === 'dm-including';
  if (isPerson && id !== undefined) return <UserAvatar userId={id} size="xs" />;
  if (operator === 'channel' && id !== undefined) return <ChannelMark channel={model.channels.get(id)} />;
  if (operator === 'topic') return <TopicIcon aria-hidden="true" />;
  if (operand === 'starred') return <StarIcon aria-hidden="true" />;
  return operand === 'mentioned' ? <MentionIcon aria-hidden="true" /> : <FilterIcon aria-hidden="true" />;
}

/** The form in which the user can type the condition next time. */
function TermDetail({ term }: { term: Term }): ReactNode {
  const { model } = useApp();
  const { operator, operand } = term;
  const value =
    operator === 'channel' && typeof operand === 'number'
      ? channelName(model, operand)
      : typeof operand === 'object'
        ? directName(model, operand)
        : (operator === 'sender' || operator === 'dm-including') && typeof operand === 'number'
          ? userName(model, operand)
          : String(operand);
  return textOfTerm(term, value);
}
