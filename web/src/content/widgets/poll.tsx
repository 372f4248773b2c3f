import { merged } from '@heddle/client/model/merged.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type CSSProperties, type FormEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatList, formatNumber } from '../../base/i18n-formats.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/text-field.tsx';
import { Tooltip } from '../../design/tooltip.tsx';
import { VisuallyHidden } from '../../design/visually-hidden.tsx';
import { EditableTitle } from './editable-title.tsx';
import { newOption, newQuestion, type PollOption, pollOf, voteFor } from './poll-data.ts';
import { type Contributions, useContributions } from './use-contributions.ts';
import type { Fields } from './widget.ts';
import styles from './widgets.module.css';

interface Props {
  readonly record: MessageRecord;
  readonly definition: Fields;
}

/** A poll: everyone votes for any number of options, and can add options. */
export function PollView({ record, definition }: Props): ReactNode {
  const { ownId } = useModel();
  const contributions = useContributions(record);
  const { list, add, isOpen } = contributions;
  const poll = useMemo(() => pollOf(definition, list, record.senderId), [definition, list, record.senderId]);
  const most = Math.max(1, ...poll.options.map(({ voterIds }) => voterIds.size));
  const titleId = useId();
  return (
    <section className={styles.widget} aria-labelledby={titleId}>
      <EditableTitle
        id={titleId}
        title={poll.question}
        placeholder={t('Poll without a question')}
        editLabel={t('Edit the question')}
        onChange={isOpen && record.senderId === ownId ? (question) => add(newQuestion(question)) : undefined}
      />
      {poll.options.length === 0 && <p className={styles.hint}>{t('There are no options yet.')}</p>}
      <ul className={styles.options}>
        {poll.options.map((option) => (
          <li key={option.key}>
            <OptionRow option={option} share={option.voterIds.size / most} contributions={contributions} />
          </li>
        ))}
      </ul>
      {isOpen && (
        <AddOption
          isTaken={(text) => poll.options.some((option) => option.text === text)}
          onAdd={(text) => add(newOption(poll, text, ownId))}
        />
      )}
    </section>
  );
}

/** How many names an option shows. */
const MAX_NAMES = 40;

interface OptionRowProps {
  readonly option: PollOption;
  /** Of the votes of the option with the most votes, from 0 to 1. */
  readonly share: number;
  readonly contributions: Contributions;
}

function OptionRow({ option, share, contributions: { add, isOpen } }: OptionRowProps): ReactNode {
  const model = useModel();
  const { text, voterIds } = option;
  const shown = useMemo(() => [...voterIds].slice(0, MAX_NAMES), [voterIds]);
  useChanges(useMemo(() => merged(...shown.map((id) => model.users.changesOf.of(id))), [model, shown]));
  const names = shown.map((id) => model.users.get(id)?.name ?? t('Unknown user'));
  const more = voterIds.size - shown.length;
  const listed = formatList(more === 0 ? names : [...names, t('{more} more', { more: formatNumber(more) })]);
  return (
    <Tooltip text={listed} isDisabled={names.length === 0}>
      <ToggleButton
        className={styles.option ?? ''}
        isSelected={voterIds.has(model.ownId)}
        isDisabled={!isOpen}
        onChange={() => void add(voteFor(option, model.ownId))}
        style={{ '--share': share } as CSSProperties}
      >
        <span className={styles.count}>
          {formatNumber(voterIds.size)}
          <VisuallyHidden>
            {' '}
            {t('{count, plural, one {vote for} other {votes for}}', { count: voterIds.size })}
          </VisuallyHidden>
        </span>
        <span className={styles.text}>
          <span dir="auto">{text}</span>
          {names.length > 0 && <span className={styles.names}>{listed}</span>}
        </span>
      </ToggleButton>
    </Tooltip>
  );
}

interface AddOptionProps {
  readonly isTaken: (text: string) => boolean;
  readonly onAdd: (text: string) => Promise<boolean>;
}

function AddOption({ isTaken, onAdd }: AddOptionProps): ReactNode {
  const [draft, setDraft] = useState('');
  const text = draft.trim();
  const isDouble = text !== '' && isTaken(text);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text === '' || isDouble) return;
    setDraft('');
    // The field gets the text back if the server refused it, unless the user is typing again.
    if (!(await onAdd(text))) setDraft((now) => (now === '' ? text : now));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={t('New option')}
        isLabelHidden
        placeholder={t('New option')}
        value={draft}
        onChange={setDraft}
        error={isDouble && t('This option exists already.')}
      />
      <Button type="submit" isDisabled={text === '' || isDouble}>
        {t('Add')}
      </Button>
    </form>
  );
}
