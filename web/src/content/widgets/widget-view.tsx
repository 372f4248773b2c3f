import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { ReactNode } from 'react';
import { ChoicesView } from './choices-view.tsx';
import { PollView } from './poll.tsx';
import { TodoView } from './todo-view.tsx';
import type { Widget } from './widget.ts';

interface Props {
  readonly record: MessageRecord;
  readonly widget: Widget;
}

/** The widget of a message, instead of its text. */
export default function WidgetView({ record, widget: { kind, definition } }: Props): ReactNode {
  switch (kind) {
    case 'poll':
      return <PollView record={record} definition={definition} />;
    case 'todo':
      return <TodoView record={record} definition={definition} />;
    case 'zform':
      return <ChoicesView record={record} definition={definition} />;
  }
}
