import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTooOld } from './user-agent.ts';

const tooOld = [
  'ZulipInvalid/5.0',
  'ZulipDesktop/0.5.2 (Mac)',
  'ZulipMobile/14.2 (Android 9)',
  'ZulipMobile/16.2.95 (Android 9; Pixel)',
  'ZulipMobile/16.2 (Android)',
  'ZulipElectron/4.0.0',
  'ZulipElectron/5.4.2 Mozilla/5.0 (X11; Linux x86_64)',
];
const newEnough = [
  undefined,
  '',
  'curl/8.1',
  'ZulipPython/0.8',
  'ZulipMobile/16.2.95 (iOS 12)',
  'ZulipMobile/16.2.96 (Android 9)',
  'ZulipMobile/27.234 (Android 14)',
  'ZulipMobile/flutter-0.0.1 (Android 14)',
  'ZulipMobile/16.2.x (Android 14)',
  'ZulipElectron/5.4.3',
  'ZulipElectron/5.12.0 Mozilla/5.0 (X11; Linux x86_64)',
  'ZulipFlutter/30.0.1 (Android 14)',
  `ZulipMobile/${'9'.repeat(10_000)}`,
];

for (const agent of tooOld) test(`${agent} is too old`, () => assert(isTooOld(agent)));
for (const agent of newEnough) {
  test(`${agent?.slice(0, 60) ?? 'a client without a name'} is not too old`, () => assert(!isTooOld(agent)));
}
