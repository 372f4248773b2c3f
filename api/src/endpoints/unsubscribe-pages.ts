/** The links in mails that stop such mails. */
import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath } from '../contract.ts';

const link = {
  area: 'Pages',
  outsideApi: true,
  authentication: 'none',
  parameters: {
    email_type: inPath(
      Type.Union([Type.Literal('missed_messages'), Type.Literal('digest'), Type.Literal('login')], {
        description: 'The kind of mails to stop',
      }),
    ),
    key: inPath(text({ maxLength: 200 })),
  },
  errors: [],
} as const;

export const getUnsubscribePage = defineEndpoint({
  ...link,
  operationId: 'page-unsubscribe',
  method: 'GET',
  path: '/accounts/unsubscribe/{email_type}/{key}',
  summary: 'Show the page to stop a kind of mails',
  response: { kind: 'page' },
});

export const unsubscribeAtOnce = defineEndpoint({
  ...link,
  operationId: 'unsubscribe-at-once',
  method: 'POST',
  path: '/accounts/unsubscribe/{email_type}/{key}',
  summary: 'Stop a kind of mails at once',
  description: 'For the one-click button of mail programs (RFC 8058). It needs no login: the key is the permission.',
  response: Type.Object({}),
});

export const unsubscribeOnPage = defineEndpoint({
  ...link,
  operationId: 'page-unsubscribe-submit',
  method: 'POST',
  path: '/accounts/unsubscribe/{email_type}/{key}/confirm',
  summary: 'Stop a kind of mails, from the page',
  response: { kind: 'page' },
});
