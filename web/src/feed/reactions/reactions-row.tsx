import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { type ReactNode, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatList, formatNumber } from '../../base/i18n-formats.ts';
import { useChanges } from '../../base/use-changes.ts';
import { factsOf } from '../../content/message-facts.ts';
import { classes } from '../../design/classes.ts';
import { ReactIcon } from '../../design/icons.ts';
import { Tooltip } from '../../design/tooltip.tsx';
import { VisuallyHidden } from '../../design/visually-hidden.tsx';
import { EmojiGlyph } from '../../emoji/emoji-glyph.tsx';
import { openReactionPicker } from './picker-store.ts';
import { groupReactions, type ReactionGroup, showsNames } from './reaction-groups.ts';
import styles from './reactions-row.module.css';
import { toggleReaction } from './toggle-reaction.ts';

interface Props {
  readonly record: MessageRecord;
}

/** The reactions to a message. Each button adds or removes the user's own. */
export function ReactionsRow({ record }: Props): ReactNode {
  if (record.reactions.length === 0) return null;
  return <Row record={record} />;
}

function Row({ record }: Props): ReactNode {
  const { model } = useApp();
  useChanges(model.account.changes);
  useChanges(model.mutedUsers.changes);
  const { reactions } = record;
  const hasNames = showsNames(reactions, model.account.settings.display_emoji_reaction_users);
  const mayReact = model.permissions.messages.react(factsOf(record)).allowed;
  const add = useRef<HTMLButtonElement>(null);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div className={styles.row} role="group" aria-label={t('Reactions')}>
      {groupReactions(reactions).map((group) => (
        <Reaction key={group.key} record={record} group={group} hasNames={hasNames} mayReact={mayReact} />
      ))}
      {mayReact && (
        <Tooltip text={t('Add a reaction')}>
          <Button
            ref={add}
            className={classes(styles.reaction, styles.add)}
            aria-label={t('Add a reaction')}
            onPress={() => openReactionPicker(record.id, add.current)}
          >
            <ReactIcon aria-hidden="true" />
          </Button>
        </Tooltip>
      )}
    </div>
  );
}

interface ReactionProps extends Props {
  readonly group: ReactionGroup;
  readonly hasNames: boolean;
  readonly mayReact: boolean;
}

function Reaction({ record, group: { emoji, userIds }, hasNames, mayReact }: ReactionProps): ReactNode {
  const app = useApp();
  const { model } = app;
  const isOwn = userIds.includes(model.ownId);
  const names = namesOf(model, userIds);
  const text = t('{names} reacted with :{emoji}:', { names: formatList(names), emoji: emoji.name });
  return (
    <Tooltip text={text}>
      <Button
        className={classes(styles.reaction, isOwn && styles.own)}
        aria-pressed={isOwn}
        // A disabled button has no tooltip, which tells who reacted.
        onPress={() => mayReact && void toggleReaction(app, record.id, emoji)}
      >
        {/* The name of the button lists everybody. To hear the number or some of the names as well would add nothing. */}
        <span className={styles.seen} aria-hidden="true">
          <EmojiGlyph emoji={emoji} />
          <span className={styles.count}>{hasNames ? formatList(names) : formatNumber(userIds.length)}</span>
        </span>
        <VisuallyHidden>{text}</VisuallyHidden>
      </Button>
    </Tooltip>
  );
}

/** A tooltip with more names would fill the screen. */
const MAX_NAMES = 12;

/** The user first, then the others. */
function namesOf(model: Model, userIds: readonly number[]): readonly string[] {
  const others = userIds.filter((id) => id !== model.ownId);
  const names = others
    .slice(0, MAX_NAMES)
    .map((id) => (model.mutedUsers.has(id) ? t('Muted user') : (model.users.get(id)?.name ?? t('Unknown user'))));
  const rest = others.length - names.length;
  return [
    ...(others.length < userIds.length ? [t('You')] : []),
    ...names,
    ...(rest > 0 ? [t('{count, plural, one {# other} other {# others}}', { count: rest })] : []),
  ];
}
