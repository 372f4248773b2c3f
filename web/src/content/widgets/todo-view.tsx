import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { Button } from '../../design/button.tsx';
import { Checkbox } from '../../design/checkbox.tsx';
import { TextField } from '../../design/text-field.tsx';
import { EditableTitle } from './editable-title.tsx';
import { newTask, newTitle, strikeOf, todoListOf } from './todo-data.ts';
import { useContributions } from './use-contributions.ts';
import type { Fields } from './widget.ts';
import styles from './widgets.module.css';

interface Props {
  readonly record: MessageRecord;
  readonly definition: Fields;
}

/** A to-do list: everyone completes tasks and adds new ones. */
export function TodoView({ record, definition }: Props): ReactNode {
  const { ownId } = useModel();
  const { list, add, isOpen } = useContributions(record);
  const todo = useMemo(() => todoListOf(definition, list, record.senderId), [definition, list, record.senderId]);
  const titleId = useId();
  return (
    <section className={styles.widget} aria-labelledby={titleId}>
      <EditableTitle
        id={titleId}
        title={todo.title}
        placeholder={t('Task list')}
        editLabel={t('Edit the title')}
        onChange={isOpen && record.senderId === ownId ? (title) => add(newTitle(title)) : undefined}
      />
      {todo.tasks.length === 0 && <p className={styles.hint}>{t('There are no tasks yet.')}</p>}
      <ul className={styles.options}>
        {todo.tasks.map((task) => (
          <li key={task.key}>
            <Checkbox
              isSelected={task.isDone}
              isDisabled={!isOpen}
              onChange={() => void add(strikeOf(task))}
              {...(task.description !== '' && { description: <span dir="auto">{task.description}</span> })}
            >
              <span dir="auto" className={task.isDone ? styles.done : undefined}>
                {task.text}
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
      {isOpen && (
        <AddTask
          isTaken={(text) => todo.tasks.some((task) => task.text === text)}
          onAdd={(text, description) => add(newTask(todo, text, description, ownId))}
        />
      )}
    </section>
  );
}

interface AddTaskProps {
  readonly isTaken: (text: string) => boolean;
  readonly onAdd: (text: string, description: string) => Promise<boolean>;
}

function AddTask({ isTaken, onAdd }: AddTaskProps): ReactNode {
  const [draft, setDraft] = useState({ text: '', description: '' });
  const text = draft.text.trim();
  const isDouble = text !== '' && isTaken(text);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text === '' || isDouble) return;
    setDraft({ text: '', description: '' });
    // The field gets the text back if the server refused it, unless the user is typing again.
    if (!(await onAdd(text, draft.description.trim()))) setDraft((now) => (now.text === '' ? draft : now));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={t('New task')}
        isLabelHidden
        placeholder={t('New task')}
        value={draft.text}
        onChange={(value) => setDraft({ ...draft, text: value })}
        error={isDouble && t('This task exists already.')}
      />
      {draft.text !== '' && (
        <TextField
          label={t('Description of the task')}
          isLabelHidden
          placeholder={t('Description (optional)')}
          value={draft.description}
          onChange={(description) => setDraft({ ...draft, description })}
        />
      )}
      <Button type="submit" isDisabled={text === '' || isDouble}>
        {t('Add')}
      </Button>
    </form>
  );
}
