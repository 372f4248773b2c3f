import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Avatar } from '../../design/avatar.tsx';
import { classes } from '../../design/classes.ts';
import {
  ChannelIcon,
  CodeIcon,
  GroupIcon,
  type Icon,
  KeyboardIcon,
  MentionIcon,
  PrivateIcon,
  TopicIcon,
} from '../../design/icons.ts';
import { ifPointerMoved } from '../../design/pointer-moved.ts';
import { VisuallyHidden } from '../../design/visually-hidden.tsx';
import { pictureOf } from '../../shown/picture.ts';
import type { Suggestion } from './suggestion.ts';
import styles from './typeahead.module.css';
import { optionId, type Typeahead } from './use-typeahead.ts';

interface TypeaheadListProps {
  readonly typeahead: Typeahead;
  /** The textarea, which keeps the focus. */
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** The list of suggestions above the text. The textarea refers to the chosen one. */
export function TypeaheadList({ typeahead, field }: TypeaheadListProps): ReactNode {
  const { state, listId } = typeahead;
  useChanges(state.changes);
  const { suggestions, index, isOpen } = state;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    if (isOpen) {
      element.setAttribute('aria-controls', listId);
      element.setAttribute('aria-activedescendant', optionId(listId, index));
    } else {
      element.removeAttribute('aria-controls');
      element.removeAttribute('aria-activedescendant');
    }
    if (list.current !== null) list.current.dataset.below = String(lacksRoomAbove(element, list.current));
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  }, [field, isOpen, listId, index]);
  return (
    <>
      {isOpen && (
        <div ref={list} id={listId} role="listbox" aria-label={t('Suggestions')} className={styles.list}>
          {suggestions.map((suggestion, at) => (
            <div
              key={suggestion.key}
              id={optionId(listId, at)}
              role="option"
              tabIndex={-1}
              aria-selected={at === index}
              className={classes(styles.option, at === index && styles.chosen)}
              onPointerMove={ifPointerMoved(() => state.point(at))}
              // The textarea keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => state.accept(suggestion)}
              onKeyDown={undefined}
            >
              <SuggestionIcon icon={suggestion.icon} />
              <span className={styles.label}>{suggestion.label}</span>
              {suggestion.detail !== undefined && <span className={styles.detail}>{suggestion.detail}</span>}
            </div>
          ))}
        </div>
      )}
      <VisuallyHidden>
        <span role="status">
          {isOpen ? t('{count, plural, one {# suggestion} other {# suggestions}}', { count: suggestions.length }) : ''}
        </span>
      </VisuallyHidden>
    </>
  );
}

/** Whether the beginning of the feed would hide a list above the text. That of an edit is in the feed. */
function lacksRoomAbove(field: Element, list: HTMLElement): boolean {
  const feed = field.closest('[data-feed-scroller]');
  if (feed === null) return false;
  return field.getBoundingClientRect().top - feed.getBoundingClientRect().top < list.offsetHeight;
}

const ICONS: Readonly<Record<string, Icon>> = {
  group: GroupIcon,
  wildcard: MentionIcon,
  channel: ChannelIcon,
  'private-channel': PrivateIcon,
  topic: TopicIcon,
  code: CodeIcon,
  command: KeyboardIcon,
};

function SuggestionIcon({ icon }: Pick<Suggestion, 'icon'>): ReactNode {
  const { users } = useModel();
  if (icon.kind === 'user') {
    const user = users.get(icon.userId);
    return <Avatar name={user?.name ?? ''} src={pictureOf(user)} id={icon.userId} size="s" />;
  }
  if (icon.kind === 'emoji') return <span className={styles.emoji}>{icon.character}</span>;
  if (icon.kind === 'custom-emoji') return <img className={styles.picture} src={icon.url} alt="" />;
  const Icon = ICONS[icon.kind] ?? CodeIcon;
  return <Icon aria-hidden="true" />;
}
