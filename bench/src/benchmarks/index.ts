import { audience } from './audience.ts';
import type { Benchmark } from './benchmark.ts';
import { changes } from './changes.ts';
import { deleteTopic } from './delete-topic.ts';
import { edit } from './edit.ts';
import { fanout } from './fanout.ts';
import { flags } from './flags.ts';
import { history } from './history.ts';
import { idle } from './idle.ts';
import { importMattermost, importSlack, importZulip } from './import.ts';
import { large } from './large.ts';
import { mails } from './mails.ts';
import { memory } from './memory.ts';
import { move } from './move.ts';
import { neighbours } from './neighbours.ts';
import { organizations } from './organizations.ts';
import { polls } from './polls.ts';
import { presence } from './presence.ts';
import { push } from './push.ts';
import { react } from './react.ts';
import { register } from './register.ts';
import { restart } from './restart.ts';
import { search } from './search.ts';
import { send } from './send.ts';
import { start } from './start.ts';
import { subscribe } from './subscribe.ts';
import { download, upload } from './transfer.ts';
import { unread } from './unread.ts';
import { web } from './web.ts';
import { webUpdate } from './web-update.ts';
import { webhooks } from './webhooks.ts';

/** All benchmarks in the order of execution. */
export const benchmarks: readonly Benchmark[] = [
  start,
  send,
  changes,
  edit,
  deleteTopic,
  move,
  audience,
  subscribe,
  fanout,
  polls,
  restart,
  register,
  large,
  flags,
  react,
  presence,
  unread,
  history,
  search,
  upload,
  download,
  webhooks,
  mails,
  push,
  neighbours,
  idle,
  memory,
  organizations,
  importSlack,
  importMattermost,
  importZulip,
  web,
  webUpdate,
];
