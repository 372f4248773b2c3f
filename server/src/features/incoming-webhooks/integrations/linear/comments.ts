import { linkIf } from '../../git.ts';
import { type Delivery, type Outcome, wordsFor } from '../../integration.ts';
import { cut, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { actorOf, issueNameOf, topicOf, urlOf, VERBS } from './common.ts';

const COMMENT_VERBS: Readonly<Record<string, string>> = {
  create: 'commented',
  update: 'edited a comment',
  remove: 'deleted a comment',
};

export function comment({ payload }: Delivery): Outcome {
  const action = payload.need('action');
  const event = `Comment ${action}`;
  const data = payload.needObject('data');
  const verb = linkIf(wordsFor(action, COMMENT_VERBS, event), action === 'remove' ? '' : urlOf(payload));
  const [place, topic] = placeOf(data, urlOf(payload));
  const head = md`${actorOf(payload)} ${verb} on ${place}${action === 'remove' ? '.' : ':'}`;
  return { event, topic, content: joined([head, action !== 'remove' && quote(data.need('body'))], '\n\n') };
}

/** What the comment is about, and its topic. */
function placeOf(data: Payload, url: string): readonly [place: Markdown, topic: string] {
  if (data.at('issue').isObject) {
    const issue = issueNameOf(data.at('issue'), url);
    return [md`issue ${`${issue.identifier} ${issue.title}`.trim()}`, topicOf(issue)];
  }
  const kinds = [
    ['project', 'the project'],
    ['projectUpdate', 'an update of the project'],
    ['initiative', 'the initiative'],
    ['initiativeUpdate', 'an update of the initiative'],
    ['documentContent', 'the document'],
  ] as const;
  for (const [field, words] of kinds) {
    const found = data.at(field);
    if (!found.isObject) continue;
    const of = [found, found.at('project'), found.at('initiative'), found.at('document')];
    const name = of.map((one) => one.text('name') || one.text('title')).find((text) => text !== '') ?? '';
    return [md`${`${words} ${name}`.trim()}`, cut(name || 'Linear', 200)];
  }
  return [md`Linear`, 'Linear'];
}

export function document({ payload }: Delivery): Outcome {
  const action = payload.need('action');
  if (action === 'update') return { ignored: 'Document update' };
  const event = `Document ${action}`;
  const data = payload.needObject('data');
  const title = data.need('title');
  const verb = wordsFor(action, VERBS, event);
  const name = linkIf(title, action === 'remove' ? '' : urlOf(payload));
  const project = data.text('project', 'name');
  const content = md`${actorOf(payload)} ${verb} the document ${name}${project !== '' && md` in the project ${project}`}.`;
  return { event, topic: cut(project || title, 200), content };
}
