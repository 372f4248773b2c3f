import type { DirectPlace } from '@heddle/client/model/messages/places.ts';
import type { LastMessage } from '@heddle/client/model/messages/recent.ts';
import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { T } from '../base/i18n-react.tsx';
import { VisuallyHidden } from '../design/visually-hidden.tsx';
import { userName } from '../shown/names.ts';
import { lastText, wordsOf } from './last-text.ts';

interface LastWordsProps {
  readonly place: DirectPlace;
  readonly last: LastMessage;
}

/** Who wrote last in a direct conversation, and the beginning of what they wrote. The name of the row is not repeated. */
export function LastWords({ place: { userIds }, last }: LastWordsProps): ReactNode {
  const model = useModel();
  const { senderId, html, isMe } = last;
  const isRepeated = userIds.length === 1 && userIds[0] === senderId && !isMe && !model.mutedUsers.has(senderId);
  if (!isRepeated || html === undefined) return lastText(model, last);
  // Screen readers say the name, so that it is clear who wrote.
  const values = { name: userName(model, senderId), text: wordsOf(html) };
  const parts = { sender: <VisuallyHidden>{null}</VisuallyHidden> };
  return <T text="<sender>{name}: </sender>{text}" values={values} parts={parts} />;
}
