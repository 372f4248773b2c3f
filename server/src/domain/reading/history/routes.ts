import type { Parameters } from '@heddle/api/contract.ts';
import { checkMatchesNarrow, getMessage, getMessages, getSearchHits } from '@heddle/api/endpoints/messages.ts';
import { badRequest, unsupportedCombination } from '@heddle/api/errors.ts';
import { checkSpectatorsLetIn, type Viewer } from '../../../access/spectators.ts';
import type { Organization } from '../../../directory/organization.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { serializedList, serializedRecord } from '../../../http/answers/serialized-list.ts';
import { escapeText } from '../../../markup/index.ts';
import type { FetchedMessage } from '../../messages/messages/fetched-message.ts';
import { type FetchedPresentation, presentFetched } from '../../messages/messages/present.ts';
import type { Texts } from '../../messages/messages/queries.ts';
import { messageFor } from '../../messages/messages/seen-by-guests.ts';
import { messageForSpectators } from '../../messages/messages/seen-by-spectators.ts';
import { readsOlderNames } from '../../messages/reactions/present.ts';
import { anchorDate } from './date-anchor.ts';
import type { WireTerm } from './narrow.ts';
import { type Anchor, anchorNamed, type History, type HistoryRequest, type Mark, messageQueries } from './queries.ts';
import { searchesIn } from './search.ts';
import { spectatorNarrow } from './spectator-narrow.ts';

type Present<Shown> = (message: FetchedMessage) => Shown;

export function historyRoutes(app: AppContext): readonly HeddleRoute[] {
  const queries = messageQueries(app);

  return [
    route(getMessages, {}, async ({ parameters, organization, caller, client }) => {
      // Checked before the other parameters, so that their errors reveal nothing.
      if (caller === undefined) checkSpectatorsLetIn(organization.directory);
      const narrow = caller === undefined ? spectatorNarrow(parameters.narrow ?? []) : (parameters.narrow ?? []);
      const texts = textsFor(narrow, parameters.apply_markdown ? 'as HTML' : 'as written');
      const named = async () => {
        const messages = await queries.byIds(organization, caller, namedIds(parameters), narrow, texts);
        return { messages, mark: await queries.markFor(narrow, messages) };
      };
      const found: Partial<History> & Pick<History, 'messages' | 'mark'> =
        parameters.message_ids === undefined
          ? await queries.around(organization, caller, rangeOf(parameters, narrow), texts)
          : await named();
      const present = presenter(app, organization, caller, presentationOf(parameters, client));
      return {
        ...(found.anchor !== undefined && { anchor: found.anchor }),
        // A request that names the messages does not look for others.
        found_newest: found.foundNewest ?? false,
        found_oldest: found.foundOldest ?? false,
        found_anchor: found.foundAnchor ?? false,
        history_limited: false,
        messages: await serializedList(found.messages, withMarks(found.mark, present)),
      };
    }),

    route(getSearchHits, {}, async ({ parameters, organization, caller }) => {
      if (caller === undefined) checkSpectatorsLetIn(organization.directory);
      const narrow = caller === undefined ? spectatorNarrow(parameters.narrow ?? []) : (parameters.narrow ?? []);
      const { count, isComplete, ids } = await queries.hits(organization, caller, narrow, parameters.num_relevant);
      return { count, is_complete: isComplete, message_ids: [...ids] };
    }),

    route(checkMatchesNarrow, {}, async ({ parameters, organization, caller }) => {
      const messages = await queries.byIds(organization, caller, parameters.msg_ids, parameters.narrow, 'as HTML');
      const mark = await queries.markFor(parameters.narrow, messages);
      const match = (message: FetchedMessage) => {
        const { renderedContent, topic } = message.content;
        const shown = mark?.(message) ?? { content: renderedContent, topic: escapeText(topic) };
        return [String(message.id), { match_content: shown.content, match_subject: shown.topic }] as const;
      };
      return { messages: await serializedRecord(messages, match) };
    }),

    route(getMessage, {}, async ({ parameters, organization, caller, client }) => {
      const message = await organization.read(caller, (reading) => queries.one(reading, parameters.message_id));
      // The reference fixes the Gravatars of this endpoint: it has no parameter for them.
      const presentation = presentationOf({ ...parameters, client_gravatar: true }, client);
      const present = presenter(app, organization, caller, presentation);
      return { message: present(message), raw_content: message.content.content };
    }),
  ];
}

function presenter(app: AppContext, { directory }: Organization, caller: Viewer, presentation: FetchedPresentation) {
  const host = app.address.hostOf(directory.organization.subdomain);
  return (message: FetchedMessage) => {
    const seen =
      caller === undefined ? messageForSpectators(directory, message, host) : messageFor(directory, caller, message);
    return presentFetched(seen, presentation);
  };
}

/** Adds the marked words to each message, if the narrow has a search. */
function withMarks<Shown extends object>(
  mark: Mark | undefined,
  present: Present<Shown>,
): Present<Shown & { readonly match_content?: string; readonly match_subject?: string }> {
  if (mark === undefined) return present;
  return (message) => {
    const { content, topic } = mark(message);
    return { ...present(message), match_content: content, match_subject: topic };
  };
}

/** @throws ApiError if the request also describes a range */
function namedIds(parameters: Parameters<typeof getMessages>): readonly number[] {
  const { message_ids: ids, anchor, anchor_date: date, num_before: before, num_after: after } = parameters;
  if (anchor !== undefined || date !== undefined || before > 0 || after > 0)
    throw unsupportedCombination(CONTRADICTING);
  return ids ?? [];
}

function rangeOf(parameters: Parameters<typeof getMessages>, narrow: readonly WireTerm[]): HistoryRequest {
  const anchor = anchorOf(parameters);
  const { num_before: before, num_after: after, include_anchor: includeAnchor } = parameters;
  if (before > 0 && after > 0 && !includeAnchor) {
    throw badRequest('The anchor can only be excluded at an end of the range');
  }
  return { anchor, before, after, includeAnchor, narrow };
}

/** The parameters that contradict `message_ids`, in the words of the error. */
const CONTRADICTING = ['num_before', 'num_after', 'anchor', 'message_ids', 'include_anchor', 'use_first_unread_anchor'];

/** Words are marked in the HTML, even if the response contains the text as it was written. */
function textsFor(narrow: readonly WireTerm[], texts: Texts): Texts {
  return searchesIn(narrow).length > 0 ? 'both' : texts;
}

function presentationOf(
  parameters: {
    readonly apply_markdown: boolean;
    readonly client_gravatar: boolean;
    readonly allow_empty_topic_name: boolean;
  },
  client: string,
): FetchedPresentation {
  return {
    readsOlderNames: readsOlderNames(client),
    applyMarkdown: parameters.apply_markdown,
    clientGravatar: parameters.client_gravatar,
    knowsEmptyTopic: parameters.allow_empty_topic_name,
  };
}

function anchorOf(parameters: Parameters<typeof getMessages>): Anchor {
  const { anchor, anchor_date: date, use_first_unread_anchor: isFirstUnread } = parameters;
  if (!isFirstUnread && anchor === 'date') return { since: anchorDate(date) };
  if (date !== undefined) throw badRequest("'anchor_date' needs 'anchor' to be 'date'.");
  if (isFirstUnread) return 'first_unread';
  if (anchor === undefined) throw badRequest("Missing 'anchor' argument.");
  return anchorNamed(anchor);
}
