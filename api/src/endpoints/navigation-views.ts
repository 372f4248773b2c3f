import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath, optional, required } from '../contract.ts';
import { navigationView } from '../objects/navigation-view.ts';

const AREA = 'Navigation views';

const fragment = text({ maxLength: 2000, description: 'The server trims it' });
const inRest = inPath(fragment, {
  restOfPath: true,
  description: 'Slashes can be plain or percent-encoded (once or twice)',
});
const isPinned = Type.Boolean({ description: 'Whether clients show it in the sidebar' });
const name = Type.Union([text({ maxLength: 100 }), Type.Null()], {
  description: 'The unique name of a custom view. Built-in views have none',
});

export const getNavigationViews = defineEndpoint({
  operationId: 'get-navigation-views',
  method: 'GET',
  path: '/navigation_views',
  area: AREA,
  summary: 'List the navigation views of the caller',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ navigation_views: Type.Array(navigationView) }),
  errors: [],
});

export const addNavigationView = defineEndpoint({
  operationId: 'add-navigation-view',
  method: 'POST',
  path: '/navigation_views',
  area: AREA,
  summary: 'Add a custom view, or set the location of a built-in view',
  description: 'A user has at most 200 views.',
  authentication: 'required',
  parameters: { fragment: required(fragment), is_pinned: required(isPinned), name: optional(name) },
  response: Type.Object({}),
  errors: [],
});

export const editNavigationView = defineEndpoint({
  operationId: 'edit-navigation-view',
  method: 'PATCH',
  path: '/navigation_views/{fragment}',
  area: AREA,
  summary: 'Change the location of a view, or the name of a custom view',
  authentication: 'required',
  parameters: { fragment: inRest, is_pinned: optional(isPinned), name: optional(name) },
  response: Type.Object({}),
  errors: ['NOT_FOUND'],
});

export const removeNavigationView = defineEndpoint({
  operationId: 'remove-navigation-view',
  method: 'DELETE',
  path: '/navigation_views/{fragment}',
  area: AREA,
  summary: 'Remove a view',
  authentication: 'required',
  parameters: { fragment: inRest },
  response: Type.Object({}),
  errors: ['NOT_FOUND'],
});
