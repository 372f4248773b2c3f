import * as views from '@heddle/api/endpoints/navigation-views.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';
import type { Scene } from '../../testing/access/access-scene.ts';
import type { Fields } from '../../testing/clients/client.ts';

export const rows: readonly AccessRow[] = [
  row(views.getNavigationViews, 'always', '++++++ uuxu'),
  row(views.addNavigationView, 'always', '++++++ uuxu', (scene) => view(scene)),
  row(views.editNavigationView, 'an own one', '++++++ uuxu', async (scene) => ({
    ...(await viewOf(scene, scene.self)),
    is_pinned: false,
  })),
  row(views.editNavigationView, "somebody else's", 'ffffff uuxu', async (scene) => ({
    ...(await viewOf(scene, scene.colleague)),
    is_pinned: false,
  })),
  row(views.removeNavigationView, 'an own one', '++++++ uuxu', (scene) => viewOf(scene, scene.self)),
  row(views.removeNavigationView, "somebody else's", 'ffffff uuxu', (scene) => viewOf(scene, scene.colleague)),
];

function view(scene: Scene): Fields {
  const name = scene.name();
  return { fragment: `narrow/${name}`, is_pinned: true, name };
}

async function viewOf(scene: Scene, user: Scene['self']): Promise<Fields> {
  const added = view(scene);
  await user.ok('POST', '/navigation_views', added);
  return { fragment: added.fragment };
}
