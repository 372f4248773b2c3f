import { defineEndpoint } from '../contract.ts';

export const getHomePage = defineEndpoint({
  operationId: 'get-home-page',
  method: 'GET',
  path: '/',
  outsideApi: true,
  area: 'Pages',
  summary: 'Show the home page of the organization',
  authentication: 'none',
  parameters: {},
  response: { gives: 'page' },
  errors: [],
});
