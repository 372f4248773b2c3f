import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorTime, processorTimeWithEnded } from './processor-time.ts';
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

test('the processor time of children that have ended can be included', async () => {
  const child = 'while (process.cpuUsage().user < 300_000);';
  const parent = `
    require('node:child_process').spawnSync(process.execPath, ['--eval', ${JSON.stringify(child)}]);
    console.log('ended');
    setInterval(() => {}, 100_000);`;
  const program = await startProgram({ command: process.execPath, arguments: ['--eval', parent], ready: /^ended/ });
  const time = await processorTimeWithEnded(program.pid);
  const own = await processorTime(program.pid);
  assert.ok(time - own >= 290_000, `${time} with children, ${own} without`);
  await program.stop();
});
