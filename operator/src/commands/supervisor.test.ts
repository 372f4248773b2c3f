import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { testDatabase } from '@heddle/server/testing/database/database.ts';
import { startHeddle } from '@heddle/server/testing/faults/heddle-process.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { until } from '@heddle/server/testing/server/until.ts';

/** systemd's side: a datagram socket, which Node.js cannot open. It answers the barrier with which systemd-notify waits. */
const LISTENER = `
import array, os, socket, sys
server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
server.bind(sys.argv[1])
print('listening', flush=True)
while True:
    text, control, _, _ = server.recvmsg(4096, socket.CMSG_SPACE(64))
    for _, _, data in control:
        for descriptor in array.array('i', data): os.close(descriptor)
    print(text.decode().replace('\\n', ' '), flush=True)
`;

const missing = !existsSync('/usr/bin/systemd-notify') && 'systemd-notify is not installed';

test('systemd hears that the server is ready, that its event loop turns, and that it stops', {
  skip: missing,
}, async (t) => {
  const [data, database] = [await temporaryDataDirectory(), await testDatabase()];
  const socket = join(data.path, 'notify');
  const listener = spawn('python3', ['-c', LISTENER, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(listener, 'close');
  t.after(async () => {
    listener.kill();
    await ended;
    await data.remove();
    await database.drop();
  });
  const lines = createInterface(listener.stdout)[Symbol.asyncIterator]();
  const heard = (wanted: RegExp): Promise<string> =>
    until(async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`systemd never heard ${wanted}`);
      return wanted.test(value) ? value : undefined;
    }, `${wanted} at systemd`);
  await heard(/^listening$/);
  const server = await startHeddle({
    HEDDLE_DATA_DIR: data.path,
    HEDDLE_DATABASE_URL: database.url,
    NOTIFY_SOCKET: socket,
    WATCHDOG_USEC: '400000',
  });
  const ready = await heard(/READY=1/);
  assert.ok(ready.includes(`MAINPID=${server.child.pid}`), ready);
  await heard(/WATCHDOG=1/);
  await heard(/WATCHDOG=1/);
  const stopped = server.stop();
  await heard(/STOPPING=1/);
  assert.equal((await stopped).code, 0);
});

const analyze = '/usr/bin/systemd-analyze';
test('the unit waits for these messages, and has a watchdog', async () => {
  const unit = await readFile(join(import.meta.dirname, '../../../deploy/systemd/heddle.service'), 'utf8');
  for (const line of [
    'Type=notify',
    'NotifyAccess=all',
    'WatchdogSec=60',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
  ]) {
    assert.ok(unit.split('\n').includes(line), line);
  }
});

test('systemd accepts the unit, and finds it little exposed', {
  skip: !existsSync(analyze) && 'systemd is not installed',
}, async (t) => {
  const data = await temporaryDataDirectory();
  t.after(() => data.remove());
  const unit = await readFile(join(import.meta.dirname, '../../../deploy/systemd/heddle.service'), 'utf8');
  const path = join(data.path, 'heddle.service');
  const { writeFile } = await import('node:fs/promises');
  // The program is not installed here.
  await writeFile(path, unit.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'));
  for (const args of [
    ['verify', path],
    ['security', '--offline=true', '--threshold=20', path],
  ]) {
    const child = spawn(analyze, args, { stdio: 'ignore' });
    const [code] = await once(child, 'close');
    assert.equal(code, 0, args.join(' '));
  }
});
