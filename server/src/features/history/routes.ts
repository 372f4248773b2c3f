import { checkMatchesNarrow, getMessage, getMessages } from '@heddle/api/endpoints/messages.ts';
import { badRequest, unsupportedCombination } from '@heddle/api/errors.ts';
import { checkSpectatorsLetIn, type Viewer } from '../../access/spectators.ts';
import type { Organization } from '../../directory/organization.ts';
import { serializedList, serializedRecord } from '../../http/serialized-list.ts';
import { escapeText } from '../../markup/index.ts';
import { type FetchedPresentation, presentFetched } from '../messages/present.ts';
import { type FetchedMessage, messageFor, messageForSpectators, type Texts } from '../messages/queries.ts';
import { readsOlderNames } from '../reactions/present.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import type { WireTerm } from './narrow.ts';
import { type Anchor, anchorNamed, messageQueries } from './queries.ts';
import { searchesIn } from './search.ts';
import { spectatorNarrow } from './spectator-narrow.ts';

export function historyRoutes(rooms: Rooms): readonly HeddleRoute[] {
  const queries = messageQueries(rooms);

  function presenter({ directory }: Organization, caller: Viewer, presentation: FetchedPresentation) {
    if (caller !== undefined) {
      return (message: FetchedMessage) => presentFetched(messageFor(directory, caller, message), presentation);
    }
    const host = rooms.address.hostOf(directory.organization.subdomain);
    return (message: FetchedMessage) => presentFetched(messageForSpectators(directory, message, host), presentation);
  }

  /** With what was found in each, where the narrow searches. */
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
      // Before anything is said of the other parameters.
      if (caller === undefined) checkSpectatorsLetIn(organization.directory);
      const narrow = caller === undefined ? spectatorNarrow(parameters.narrow ?? []) : (parameters.narrow ?? []);
      const present = presenter(organization, caller, presentationOf(parameters, client));
      const texts = parameters.apply_markdown ? 'as HTML' : 'as written';
      if (parameters.message_ids !== undefined) {
        if (parameters.anchor !== undefined || parameters.num_before > 0 || parameters.num_after > 0) {
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
          // Nothing is said of what else there is.
          found_newest: false,
          found_oldest: false,
          found_anchor: false,
          history_limited: false,
          messages: await serializedList(messages, await withMarks(narrow, messages, present)),
        };
      }
      const anchor = anchorOf(parameters.anchor, parameters.use_first_unread_anchor);
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
      const message = await organization.readBy(caller, (reading) => queries.one(reading, parameters.message_id));
      // The reference fixes this endpoint's gravatars: clients have no parameter to ask for other ones.
      const presentation = presentationOf({ ...parameters, client_gravatar: true }, client);
      const present = presenter(organization, caller, presentation);
      return { message: present(message), raw_content: message.content.content };
    }),
  ];
}

/** What `message_ids` cannot stand beside, as clients are told. */
const CONTRADICTING = ['num_before', 'num_after', 'anchor', 'message_ids', 'include_anchor', 'use_first_unread_anchor'];

/** What is found is marked in the HTML, whatever is shown. */
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

function anchorOf(anchor: string | number | undefined, firstUnread: boolean): Anchor {
  if (firstUnread) return 'first_unread';
  if (anchor === undefined) throw badRequest("Missing 'anchor' argument.");
  return anchorNamed(anchor);
}
