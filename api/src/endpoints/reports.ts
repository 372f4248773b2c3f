import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, required } from '../contract.ts';

export const reportMessage = defineEndpoint({
  operationId: 'report-message',
  method: 'POST',
  path: '/messages/{message_id}/report',
  area: 'Messages',
  summary: 'Report a message to the moderators',
  authentication: 'required',
  parameters: {
    message_id: inPath(Type.Integer()),
    report_type: required(
      Type.Union([
        Type.Literal('spam'),
        Type.Literal('harassment'),
        Type.Literal('inappropriate'),
        Type.Literal('norms'),
        Type.Literal('other'),
      ]),
      { saysWhy: true },
    ),
    description: defaulted(text({ maxLength: 1000 }), '', { description: 'Required for the type `other`' }),
  },
  response: Type.Object({}),
  errors: [],
});
