import { linkIf } from '../../git.ts';
import type { Delivery, Rendered } from '../../integration.ts';
import { cut, joined, type Markdown, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';

/** What the person did, such as `archived the card`; undefined if it causes no message. */
export type Told = (data: Payload, action: Payload) => Markdown;

/** The renderer of an action. The text begins with the person, and the topic is the board. */
export function telling(tell: Told): (delivery: Delivery) => Rendered {
  return ({ payload }) => {
    const action = payload.needObject('action');
    const data = action.needObject('data');
    return rendered(payload, tell(data, action));
  };
}

/** @param details more about it, in paragraphs of their own */
export function rendered(payload: Payload, told: Markdown, details?: Markdown): Rendered {
  const action = payload.at('action');
  const creator = action.at('memberCreator');
  const person = creator.text('fullName') || creator.text('username') || 'Somebody';
  const board = action.text('data', 'board', 'name') || payload.text('model', 'name') || 'Trello';
  const head = md`${person} ${told}${details === undefined ? '.' : ':'}`;
  return { event: action.need('type'), topic: cut(board, 200), content: joined([head, details], '\n\n') };
}

export function cardOf(data: Payload): Markdown {
  return md`the card ${cardLink(data)}`;
}

export function cardLink(data: Payload): Markdown {
  return linkTo(data.needObject('card'), 'c');
}

export function boardOf(data: Payload): Markdown {
  return md`the board ${boardLink(data)}`;
}

export function boardLink(data: Payload): Markdown {
  return linkTo(data.needObject('board'), 'b');
}

function linkTo(of: Payload, kind: 'b' | 'c'): Markdown {
  const id = of.text('shortLink');
  const url = id === '' ? '' : `https://trello.com/${kind}/${encodeURIComponent(id)}`;
  return linkIf(of.text('name') || of.need('id'), url);
}

/** The member whom the action concerns. */
export function memberOf(data: Payload, action: Payload): string {
  return (
    action.text('member', 'fullName') || data.text('member', 'name') || action.text('member', 'username') || 'somebody'
  );
}
