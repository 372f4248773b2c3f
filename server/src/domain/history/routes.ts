import type { Parameters } from '@heddle/api/contract.ts';
import { checkMatchesNarrow, getMessage, getMessages } from '@heddle/api/endpoints/messages.ts';
import { badRequest, unsupportedCombination } from '@heddle/api/errors.ts';
import { checkSpectatorsLetIn, type Viewer } from '../../access/spectators.ts';
import type { Organization } from '../../directory/organization.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { serializedList, serializedRecord } from '../../http/serialized-list.ts';
import { escapeText } from '../../markup/index.ts';
import type { FetchedMessage } from '../messages/fetched-message.ts';
import { type FetchedPresentation, presentFetched } from '../messages/present.ts';
import type { Texts } from '../messages/queries.ts';
import { messageFor } from '../messages/seen-by-guests.ts';
import { messageForSpectators } from '../messages/seen-by-spectators.ts';
import { readsOlderNames } from '../reactions/present.ts';
import { anchorDate } from './date-anchor.ts';
import type { WireTerm } from './narrow.ts';
import { type Anchor, anchorNamed, messageQueries } from './queries.ts';
import { searchesIn } from './search.ts';
import { spectatorNarrow } from './spectator-narrow.ts';

export function historyRoutes(app: AppContext): readonly HeddleRoute[] {
  const queries = messageQueries(app);

  function presenter({ directory }: Organization, caller: Viewer, presentation: FetchedPresentation) {
    if (caller !== undefined) {
      return (message: FetchedMessage) => presentFetched(messageFor(directory, caller, message), presentation);
    }
    const host = app.address.hostOf(directory.organization.subdomain);
    return (message: FetchedMessage) => presentFetched(messageForSpectators(directory, message, host), presentation);
  }

  /** Adds the marked words to each message, if the narrow has a search. */
  async function withMarks<Shown extends object>(
    narrow: readonly WireTerm[],
    messages: readonly FetchedMessage[],
    present: (message: FetchedMessage) => Shown,
  ) {
    const marked = await queries.marks(narrow, messages);
    if (marked === undefined) return present;
    return (message: FetchedMessage) => {
      const { content, topic } = marked(message);
      return { ...present(message), match_content: content, match_subject: topic };
    };
  }

  return [
    route(getMessages, {}, async ({ parameters, organization, caller, client }) => {
      // Checked before the other parameters, so that their errors reveal nothing.
      if (caller === undefined) checkSpectatorsLetIn(organization.directory);
      const narrow = caller === undefined ? spectatorNarrow(parameters.narrow ?? []) : (parameters.narrow ?? []);
      const present = presenter(organization, caller, presentationOf(parameters, client));
      const texts = parameters.apply_markdown ? 'as HTML' : 'as written';
      if (parameters.message_ids !== undefined) {
        const { anchor, anchor_date: date, num_before: before, num_after: after } = parameters;
        if (anchor !== undefined || date !== undefined || before > 0 || after > 0) {
          throw unsupportedCombination(CONTRADICTING);
        }
        const messages = await queries.byIds(
          organization,
          caller,
          parameters.message_ids,
          narrow,
          textsFor(narrow, texts),
        );
        return {
          // This form of the request does not look for other messages.
          found_newest: false,
          found_oldest: false,
          found_anchor: false,
          history_limited: false,
          messages: await serializedList(messages, await withMarks(narrow, messages, present)),
        };
      }
      const anchor = anchorOf(parameters);
      const { num_before: before, num_after: after } = parameters;
      if (before > 0 && after > 0 && !parameters.include_anchor) {
        throw badRequest('The anchor can only be excluded at an end of the range');
      }
      const request = {
        anchor,
        before,
        after,
        includeAnchor: parameters.include_anchor,
        narrow,
      };
      const history = await queries.around(organization, caller, request, textsFor(narrow, texts));
      return {
        anchor: history.anchor,
        found_newest: history.foundNewest,
        found_oldest: history.foundOldest,
        found_anchor: history.foundAnchor,
        history_limited: false,
        messages: await serializedList(history.messages, await withMarks(narrow, history.messages, present)),
      };
    }),

    route(checkMatchesNarrow, {}, async ({ parameters, organization, caller }) => {
      const messages = await queries.byIds(organization, caller, parameters.msg_ids, parameters.narrow, 'as HTML');
      const marked = await queries.marks(parameters.narrow, messages);
      const match = (message: FetchedMessage) => {
        const { renderedContent, topic } = message.content;
        const shown = marked?.(message) ?? { content: renderedContent, topic: escapeText(topic) };
        return [String(message.id), { match_content: shown.content, match_subject: shown.topic }] as const;
      };
      return { messages: await serializedRecord(messages, match) };
    }),

    route(getMessage, {}, async ({ parameters, organization, caller, client }) => {
      const message = await organization.read(caller, (reading) => queries.one(reading, parameters.message_id));
      // The reference fixes the Gravatars of this endpoint: it has no parameter for them.
      const presentation = presentationOf({ ...parameters, client_gravatar: true }, client);
      const present = presenter(organization, caller, presentation);
      return { message: present(message), raw_content: message.content.content };
    }),
  ];
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
