import { issueLike, linkIf, numberedTopic, refName } from '../../git.ts';
import { type Delivery, type Outcome, wordsFor } from '../../integration.ts';
import { code, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { nameIn, pageOf } from './common.ts';

function topicOf(request: Payload): string {
  const repository = request.text('repository', 'name') || 'Azure DevOps';
  return numberedTopic(repository, 'PR', request.need('pullRequestId'), request.text('title'));
}

function urlOf(request: Payload): string {
  const page = pageOf(request.at('repository'));
  const web = request.text('_links', 'web', 'href');
  return web || (page === '' ? '' : `${page}/pullrequest/${encodeURIComponent(request.need('pullRequestId'))}`);
}

export function opened({ payload }: Delivery): Outcome {
  const request = payload.needObject('resource');
  const [source, target] = [refName(request.text('sourceRefName')), refName(request.text('targetRefName'))];
  return {
    event: 'git.pullrequest.created',
    topic: topicOf(request),
    content: issueLike({
      actor: nameIn(request.at('createdBy')) || 'Somebody',
      action: request.isTrue('isDraft') ? 'created the draft of' : 'created',
      kind: 'PR',
      number: request.need('pullRequestId'),
      url: urlOf(request),
      title: request.text('title'),
      detail: source === '' ? undefined : md`from ${code(source)} to ${code(target)}`,
      text: request.text('description'),
    }),
  };
}

/** The payload says what happened in a sentence only, and who did it. The sentence names the pull request by its number. */
export function updated({ payload }: Delivery): Outcome {
  const request = payload.needObject('resource');
  const number = request.need('pullRequestId');
  const link = linkIf(`PR #${number}`, urlOf(request));
  const [sentence = ''] = payload.text('message', 'text').split(/\r?\n/, 1);
  const name = `pull request ${number}`;
  const at = sentence.slice(0, 1000).indexOf(name);
  const content: Markdown =
    at < 0
      ? md`${link} ${request.text('title')} was updated.${sentence !== '' && md` ${sentence}`}`
      : md`${joined([sentence.slice(0, at), link, sentence.slice(at + name.length)], ' ')}.`;
  return { event: 'git.pullrequest.updated', topic: topicOf(request), content };
}

const MERGES: Readonly<Record<string, string>> = {
  succeeded: 'can be merged',
  conflicts: 'has conflicts',
  failure: 'could not be merged',
  rejectedByPolicy: 'could not be merged because of a policy',
  queued: 'waits for its merge',
  notSet: 'was not merged',
};

/** The event also reports attempts, before the pull request is completed. */
export function merged({ payload }: Delivery): Outcome {
  const request = payload.needObject('resource');
  const number = request.need('pullRequestId');
  const link = linkIf(`PR #${number}`, urlOf(request));
  const [source, target] = [refName(request.text('sourceRefName')), refName(request.text('targetRefName'))];
  const branches = source !== '' && md` from ${code(source)} to ${code(target)}`;
  const status = request.need('mergeStatus');
  const words = wordsFor(status, MERGES, `merge ${status}`);
  const person = nameIn(request.at('closedBy')) || nameIn(request.at('createdBy')) || 'Somebody';
  const content =
    request.text('status') === 'completed' && status === 'succeeded'
      ? md`${person} merged ${link} ${request.text('title')}${branches}.`
      : md`${link} ${request.text('title')}${branches} ${words}.`;
  return { event: 'git.pullrequest.merged', topic: topicOf(request), content };
}

export function pullRequestComment({ payload }: Delivery): Outcome {
  const resource = payload.needObject('resource');
  const comment = resource.needObject('comment');
  const request = resource.needObject('pullRequest');
  if (comment.text('commentType') === 'system') return { ignored: 'comment of the service' };
  const url = comment.text('_links', 'web', 'href') || urlOf(request);
  const actor = nameIn(comment.at('author')) || 'Somebody';
  const text = comment.isTrue('isDeleted') ? '' : comment.text('content');
  const verb = comment.isTrue('isDeleted') ? 'deleted a comment' : 'commented';
  const head = md`${actor} ${linkIf(verb, url)} on ${linkIf(`PR #${request.need('pullRequestId')}`, urlOf(request))}`;
  return {
    event: 'ms.vss-code.git-pullrequest-comment-event',
    topic: topicOf(request),
    content: text.trim() === '' ? md`${head}.` : joined([md`${head}:`, quote(text)], '\n\n'),
  };
}
