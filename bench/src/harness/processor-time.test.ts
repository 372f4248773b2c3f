import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorTime } from './processor-time.ts';
import { startProgram } from './programs.ts';

test('the processor time of a process includes user and system time, but not waiting', async () => {
  const worker = `
    let spent = { user: 0, system: 0 };
    while (spent.user + spent.system < 500_000) spent = process.cpuUsage();
    console.log('worked');
    setInterval(() => {}, 100_000);`;
  const program = await startProgram({ command: process.execPath, arguments: ['--eval', worker], ready: /^worked/ });
  const time = await processorTime(program.pid);
  assert.ok(time >= 490_000 && time < 5_000_000, `${time}`);
  await program.stop();
});
