import { defineEndpoint } from '../contract.ts';

export const getHomePage = defineEndpoint({
  operationId: 'get-home-page',
  method: 'GET',
  path: '/',
  outsideApi: true,
  area: 'Pages',
  summary: 'What people see who open the organization’s address',
  authentication: 'none',
  parameters: {},
  response: { gives: 'page' },
  errors: [],
});
